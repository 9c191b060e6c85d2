export { addExports } from "../typescript/add-exports.js";
export { readImports, typeMembers } from "../typescript/parser.js";
export { parseModules } from "../typescript/parser.js";
