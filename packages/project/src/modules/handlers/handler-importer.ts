// Imports handlers in the processes of `isolate` of @hasp/handlers/isolation that `hasp` has started.
export { importModule } from "../import-module.js";
