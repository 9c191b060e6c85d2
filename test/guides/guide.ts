/** One fenced block of a page. */
export interface Block {
  /** The first word after the fence. */
  readonly language: string;
  /**
   * The words after the language: in a guide the path of the file that the block is, elsewhere the name of its holder.
   */
  readonly path: string;
  readonly text: string;
  /** The line on which the block's text begins in the page, from 1. */
  readonly line: number;
}

/** One command line of a guide and how it ends. */
export interface GuideCommand {
  readonly script: string;
  /** 0, unless the line ends in `# exits 1`. */
  readonly code: number;
}

/** The fenced blocks of a page, in their order. */
export function blocksOf(markdown: string): readonly Block[] {
  return [...markdown.matchAll(/^```(\w*)(?: ([^\n]+))?\n([\s\S]*?)^```$/gmu)].map(
    ({ 1: language = "", 2: path = "", 3: text = "", index }) => ({
      language,
      path,
      text,
      line: markdown.slice(0, index).split("\n").length + 1,
    }),
  );
}

/** The commands of an `sh` block: one a line; comments are for the reader, but for the exit code. */
export function commandsOf(block: Block): readonly GuideCommand[] {
  return block.text
    .split("\n")
    .map((line) => ({
      script: line
        .replace(/\s+# .*$/u, "")
        .replace(/^#.*$/u, "")
        .trim(),
      code: Number(/\s#.*\bexits (\d)/u.exec(line)?.[1] ?? 0),
    }))
    .filter(({ script }) => script !== "");
}

/**
 * True if a guide shows the printed lines; a line `…` stands for any number of lines, and `…` in a line for any text.
 */
export function shows(shown: string, printed: string): boolean {
  const lines = shown
    .trimEnd()
    .split("\n")
    .map((line) =>
      line.trim() === "…" ? String.raw`(?:.*\n)*?` : `${line.trimEnd().split("…").map(escaped).join(".*")}[ ]*\n`,
    );
  return new RegExp(`^\\n*${lines.join("")}\\n*$`, "u").test(`${printed.trimEnd()}\n`);
}

/** True if a text contains the lines of a fragment in order, at any indentation. */
export function isFragment(fragment: string, text: string): boolean {
  const lines = text.split("\n").map((line) => line.trim());
  let from = 0;
  for (const line of fragment
    .split("\n")
    .map((part) => part.trim())
    .filter((part) => part !== "" && part !== "# …")) {
    from = lines.indexOf(line, from) + 1;
    if (from === 0) return false;
  }
  return true;
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/gu, String.raw`\$&`);
}
