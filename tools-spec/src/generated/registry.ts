// Made by hasp from the specs. Edits are lost: change the spec and run `hasp build`.

import {
  bindTool,
  createRegistry,
  type Registry,
} from "@hasp/runtime/codegen/v1";
import * as askUserHandler from "../tools/ask-user.js";
import * as deleteFileHandler from "../tools/delete-file.js";
import * as editNotebookHandler from "../tools/edit-notebook.js";
import * as executeSqlHandler from "../tools/execute-sql.js";
import * as fetchUrlHandler from "../tools/fetch-url.js";
import * as queryDatabaseHandler from "../tools/query-database.js";
import * as readFileHandler from "../tools/read-file.js";
import * as runShellHandler from "../tools/run-shell.js";
import * as searchFilesHandler from "../tools/search-files.js";
import * as sendMessageHandler from "../tools/send-message.js";
import * as stopTaskHandler from "../tools/stop-task.js";
import * as writeFileHandler from "../tools/write-file.js";
import { askUserSpec, type AskUserTypes } from "./tools/ask-user.js";
import { deleteFileSpec, type DeleteFileTypes } from "./tools/delete-file.js";
import {
  editNotebookSpec,
  type EditNotebookTypes,
} from "./tools/edit-notebook.js";
import { executeSqlSpec, type ExecuteSqlTypes } from "./tools/execute-sql.js";
import { fetchUrlSpec, type FetchUrlTypes } from "./tools/fetch-url.js";
import {
  queryDatabaseSpec,
  type QueryDatabaseTypes,
} from "./tools/query-database.js";
import { readFileSpec, type ReadFileTypes } from "./tools/read-file.js";
import { runShellSpec, type RunShellTypes } from "./tools/run-shell.js";
import {
  searchFilesSpec,
  type SearchFilesTypes,
} from "./tools/search-files.js";
import {
  sendMessageSpec,
  type SendMessageTypes,
} from "./tools/send-message.js";
import { stopTaskSpec, type StopTaskTypes } from "./tools/stop-task.js";
import { writeFileSpec, type WriteFileTypes } from "./tools/write-file.js";

/** Every tool of this project by name, with its types. */
export interface Tools {
  readonly ask_user: AskUserTypes;
  readonly delete_file: DeleteFileTypes;
  readonly edit_notebook: EditNotebookTypes;
  readonly execute_sql: ExecuteSqlTypes;
  readonly fetch_url: FetchUrlTypes;
  readonly query_database: QueryDatabaseTypes;
  readonly read_file: ReadFileTypes;
  readonly run_shell: RunShellTypes;
  readonly search_files: SearchFilesTypes;
  readonly send_message: SendMessageTypes;
  readonly stop_task: StopTaskTypes;
  readonly write_file: WriteFileTypes;
}

/** The name of a tool. */
export type ToolName = keyof Tools;

/** The project's tools, each with its handler. */
export const registry: Registry<Tools> = createRegistry<Tools>(
  {
    ask_user: bindTool(askUserSpec, askUserHandler),
    delete_file: bindTool(deleteFileSpec, deleteFileHandler),
    edit_notebook: bindTool(editNotebookSpec, editNotebookHandler),
    execute_sql: bindTool(executeSqlSpec, executeSqlHandler),
    fetch_url: bindTool(fetchUrlSpec, fetchUrlHandler),
    query_database: bindTool(queryDatabaseSpec, queryDatabaseHandler),
    read_file: bindTool(readFileSpec, readFileHandler),
    run_shell: bindTool(runShellSpec, runShellHandler),
    search_files: bindTool(searchFilesSpec, searchFilesHandler),
    send_message: bindTool(sendMessageSpec, sendMessageHandler),
    stop_task: bindTool(stopTaskSpec, stopTaskHandler),
    write_file: bindTool(writeFileSpec, writeFileHandler),
  },
  { unlocked: false },
);
