import { thrownText } from "../diagnostics/thrown-text.js";
import type { FlatTool } from "../model/tool.js";
import { holds } from "../predicates/index.js";
import type { CustomFunctions } from "./classify.js";

/** What the checks of a spec say of an input that its schema accepts. */
export interface SemanticVerdict {
  /** Why the first check that refuses does so. */
  readonly refusal?: string;
  /** Checks that could not be asked, each with the reason; they might refuse what is accepted so far. */
  readonly unasked: readonly string[];
}

/** So long a check may think. */
const SECONDS_TO_ANSWER = 10;

/**
 * Asks the checks in order, as the runtime does; one that is not true, throws or never answers refuses. A function of the
 * handler that looks at the context of a call is asked only where the test brings one.
 */
export async function semanticVerdict({ checks }: FlatTool, input: unknown, context: object | undefined, custom: CustomFunctions): Promise<SemanticVerdict> {
  const unasked: string[] = [];
  for (const { that, message = "" } of checks) {
    if (that.kind === "expression") {
      if (!holds(that, input)) return { refusal: message, unasked };
      continue;
    }
    const check = custom(that.name);
    if (check === undefined) {
      unasked.push(`${that.name}, which the handler brings`);
      continue;
    }
    const call = callOf(context);
    const answer = await answerOf(() => check(input, call.parameters), that.name);
    if (call.wantedContext()) unasked.push(`${that.name}, which reads the context of the call, and there is none: give the test a "context", or the configuration a "testContext"`);
    else if (answer !== true) return { refusal: typeof answer === "string" ? answer : that.name, unasked };
  }
  return { unasked };
}

/** What a check is given beside the input. Without a context, to look for one is noticed and refused. */
function callOf(context: object | undefined): { readonly parameters: object; wantedContext(): boolean } {
  let isWanted = false;
  const { signal } = new AbortController();
  if (context !== undefined) return { parameters: { context, signal }, wantedContext: () => false };
  const parameters = {
    signal,
    get context(): never {
      isWanted = true;
      throw new Error("this test brings no context");
    },
  };
  return { parameters, wantedContext: () => isWanted };
}

/** `true`, or why not. */
async function answerOf(ask: () => unknown, name: string): Promise<unknown> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const limit = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve(`${name} did not answer within ${SECONDS_TO_ANSWER} seconds`), SECONDS_TO_ANSWER * 1000);
  });
  try {
    return await Promise.race([ask(), limit]);
  } catch (error) {
    return `${name} threw: ${thrownText(error)}`;
  } finally {
    clearTimeout(timer);
  }
}
