export { createPrograms, type ProgramSettings } from "./create-programs.js";
