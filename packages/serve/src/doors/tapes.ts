export { findOutdatedTapes, openTape } from "../calls/tapes.js";
