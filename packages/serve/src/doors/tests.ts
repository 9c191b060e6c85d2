export { handlerFindings } from "../spec-tests/diagnostics.js";
export { loadHandlerFunctions } from "../spec-tests/handler-functions.js";
export { simulateTests } from "../spec-tests/simulate-tests.js";
export { STATED_ANSWERS } from "../spec-tests/stated-answers.js";
