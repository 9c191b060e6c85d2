// Exports for the packages of hasp, beside the public entries.
export { localizeReferences } from "./resolve/local-references.js";
export { findDefaultFaults } from "./validate/default-faults.js";
