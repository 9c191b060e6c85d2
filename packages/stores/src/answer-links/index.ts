export { createAnswerLink, type AnswerLinkOptions, type LinkedQuestion } from "./answer-link.js";
export { createAnswerHandler, type AnswerHandlerOptions } from "./create-answer-handler.js";
export type { AnswerSecret } from "./answer-link.js";
