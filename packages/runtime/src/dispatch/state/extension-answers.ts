import type { Outcome } from "../../results/outcome.js";
import { messageOf } from "../../results/text.js";
import { readProperty } from "../../tool/callback.js";
import type { OfferedTool } from "./engine.js";

/** The failure of an extension at one of its doors. It refuses a call, or withholds its result. */
export class ExtensionFailure extends Error {
  readonly code = "extension-failed";
  readonly extension: string;
  readonly reason: string;

  constructor(extension: string, door: string, thrown: unknown) {
    const reason = `\`${door}\`: ${messageOf(thrown).replace(/\.$/u, "")}`;
    super(`The extension "${extension}" failed at ${reason}`);
    this.extension = extension;
    this.reason = reason;
  }

  /** True for failures of other copies of the package, too. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return readProperty(value, "code") === "extension-failed";
  }
}

/** Ends a call in a run that must not execute it. */
export class Departed {
  readonly code = "departed";
}

export function readOffered(answer: unknown): readonly OfferedTool[] {
  const isTool = (each: unknown): boolean =>
    typeof Object((Object(each) as Partial<OfferedTool>).tool).validateInput === "function";
  if (!Array.isArray(answer) || !answer.every(isTool)) throw new TypeError("it must answer a list of tools");
  return answer as readonly OfferedTool[];
}

export function readObject(value: unknown): object {
  if (typeof value !== "object" || value === null) throw new TypeError("it must answer an object");
  return value;
}

export function readText(value: unknown): string {
  if (typeof value === "string" && value !== "") return value;
  throw new TypeError("each of its names and texts must be a string, and not empty");
}

export function readOutcome(answer: unknown): Outcome {
  const { content, isError } = readObject(answer) as Partial<Outcome>;
  if (!Array.isArray(content) || typeof isError !== "boolean") throw new TypeError("it must answer an outcome");
  return answer as Outcome;
}
