export { testDialect, testEmitter, testHandlerKind, testRule } from "../plugins/plugin-testing.js";
