// Made by hasp from the specs. Edits are lost: change the spec and run `hasp build`.

import type { OpenAIResponsesTool } from "@hasp/runtime/codegen/v1";
import { openaiResponses as askUserTool } from "../tools/ask-user.js";
import { openaiResponses as deleteFileTool } from "../tools/delete-file.js";
import { openaiResponses as editNotebookTool } from "../tools/edit-notebook.js";
import { openaiResponses as executeSqlTool } from "../tools/execute-sql.js";
import { openaiResponses as fetchUrlTool } from "../tools/fetch-url.js";
import { openaiResponses as queryDatabaseTool } from "../tools/query-database.js";
import { openaiResponses as readFileTool } from "../tools/read-file.js";
import { openaiResponses as runShellTool } from "../tools/run-shell.js";
import { openaiResponses as searchFilesTool } from "../tools/search-files.js";
import { openaiResponses as sendMessageTool } from "../tools/send-message.js";
import { openaiResponses as stopTaskTool } from "../tools/stop-task.js";
import { openaiResponses as writeFileTool } from "../tools/write-file.js";

/** For `tools` of OpenAI's Responses API. */
export const tools: OpenAIResponsesTool[] = [
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
