import { readProperty } from "../../tool/callback.js";
import type { AnswerOutcome, StoredAnswer, StoredTurns } from "./turns.js";

/** Answers a stored question for somebody who cannot be told of a fault: an answer that does not fit refuses the call. */
export async function answerOrRefuse(
  { answer }: Pick<StoredTurns, "answer">,
  questionId: string,
  given: StoredAnswer,
): Promise<AnswerOutcome> {
  try {
    return await answer(questionId, given);
  } catch (error) {
    // Any other `TypeError` is a fault of the store.
    if (!(error instanceof TypeError) || readProperty(error, "code") !== "invalid-answer") throw error;
    return answer(questionId, { decision: "deny", reason: error.message, by: given.by });
  }
}
