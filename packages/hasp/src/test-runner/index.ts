export { askFunction, type Answer, type HandlerFunction, type Question } from "./handler-function.js";
export { runSpecTests, type SpecTestOptions, type SpecTestProblem, type SpecTestResult } from "./run-spec-tests.js";
