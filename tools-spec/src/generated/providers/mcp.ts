// Made by hasp from the specs. Edits are lost: change the spec and run `hasp build`.

import type { McpTool } from "@hasp/runtime/codegen/v1";
import { mcp as askUserTool } from "../tools/ask-user.js";
import { mcp as deleteFileTool } from "../tools/delete-file.js";
import { mcp as editNotebookTool } from "../tools/edit-notebook.js";
import { mcp as executeSqlTool } from "../tools/execute-sql.js";
import { mcp as fetchUrlTool } from "../tools/fetch-url.js";
import { mcp as queryDatabaseTool } from "../tools/query-database.js";
import { mcp as readFileTool } from "../tools/read-file.js";
import { mcp as runShellTool } from "../tools/run-shell.js";
import { mcp as searchFilesTool } from "../tools/search-files.js";
import { mcp as sendMessageTool } from "../tools/send-message.js";
import { mcp as stopTaskTool } from "../tools/stop-task.js";
import { mcp as writeFileTool } from "../tools/write-file.js";

/** For `tools` of an MCP `tools/list` result. */
export const tools: McpTool[] = [
  askUserTool(),
  deleteFileTool(),
  editNotebookTool(),
  executeSqlTool(),
  fetchUrlTool(),
  queryDatabaseTool(),
  readFileTool(),
  runShellTool(),
  searchFilesTool(),
  sendMessageTool(),
  stopTaskTool(),
  writeFileTool(),
];
