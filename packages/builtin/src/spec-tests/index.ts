export { collectAnswers } from "./declared-handlers.js";
export { loadEmittedTools, type EmittedTool } from "./emitted-tools.js";
export type { FunctionAnswer, HandlerFunction, FunctionQuestion } from "./handler-function.js";
export { runPolicyTests } from "./run-policy-tests.js";
export { runSpecTests, type SpecTestOptions, type SpecTestResult } from "./run-spec-tests.js";
