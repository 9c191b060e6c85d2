export { handlerDiagnostics } from "../builtin/handlers/base/diagnostics.js";
export { isPrivateHost, listAddresses, listPrivateAddresses } from "../builtin/handlers/base/handler-check.js";
export { collectNeeds, findPeerPackage, listPeers } from "../builtin/handlers/connection-needs.js";
export { STYLES, TAKEN_HEADERS, findHeaderProblem, findPathProblem } from "../builtin/handlers/http/http-handler.js";
