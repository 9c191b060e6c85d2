export { dbosTurns, type DbosDispatcherOptions, type DbosTurns, type DbosTurnsOptions } from "./dbos-turns.js";
