export { dbosTurns, type DbosTurns, type DbosTurnsOptions } from "./dbos-turns.js";
