export { callStoreConformance, type ConformanceCase } from "./call-store-conformance.js";
export {
  dispatcherConformance,
  type ConformanceTurn,
  type DispatcherAdapter,
  type DispatcherCase,
} from "./dispatcher-conformance.js";
export { recordTape } from "./record-tape.js";
export { findOutdatedTools, replayTape } from "./replay-tape.js";
export { tapeSchema } from "./tape-file.js";
export { simulate } from "./simulate.js";
