export { asyncCallTracker, isolate } from "./isolate.js";
