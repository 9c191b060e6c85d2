export type { DriverResult, PooledSqlClient, SqlClient, SqlPool } from "./clients.js";
export { sqlConnection, type SqlConnection, type SqlConnectionOptions, type SqlRunOptions } from "./connection.js";
export { sqlHandler, type SqlDeclaration } from "./handler.js";
export type { SqlAnswer, SqlRow, Statement } from "./statement.js";
