export { argument, commandHandler, type CommandSeam } from "./handler.js";
export { commandHook, type CommandHookOptions } from "./command-hook.js";
