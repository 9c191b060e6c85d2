export { fileCallStore } from "./file-call-store.js";
export { fileResultStore, type FileResultStoreOptions } from "./file-result-store.js";
