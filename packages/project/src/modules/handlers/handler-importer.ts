// What the processes of `isolate` of @hasp/handlers/isolation import handlers with, if `hasp` has started them.
export { importModule } from "../import-module.js";
