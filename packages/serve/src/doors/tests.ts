export { handlerFindings } from "../spec-tests/diagnostics.js";
export { loadHandlerFunctions } from "../spec-tests/handler-functions.js";
export { STATED_ANSWERS, simulateTests } from "../spec-tests/stated-answers.js";
