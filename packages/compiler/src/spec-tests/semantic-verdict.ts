import type { FlatTool } from "../model/tool.js";
import { holds } from "../cel/index.js";
import type { HandlerFunctions } from "./handler-function.js";

interface SemanticVerdict {
  readonly refusal?: string;
  /** Checks that could not run, with reasons. */
  readonly unasked: readonly string[];
  /** The check that never returned, and its fate. */
  readonly lapse?: string;
}

/** Runs checks in order, as the runtime does. Skips functions that read a missing context. */
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
