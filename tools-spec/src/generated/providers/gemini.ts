// Made by hasp from the specs. Edits are lost: change the spec and run `hasp build`.

import type { GeminiTool } from "@hasp/runtime/codegen/v1";
import { gemini as askUserTool } from "../tools/ask-user.js";
import { gemini as deleteFileTool } from "../tools/delete-file.js";
import { gemini as editNotebookTool } from "../tools/edit-notebook.js";
import { gemini as executeSqlTool } from "../tools/execute-sql.js";
import { gemini as fetchUrlTool } from "../tools/fetch-url.js";
import { gemini as queryDatabaseTool } from "../tools/query-database.js";
import { gemini as readFileTool } from "../tools/read-file.js";
import { gemini as runShellTool } from "../tools/run-shell.js";
import { gemini as searchFilesTool } from "../tools/search-files.js";
import { gemini as sendMessageTool } from "../tools/send-message.js";
import { gemini as stopTaskTool } from "../tools/stop-task.js";
import { gemini as writeFileTool } from "../tools/write-file.js";

/** For `functionDeclarations` in Gemini's `config.tools`. */
export const tools: GeminiTool[] = [
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
