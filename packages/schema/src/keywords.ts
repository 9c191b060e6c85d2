// The parts that a dispatcher needs of this package: it validates nothing itself.

export { findNearestName } from "@hasp/base/diagnostics";
export { findValueAt, followReference, inexactInteger } from "@hasp/base/json";
export { CACHE_MARK, keepLastMark } from "./vocabulary/cache-mark.js";
export { TEXT_MEMBER } from "./vocabulary/free-text.js";
