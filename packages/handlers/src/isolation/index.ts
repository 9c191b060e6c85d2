export { asyncCallTracker } from "./async-call-tracker.js";
export { isolate } from "./isolate.js";
export type { IsolateOptions, IsolationLimits } from "./isolate-options.js";
