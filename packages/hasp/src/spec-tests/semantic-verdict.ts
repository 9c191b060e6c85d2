import type { FlatTool } from "../model/tool.js";
import { holds } from "../cel/index.js";
import type { HandlerFunctions } from "./handler-function.js";

/** What the checks of a spec say of an input that its schema accepts. */
export interface SemanticVerdict {
  /** Why the first check that refuses does so. */
  readonly refusal?: string;
  /** Checks that could not be asked, each with the reason; they might refuse what is accepted so far. */
  readonly unasked: readonly string[];
  /** A check that never answered, and what it did instead. */
  readonly lapse?: string;
}

/**
 * Asks the checks in order, as the runtime does; one that is not true or throws refuses. A function of the handler that
 * looks at the context of a call is asked only where there is one.
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
      unasked.push(`${name}, which the handler brings`);
      continue;
    }
    const answer = await check({ as: "check", input, ...(context === undefined ? {} : { context }) });
    switch (answer.kind) {
      case "wants-context":
        unasked.push(`${name}, which reads the context of the call, and there is none: ${REMEDY}`);
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

const REMEDY = 'give the test a "context", or the configuration a "testContext"';
