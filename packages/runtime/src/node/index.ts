export { asyncCallTracker } from "./async-call-tracker.js";
export { commandHook, type CommandHookOptions } from "./command-hook.js";
export { isolate } from "./isolate.js";
export type { IsolateOptions, IsolationLimits } from "./isolate-options.js";
