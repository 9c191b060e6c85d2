export { type AnswerLinkOptions, createAnswerLink, type LinkedQuestion } from "./answer-link.js";
export { createAnswerHandler, type AnswerHandlerOptions } from "./create-answer-handler.js";
