export { type RevisionMode, connectAnyRevision } from "../mcp-client.js";
