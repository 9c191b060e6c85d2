export { answerQuestions } from "../modules/emitted/answer-questions.js";
export { buildLockPath } from "../output/build-lock.js";
export { SMALLEST_TYPESCRIPT } from "../output/check-typescript.js";
export { digestModules } from "../read/digest-modules.js";
