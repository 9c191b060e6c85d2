export { CODEGEN_ENTRIES } from "../typescript/codegen-entries.js";
export { loadPrettier } from "../typescript/format.js";
export {
  createLayout,
  handlerFile,
  importPath,
  locateHandlerFiles,
  resolveImportedPath,
} from "../typescript/layout.js";
export { type GeneratedNames, chooseGeneratedNames, mayHoldName } from "../typescript/names.js";
export { type Layout, groupSuffix } from "../typescript/layout.js";
export { takeName, typeName } from "../typescript/names.js";
export { RESERVED_WORDS } from "../model/reserved-names.js";
export { groupFile } from "../typescript/layout.js";
