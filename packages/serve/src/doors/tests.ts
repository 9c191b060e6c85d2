export { handlerFindings } from "../spec-tests/diagnostics.js";
export { type TestRun, runTests } from "../spec-tests/handler-functions.js";
export { simulateTests } from "../spec-tests/stated-answers.js";
