export type { SqlClient } from "./clients.js";
export { sqlConnection, type SqlConnection, type SqlConnectionOptions } from "./connection.js";
export { sqlHandler } from "./handler.js";
