export { argument } from "./handler.js";
export { commandHook, type CommandHookOptions } from "./command-hook.js";
export { commandHandler, type CommandDeclaration, type CommandSeam } from "./handler.js";
export type { CommandEnd } from "./run-command.js";
