export { fileCallStore } from "./file-call-store.js";
export { fileResultStore } from "./file-result-store.js";
