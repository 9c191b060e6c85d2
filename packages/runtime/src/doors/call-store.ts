export { DamagedStore, TurnConflict, UnknownTurn } from "../calls/call-store.js";
export type * from "../calls/call-store.js";
export type * from "../extensions/durable/turns.js";
