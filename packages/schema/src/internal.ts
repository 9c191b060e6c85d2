// What hasp itself needs beside the public entries.
export { localizeReferences } from "./resolve/local-references.js";
export { findDefaultFaults } from "./validate/default-faults.js";
