// Exports for the packages of hasp, beside the public entries.
export { isLinearNatively } from "./patterns/pattern-inclusion.js";
export { localizeReferences } from "./resolve/local-references.js";
export { createFaultFinder, type Fault } from "./validate/find-faults.js";
export { fitNames } from "./lower/request/wire-names.js";
export { freeShapes } from "./dialects/definition/define-dialect.js";
export { wholeVocabulary } from "./dialects/definition/keyword-table.js";
