import { closed } from "@hasp/compiler/model";
import type { JsonObject } from "@hasp/base/json";
import type { DeclaredValue, HandlerFormats } from "@hasp/compiler/handlers";

/** A handler that runs one command, never in a shell. */
export interface SpecCommand {
  /** The program and its arguments, with placeholders: `--max-count={limit}`. */
  readonly argv: readonly string[];
  readonly cwd?: DeclaredValue;
  /** Those of `needs.env` whose values results may show. */
  readonly publicEnv?: readonly string[];
  /** Default: 0 alone. */
  readonly okExitCodes?: readonly number[];
  readonly stdout?: "text" | "json" | "lines";
}

const commandSchema: JsonObject = closed({
  description:
    "Runs one program, never in a shell. No code is needed. Its environment contains `needs.env` and nothing else.",
  required: ["argv"],
  properties: {
    argv: {
      description:
        "The program and its arguments. `{name}` inserts a bound value or the input property of that name; an argument stays one argument whatever is inserted, and is left out if its value is absent. A value that starts with `-` is refused before the program's own `--`.",
      type: "array",
      minItems: 1,
      items: { type: "string" },
      examples: [["git", "log", "--max-count={limit}", "--", "{path}"]],
    },
    cwd: {
      description: "The folder in which it runs: `context.x`, or a path relative to the process's own.",
      type: "string",
      minLength: 1,
      examples: ["context.workspace"],
    },
    publicEnv: {
      description:
        "The variables of `needs.env` whose values are no secrets. The values of all others are replaced in results, progress and errors.",
      type: "array",
      uniqueItems: true,
      items: { type: "string", minLength: 1 },
      examples: [["LANG"]],
    },
    okExitCodes: {
      description: "The exit codes that are answers, such as 1 of `grep` for no match. Default: 0 alone.",
      type: "array",
      minItems: 1,
      uniqueItems: true,
      items: { type: "integer", minimum: 0, maximum: 255 },
      examples: [[0, 1]],
    },
    stdout: {
      description: "What the output is: `text`, the value of the `json`, or a list of its `lines`. Default: text.",
      enum: ["text", "json", "lines"],
    },
  },
  examples: [{ argv: ["git", "log", "--max-count={limit}", "--", "{path}"], cwd: "context.workspace" }],
});

const commandRespondSchema: JsonObject = closed({
  description: "What the program does, for a handler that runs a command.",
  properties: {
    stdout: { description: "What it prints. Default: nothing.", type: "string" },
    stderr: { description: "What it prints as errors. Default: nothing.", type: "string" },
    exitCode: { description: "Its exit code. Default: 0.", type: "integer", minimum: 0, maximum: 255 },
  },
});

const commandRequestSchema: JsonObject = closed({
  description: "What is run, for a handler that runs a command.",
  properties: {
    argv: { description: "The program and its arguments.", type: "array", items: { type: "string" } },
    cwd: { description: "The folder.", type: "string" },
  },
});

export const commandFormats: HandlerFormats = {
  declaration: commandSchema,
  command: "argv",
  respond: commandRespondSchema,
  request: commandRequestSchema,
};
