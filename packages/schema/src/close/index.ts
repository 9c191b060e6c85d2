export { closeSchema } from "./close-schema.js";
export type { CloseOptions, CloseResult } from "./close-schema.js";
export { findOpenLocations } from "./open-locations.js";
export type { OpenLocation } from "./open-locations.js";
