// Proves that the table of a plugin's dialect loses nothing: no other program loads that.
export { SAMPLED_KEYWORDS, findDialectFaults } from "./lower/prove-dialect.js";
