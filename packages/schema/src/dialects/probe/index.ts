// The facts that `hasp probe` checks, and the requests that check them. Only the command line loads this module.
export { type Endpoint, endpoints } from "./endpoints.js";
export { type DialectFact, listFacts, plainList, type ToolList } from "./facts.js";
