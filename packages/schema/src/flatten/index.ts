export { flatten } from "./flatten.js";
export type { FlattenOptions, FlattenResult } from "./types.js";
