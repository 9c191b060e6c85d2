export { handlers, mcp } from "../builtin/handlers/kinds.js";
export { handlerDiagnostics } from "../handlers/diagnostics.js";
export { isPrivateHost, listAddresses, listPrivateAddresses } from "../handlers/handler-check.js";
export { collectNeeds, findPeerPackage, listPeers } from "../handlers/connection-needs.js";
export { STYLES, TAKEN_HEADERS, findHeaderProblem, findPathProblem } from "../builtin/handlers/http/http-handler.js";
