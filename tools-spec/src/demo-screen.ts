import { styleText } from "node:util";
import type { DispatchEvent, ToolResult } from "@hasp/runtime";

type Style = "bold" | "dim" | "red" | "green" | "yellow";

/** The demo's screen, which prints dispatcher events as they happen, and the results. */
export interface Screen {
  heading(text: string): void;
  line(text: string): void;
  /** Prints one line for each event that matters to a person at the screen. */
  event(event: DispatchEvent): void;
  /** Prints which calls ran together, and how each ended. */
  batches(results: readonly ToolResult[]): void;
  /** Prints messages for a provider, one line each, cut to the width of the screen. */
  messages(messages: readonly unknown[]): void;
}

/** Creates a screen that writes to standard output, in colour if the terminal supports it. */
export function createScreen(): Screen {
  // The reader may close the pipe, as `head` does.
  process.stdout.on("error", () => process.exit());
  const classes = new Map<string, string>();
  const paint = (style: Style, text: string): string =>
    process.stdout.isTTY && process.env["NO_COLOR"] === undefined ? styleText(style, text) : text;
  const line = (text: string): void => void process.stdout.write(`${text}\n`);
  const outcome = ({ isError, error }: ToolResult): string =>
    isError ? paint("red", `${error?.code ?? "failed"} (effect: ${error?.effect ?? "unknown"})`) : paint("green", "ok");

  return {
    line,
    heading: (text) => line(`\n${paint("bold", text)}`),
    event(event) {
      const said = `  ${event.callId}  ${event.line ?? event.toolName}`;
      if (event.type === "classified") classes.set(event.callId, event.classification.class);
      if (event.type === "started") line(said);
      if (event.type === "progress") line(paint("dim", `    ${progressText(event.update)}`));
      if (event.type === "settled") line(`${said}: ${outcome(event.result)}`);
    },
    batches(results) {
      for (const [index, batch] of batchesOf(results).entries()) {
        line(
          `  ${paint("bold", `batch ${index + 1}`)}, ${batch.length > 1 ? `${batch.length} calls together` : "alone"}`,
        );
        for (const result of batch) {
          const { callId, toolName, durationMs } = result;
          const ran = durationMs === 0 ? "not run" : `${durationMs.toFixed(1)} ms`;
          line(
            `    ${callId}  ${toolName.padEnd(14)} ${(classes.get(callId) ?? "").padEnd(16)} ${ran.padStart(10)}  ${outcome(result)}`,
          );
        }
      }
    },
    messages(messages) {
      for (const message of messages) line(`  ${cut(JSON.stringify(message), 150)}`);
    },
  };
}

function progressText(update: unknown): string {
  const { printed, path } = Object(update) as { readonly printed?: unknown; readonly path?: unknown };
  return String(printed ?? path ?? "…").trim();
}

/** Groups adjacent calls that the dispatcher ran in one batch; a call that ran alone is its own batch. */
function batchesOf(results: readonly ToolResult[]): readonly (readonly ToolResult[])[] {
  const batches: ToolResult[][] = [];
  for (const result of results) {
    const last = batches.at(-1);
    if (result.wasConcurrent && last?.[0]?.wasConcurrent === true) last.push(result);
    else batches.push([result]);
  }
  return batches;
}

function cut(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1)}…`;
}
