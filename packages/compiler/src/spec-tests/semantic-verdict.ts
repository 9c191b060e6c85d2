import type { FlatTool } from "../model/tool.js";
import { holds } from "../cel/index.js";
import type { HandlerFunctions } from "./handler-function.js";

/** The outcome of a spec's checks for an input that its schema accepts. */
interface SemanticVerdict {
  /** The reason of the first check that rejects the input. */
  readonly refusal?: string;
  /** Checks that could not run, each with the reason; they might reject what is accepted so far. */
  readonly unasked: readonly string[];
  /** A check that never returned, and what it did instead. */
  readonly lapse?: string;
}

/**
 * Runs the checks in order, as the runtime does; a check that throws or is not true rejects. Runs a handler function
 * that reads the context only if there is one.
 */
export async function semanticVerdict(
  { checks }: FlatTool,
  input: unknown,
  context: object | undefined,
  functions: HandlerFunctions,
): Promise<SemanticVerdict> {
  const unasked: string[] = [];
  for (const { that, message = "" } of checks) {
    if (that.kind === "expression") {
      if (!holds(that, input)) return { refusal: message, unasked };
      continue;
    }
    const { name } = that;
    const check = functions(name);
    if (check === undefined) {
      unasked.push(`${name}, which the handler exports`);
      continue;
    }
    const answer = await check({ as: "check", input, ...(context === undefined ? {} : { context }) });
    switch (answer.kind) {
      case "wants-context":
        unasked.push(`${name}, which reads the context of the call, but there is none: ${REMEDY}`);
        break;
      case "threw":
        return { refusal: `${name} threw: ${answer.reason}`, unasked };
      case "lapsed":
        return { lapse: `${name} ${answer.reason}`, unasked };
      case "answered":
        if (!answer.isTrue) return { refusal: answer.text ?? name, unasked };
    }
  }
  return { unasked };
}

const REMEDY = 'set "context" in the test or "testContext" in the configuration';
