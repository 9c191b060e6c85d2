export { expectPluginSettings } from "../plugin-kind.js";
export { collectAnswers, runHandler } from "../spec-tests/declared-handlers.js";
export { loadEmittedTools, type EmittedTool } from "../spec-tests/emitted-tools.js";
export {
  type FunctionAnswer,
  type FunctionQuestion,
  type HandlerFunction,
  askFunction,
} from "../spec-tests/handler-function.js";
export { runPolicyTests } from "../spec-tests/run-policy-tests.js";
export { type SpecTestOptions, type SpecTestResult, runSpecTests } from "../spec-tests/run-spec-tests.js";
