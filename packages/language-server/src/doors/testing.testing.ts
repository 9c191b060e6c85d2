export { features } from "../server/features.js";
export { resolveTarget } from "../symbols.js";
