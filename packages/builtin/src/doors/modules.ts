export { addExports } from "../typescript/add-exports.js";
export { parseModules, readImports, typeMembers } from "../typescript/parser.js";
