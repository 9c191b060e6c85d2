import { answerNow } from "../tool/callback.js";
import { messageOf } from "./text.js";
import { NotExecuted } from "./tool-result.js";

/**
 * What a function of a declaration makes of a call's input, before anything is done with it. Throws
 * {@link NotExecuted} if it fails, or returns a promise.
 */
export function beforeRunning<Value>(what: string, compute: () => Value): Value {
  try {
    return answerNow(compute()) as Value;
  } catch (error) {
    if (error instanceof NotExecuted) throw error;
    throw new NotExecuted(`${what} could not be made from the input: ${messageOf(error)}`, { cause: error });
  }
}

/** The same for a list. */
export function listBeforeRunning<Item>(what: string, compute: () => readonly Item[]): readonly Item[] {
  const list: unknown = beforeRunning(what, compute);
  if (Array.isArray(list)) return list as Item[];
  throw new NotExecuted(`${what} could not be made from the input: it must be a list`);
}
