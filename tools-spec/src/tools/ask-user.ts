import type { AskUserHandler } from "../generated/tools/ask-user.js";

/** Puts one question to the user and waits for the answer. */
export const execute: AskUserHandler["execute"] = async ({ question, choices }, { context, signal }) => ({
  answer: await context.askUser(question, choices, signal),
});
