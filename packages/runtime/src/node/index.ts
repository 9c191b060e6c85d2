export { asyncCallTracker } from "./async-call-tracker.js";
export { commandHook, type CommandHookOptions } from "./command-hook.js";
export { fileCallStore } from "./file-call-store.js";
export { fileResultStore, type FileResultStoreOptions } from "./file-result-store.js";
export { isolate } from "./isolate.js";
export type { IsolateOptions, IsolationLimits } from "./isolate-options.js";
