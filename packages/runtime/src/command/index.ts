export { argument } from "./argument.js";
export { commandHandler, type CommandDeclaration, type CommandSeam } from "./handler.js";
export type { CommandEnd } from "./run-command.js";
