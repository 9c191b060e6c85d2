export { mcp } from "./mcp-kind.js";
