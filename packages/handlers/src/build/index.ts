export { HTTP_CLIENTS } from "./command/http-clients.js";
export { KNOWN_PROGRAMS } from "./command/known-programs.js";
export { INTERPRETERS } from "./command/program-text.js";
export { STYLES, TAKEN_HEADERS, findHeaderProblem, findPathProblem } from "./http/http-handler.js";
export { HTTP_METHODS, HTTP_STYLES, MEDIA_TYPE } from "./http/http-schema.js";
export { handlers } from "./kinds.js";
