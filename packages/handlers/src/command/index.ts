export { argument, commandHandler, type CommandSeam } from "./handler.js";
export { commandHook } from "./command-hook.js";
