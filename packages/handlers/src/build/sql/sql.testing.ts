export { findSqlEffects } from "./effects.js";
export { parseNamedStatement } from "./named-statement.js";
export { loadSqlParser } from "./parser.js";
export { POSTGRES_CATALOG } from "./postgres-catalog.js";
export { READING_STATEMENTS, WRITING_STATEMENTS } from "./statement.testing.js";
