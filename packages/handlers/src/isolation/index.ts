export { asyncCallTracker, isolate } from "./isolate.js";
export type { IsolateOptions, IsolationLimits } from "./run-in-child.js";
