export { postgresCallStore, type PostgresPool } from "./postgres-call-store.js";
