export { type ListCost, compareCosts } from "../diff/compare-lists.js";
export {
  type DiffFinding,
  type DiffList,
  diffDiagnostics,
  findLevelName,
  findList,
  isUnproved,
} from "../diff/diagnostics.js";
export { compareVersions } from "../diff/compare-versions.js";
export { type Version, compileVersion } from "../diff/version.js";
export { findObstacles } from "../model/inclusion/find-obstacles.js";
