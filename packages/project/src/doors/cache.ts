export {
  type InputTracker,
  type ProjectCache,
  type TrackedInputs,
  openCache,
  trackInputs,
  verifyInputs,
} from "../cache.js";
