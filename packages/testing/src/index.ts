export { callStoreConformance, type ConformanceCase } from "./call-store-conformance.js";
export {
  dispatcherConformance,
  type ConformanceTurn,
  type DispatcherAdapter,
  type DispatcherCase,
} from "./dispatcher-conformance.js";
export { recordTape, type RecordTapeOptions } from "./record-tape.js";
export { findOutdatedTools, replayTape, type ReplayTapeOptions } from "./replay-tape.js";
export { tapeSchema } from "./tape-file.js";
export { simulate, type SimulateOptions } from "./simulate.js";
