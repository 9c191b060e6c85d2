// What the probe asks of a provider. Only the command line loads it.
export { type Endpoint, endpoints } from "./endpoints.js";
export { type DialectFact, listFacts, plainList, type ToolList } from "./facts.js";
