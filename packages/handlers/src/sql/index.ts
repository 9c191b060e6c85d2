export type { SqlClient, SqlPool } from "./clients.js";
export { sqlConnection, type SqlConnection } from "./connection.js";
export { sqlHandler } from "./handler.js";
