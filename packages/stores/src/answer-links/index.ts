export { type AnswerLinkOptions, createAnswerLink } from "./answer-link.js";
export { createAnswerHandler, type AnswerHandlerOptions } from "./create-answer-handler.js";
