export { CODEGEN_ENTRIES } from "../typescript/codegen-entries.js";
export { loadPrettier } from "../typescript/format.js";
export {
  createLayout,
  handlerFile,
  importPath,
  locateHandlerFiles,
  resolveImportedPath,
  type Layout,
  groupSuffix,
  groupFile,
} from "../typescript/layout.js";
export { type GeneratedNames, chooseGeneratedNames, mayHoldName, takeName, typeName } from "../typescript/names.js";
export { RESERVED_WORDS } from "../model/reserved-names.js";
