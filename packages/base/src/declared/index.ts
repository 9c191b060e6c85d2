export { readCommandLine, readProgramName } from "./command-line.js";
export { readTarget, readText, replacesMethod } from "./http.js";
export { isAddress, isPublicAddress } from "./public-address.js";
