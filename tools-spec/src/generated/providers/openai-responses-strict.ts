// Made by hasp from the specs. Edits are lost: change the spec and run `hasp build`.

import type { OpenAIResponsesTool } from "@hasp/runtime/codegen/v1";
import { openaiResponsesStrict as askUserTool } from "../tools/ask-user.js";
import { openaiResponsesStrict as deleteFileTool } from "../tools/delete-file.js";
import { openaiResponsesStrict as editNotebookTool } from "../tools/edit-notebook.js";
import { openaiResponsesStrict as executeSqlTool } from "../tools/execute-sql.js";
import { openaiResponsesStrict as fetchUrlTool } from "../tools/fetch-url.js";
import { openaiResponsesStrict as queryDatabaseTool } from "../tools/query-database.js";
import { openaiResponsesStrict as readFileTool } from "../tools/read-file.js";
import { openaiResponsesStrict as runShellTool } from "../tools/run-shell.js";
import { openaiResponsesStrict as searchFilesTool } from "../tools/search-files.js";
import { openaiResponsesStrict as sendMessageTool } from "../tools/send-message.js";
import { openaiResponsesStrict as stopTaskTool } from "../tools/stop-task.js";
import { openaiResponsesStrict as writeFileTool } from "../tools/write-file.js";

/** For `tools` of OpenAI's Responses API, in strict mode. */
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
