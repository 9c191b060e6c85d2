export { postgresCallStore } from "./postgres-call-store.js";
export { postgresGate, type PostgresConnections } from "./postgres-gate.js";
export type { PostgresPool } from "./postgres-pool.js";
export {
  postgresResultStore,
  type PostgresResultStore,
  type PostgresResultStoreOptions,
} from "./postgres-result-store.js";
