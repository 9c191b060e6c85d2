export { createPrograms } from "./create-programs.js";
