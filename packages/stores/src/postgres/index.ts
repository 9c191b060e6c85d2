export { postgresCallStore } from "./postgres-call-store.js";
export { postgresGate } from "./postgres-gate.js";
export {
  postgresResultStore,
  type PostgresResultStore,
  type PostgresResultStoreOptions,
} from "./postgres-result-store.js";
