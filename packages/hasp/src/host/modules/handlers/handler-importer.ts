// What the processes of `isolate` of @hasp/runtime/node import handlers with, if `hasp` has started them.
export { importModule } from "../import-module.js";
