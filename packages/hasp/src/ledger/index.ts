export { checkLedger } from "./check-ledger.js";
export { LEDGER_FOLDER, ledgerPath } from "./ledger-file.js";
