export { emitFiles } from "../context.testing.js";
export type { PreparedBuild } from "../emitters/prepare.js";
export type { EmittedTool } from "../spec-tests/emitted-tools.js";
export type { SpecTestOptions } from "../spec-tests/run-spec-tests.js";
export { parseModules } from "../typescript/parser.js";
export { type Expectation, listExpectations } from "../verify/expected-build.js";
export { type BuildToVerify, verifyData, verifyModules } from "../verify/verify-build.js";
