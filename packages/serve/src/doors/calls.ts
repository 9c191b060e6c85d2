export { type ChainFault, chainRecords, findChainFaults, selectRecords } from "../calls/audit-records.js";
export { callsDiagnostics } from "../calls/diagnostics.js";
export { listExternals, type StoredExternal } from "@hasp/stores";
export { createTurns, type Damage, withCallStore } from "../calls/open-call-store.js";
