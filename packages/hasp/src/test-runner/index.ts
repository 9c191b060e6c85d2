export { runSpecTests, type SpecTestOptions, type SpecTestProblem, type SpecTestResult } from "./run-spec-tests.js";
