import { NotExecuted } from "@hasp/runtime";

export interface Notebook {
  cells: NotebookCell[];
}

export interface NotebookCell {
  cell_type: string;
  source: string | string[];
  metadata: object;
  outputs?: unknown[];
  execution_count?: number | null;
}

/** Most characters of one output that a reader sees. */
const mostCharactersPerOutput = 4000;

/** Parses a notebook. Throws {@link NotExecuted} if the text is not a notebook. */
export function parseNotebook(path: string, text: string): Notebook {
  try {
    const notebook = JSON.parse(text) as Notebook | null;
    if (Array.isArray(notebook?.cells)) return notebook;
  } catch {
    // Reported below.
  }
  throw new NotExecuted(`${path} is not a notebook: it has no cells`);
}

/** Prints the cells with their outputs as lines. Pictures and other data are named, and long outputs are cut. */
export function printNotebook({ cells }: Notebook): readonly string[] {
  return cells.flatMap((cell, index) => [
    `[cell ${index}: ${member(cell, "cell_type") === "code" ? "code" : "text"}]`,
    ...linesIn(member(cell, "source")),
    ...printOutputs(member(cell, "outputs")),
    "",
  ]);
}

function printOutputs(outputs: unknown): readonly string[] {
  if (!Array.isArray(outputs)) return [];
  return outputs.flatMap((output: unknown) => {
    const data = member(output, "data");
    const others = Object.keys(Object(data) as object).filter((type) => type !== "text/plain");
    const traceback = member(output, "traceback");
    const text = [member(output, "text"), member(data, "text/plain"), traceback].flatMap(linesIn).join("\n");
    // Terminal colours of tracebacks.
    const plain = text.replace(/\u001B\[[0-9;]*m/gu, "");
    const omitted = plain.length - mostCharactersPerOutput;
    const cut = omitted > 0 ? `${plain.slice(0, mostCharactersPerOutput)}… (${omitted} more characters)` : plain;
    return [
      `[output${others.length === 0 ? "" : `, also as ${others.slice(0, 10).join(", ").slice(0, 200)}`}]`,
      ...(cut === "" ? [] : cut.split("\n")),
    ];
  });
}

/** Splits a text, or the list of texts that the format allows in place of one. */
function linesIn(text: unknown): readonly string[] {
  const whole = Array.isArray(text) ? text.filter((part) => typeof part === "string").join("") : text;
  return typeof whole === "string" && whole !== "" ? whole.split("\n") : [];
}

function member(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined;
}
