// Runs in a separate process: generated code is not trusted before it is verified.
import type { BuildQuestions } from "@hasp/compiler/verify";
import { answerQuestions } from "./answer-questions.js";

process.once("message", (questions: BuildQuestions) => {
  process.send?.(answerQuestions(questions), () => process.exit(0));
});
// The parent is gone, so nobody waits for an answer.
process.once("disconnect", () => process.exit());
