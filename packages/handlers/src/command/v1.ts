export { argument, commandHandler } from "./handler.js";
