export { closeSchema } from "./close-schema.js";
export type { CloseOptions, CloseResult } from "./close-schema.js";
