export { emittedTools, type EmittedTool, type RunModules } from "./emitted-tools.js";
export type { Answer, HandlerFunction, Question } from "./handler-function.js";
export { runPolicyTests } from "./run-policy-tests.js";
export { runSpecTests, type SpecTestOptions, type SpecTestProblem, type SpecTestResult } from "./run-spec-tests.js";
