export { handlerFindings } from "../spec-tests/diagnostics.js";
export { type TestRun, runTests } from "../spec-tests/handler-functions.js";
