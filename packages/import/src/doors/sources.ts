export { readDatabase } from "../sources/read-database.js";
export { readSchemaModule, readSourceFile } from "../sources/read-file.js";
export { readOpenapi } from "../sources/read-openapi.js";
export { splitCommand } from "../sources/split-command.js";
