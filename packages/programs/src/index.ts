export { createPrograms, type ProgramSettings } from "./create-programs.js";
export type { ProgramLimits } from "./sandbox-messages.js";
