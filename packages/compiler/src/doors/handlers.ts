export { handlers, mcp } from "../builtin/handlers/kinds.js";
export { handlerDiagnostics } from "../handlers/diagnostics.js";
export { expectPluginSettings } from "../handlers/kinds.js";
export { isPrivateHost, listAddresses, listPrivateAddresses } from "../handlers/addresses.js";
export { collectNeeds, findPeerPackage, listPeers } from "../handlers/connection-needs.js";
export { STYLES, TAKEN_HEADERS, findHeaderProblem, findPathProblem } from "../builtin/handlers/http/http-handler.js";
export { HTTP_CLIENTS } from "../builtin/handlers/command/http-clients.js";
export { KNOWN_PROGRAMS } from "../builtin/handlers/command/known-programs.js";
export { INTERPRETERS } from "../builtin/handlers/command/program-text.js";
