export * from "@hasp/compiler/plugin";
export { testDialect, type TestedTool, testEmitter, testHandlerKind, testRule } from "@hasp/project/plugin-testing";
