export type { SqlClient, SqlPool } from "./clients.js";
export { sqlConnection, type SqlConnection, type SqlConnectionOptions } from "./connection.js";
export { sqlHandler } from "./handler.js";
