import { messageOf } from "./text.js";
import { NotExecuted } from "./tool-result.js";
import { answerNow } from "../tool/callback.js";

/** Computes part of a declared call before anything runs. Throws {@link NotExecuted} if that fails. */
export function computeBeforeRunning<Value>(what: string, compute: () => Value): Value {
  try {
    return answerNow(compute()) as Value;
  } catch (error) {
    if (error instanceof NotExecuted) throw error;
    throw new NotExecuted(`${what} could not be made from the input: ${messageOf(error)}`, { cause: error });
  }
}

export function listBeforeRunning<Item>(what: string, compute: () => readonly Item[]): readonly Item[] {
  const list: unknown = computeBeforeRunning(what, compute);
  if (Array.isArray(list)) return list as Item[];
  throw new NotExecuted(`${what} could not be made from the input: it must be a list`);
}
