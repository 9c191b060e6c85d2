// Made by hasp from the specs. Edits are lost: change the spec and run `hasp build`.

import type { AnthropicTool } from "@hasp/runtime/codegen/v1";
import { anthropic as askUserTool } from "../tools/ask-user.js";
import { anthropic as deleteFileTool } from "../tools/delete-file.js";
import { anthropic as editNotebookTool } from "../tools/edit-notebook.js";
import { anthropic as executeSqlTool } from "../tools/execute-sql.js";
import { anthropic as fetchUrlTool } from "../tools/fetch-url.js";
import { anthropic as queryDatabaseTool } from "../tools/query-database.js";
import { anthropic as readFileTool } from "../tools/read-file.js";
import { anthropic as runShellTool } from "../tools/run-shell.js";
import { anthropic as searchFilesTool } from "../tools/search-files.js";
import { anthropic as sendMessageTool } from "../tools/send-message.js";
import { anthropic as stopTaskTool } from "../tools/stop-task.js";
import { anthropic as writeFileTool } from "../tools/write-file.js";

/** For `tools` of Anthropic's Messages API. */
export const tools: AnthropicTool[] = [
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
