import type { AskUserHandler } from "../generated/tools/ask-user.js";

/** Asks the user one question and waits for the answer. */
export const execute: AskUserHandler["execute"] = async ({ question, choices }, { context, signal }) => ({
  answer: await context.askUser(question, choices, signal),
});
