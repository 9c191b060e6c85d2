// Made by hasp from the specs. Edits are lost: change the spec and run `hasp build`.

import type { GeminiJsonSchemaTool } from "@hasp/runtime/codegen/v1";
import { geminiJsonSchema as askUserTool } from "../tools/ask-user.js";
import { geminiJsonSchema as deleteFileTool } from "../tools/delete-file.js";
import { geminiJsonSchema as editNotebookTool } from "../tools/edit-notebook.js";
import { geminiJsonSchema as executeSqlTool } from "../tools/execute-sql.js";
import { geminiJsonSchema as fetchUrlTool } from "../tools/fetch-url.js";
import { geminiJsonSchema as queryDatabaseTool } from "../tools/query-database.js";
import { geminiJsonSchema as readFileTool } from "../tools/read-file.js";
import { geminiJsonSchema as runShellTool } from "../tools/run-shell.js";
import { geminiJsonSchema as searchFilesTool } from "../tools/search-files.js";
import { geminiJsonSchema as sendMessageTool } from "../tools/send-message.js";
import { geminiJsonSchema as stopTaskTool } from "../tools/stop-task.js";
import { geminiJsonSchema as writeFileTool } from "../tools/write-file.js";

/** For `functionDeclarations` in Gemini's `config.tools`. */
export const tools: GeminiJsonSchemaTool[] = [
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
