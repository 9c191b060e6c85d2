export { asyncCallTracker, isolate } from "./isolate.js";
export type { IsolateOptions } from "./run-in-child.js";
