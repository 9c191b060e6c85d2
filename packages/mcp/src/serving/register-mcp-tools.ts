import { isObject, dropUndefined } from "@hasp/base/json";
import type { JsonObject, JsonValue } from "@hasp/schema";
import type { CallProgress, Dispatcher, DispatcherExtension } from "@hasp/runtime";
import type { StoredTurns } from "@hasp/runtime/call-store";
import { cut, plainText } from "@hasp/runtime/internal";
import { loadOnce, guard } from "@hasp/runtime/contract";
import type { ElicitingServer } from "../questions/ask-client.js";
import type { McpQuestions } from "../questions/mcp-questions.js";
import {
  createLiveMcpCalls,
  type AnsweredCall,
  type CallOrigin,
  type McpCall,
  type McpCalls,
  withStoreFailures,
} from "./mcp-calls.js";
import { findWrongHeader, HEADER_MISMATCH } from "./param-headers.js";
import {
  type FindStoredTask,
  type McpTasks,
  TASK_METHODS,
  type TaskAnswer,
  type TaskCall,
  type TaskRun,
  TASKS_EXTENSION,
  takesTasks,
} from "./mcp-tasks.js";
import { readRequest, type McpRequestExtra, type ServerRequest } from "../questions/server-request.js";
import { INVALID_PARAMS, RequestError, toCallToolResult } from "./call-messages.js";
import type { AnswerLink } from "./stored-mcp-calls.js";
import { toListed, createToolLists } from "./tool-lists.js";

/** The used methods of an MCP server: `Server` of the official packages, or the `server` of their `McpServer`. */
export interface McpServerConnection {
  registerCapabilities(capabilities: { tools: { listChanged: true }; extensions?: typeof TASKS_EXTENSION }): void;
  assertCanSetRequestHandler(method: string): void;
  /** Receives the requests that have no other handler. */
  fallbackRequestHandler?: ((request: never, extra: never) => Promise<unknown>) | undefined;
  /** Needed for tasks: the package refuses requests about them that have no handler of their own. */
  setRequestHandler?(method: never, schemas: never, handler: never): void;
  sendToolListChanged(): Promise<void>;
}

export interface RegisterMcpToolsOptions<Context> {
  /** The list that clients see. Default `mcp`. */
  readonly dialect?: "mcp" | "mcp-2025-11-25" | undefined;
  readonly context?: Context | undefined;
  /** Asks the person at the client; its `ask` must be that of the dispatcher's permissions. */
  readonly questions?: McpQuestions | undefined;
  /** Turns long calls into tasks, for clients with that extension. Default: calls are answered when they have ended. */
  readonly tasks?: McpTasks | undefined;
  /** Links to the place where a person answers if the client cannot ask. Default: the command `hasp calls answer`. */
  readonly answerLink?: AnswerLink | undefined;
  /**
   * The dispatcher's extension of `durableCalls`: answers and tasks then outlive this process, and a client's repetition
   * runs once.
   */
  readonly durable?: DispatcherExtension<StoredTurns<NoInfer<Context>>> | undefined;
  /** Receives failures of the call store, whose details clients are not told. */
  readonly onProblem?: ((error: Error) => void) | undefined;
  /** The conversation whose labels the calls read and add to. Default: the principal's, else the dispatcher's. */
  readonly conversation?: string | undefined;
  /** Limits one answer to `tools/list`; clients ask for the rest with a cursor. Default: no limit. */
  readonly pageSize?: number | undefined;
}

const METHOD_NOT_FOUND = -32601;

/**
 * Serves the dispatcher's tools. Call it before the server is connected. It uses the server's fallback handler, since
 * handlers of the official packages require schemas of a library that this package does not depend on; an existing
 * fallback keeps all other methods. Throws if the server already has tools, and makes an `McpServer` throw if it is
 * given tools later.
 */
export function registerMcpTools<Context = unknown>(
  server: McpServerConnection,
  dispatcher: Dispatcher<Context>,
  {
    dialect = "mcp",
    context,
    questions,
    tasks,
    answerLink,
    durable,
    onProblem,
    conversation,
    pageSize,
  }: RegisterMcpToolsOptions<Context> = {},
): void {
  server.assertCanSetRequestHandler("tools/list");
  server.assertCanSetRequestHandler("tools/call");
  server.registerCapabilities({
    tools: { listChanged: true },
    ...(tasks && { extensions: TASKS_EXTENSION }),
  });
  keepForUs(server);
  const inherited = server.fallbackRequestHandler;
  // A server cannot wait for somebody who executes a call elsewhere.
  const isOffered = (entry: JsonObject): boolean => !dispatcher.isAwaited(entry);
  const lists = createToolLists({ definitions: () => dispatcher.definitions(dialect), isOffered }, pageSize);
  const eliciting = server as unknown as ElicitingServer;
  const turns = durable && dispatcher.use(durable);
  const calls =
    turns === undefined
      ? createLiveMcpCalls(dispatcher, questions)
      : withStoreFailures(
          callsOnUse(async () => {
            const { createStoredMcpCalls } = await import("./stored-mcp-calls.js");
            return createStoredMcpCalls(turns, questions, answerLink, dispatcher.preview);
          }),
          guard(onProblem),
        );
  let listed: readonly JsonObject[] | undefined;
  /** Returns the list for this server's own use: its client keeps to the one that it has read. */
  const current = (): readonly JsonObject[] => dispatcher.definitions(dialect, { isShown: false });

  async function call(params: JsonObject, extra: McpRequestExtra): Promise<object> {
    const { name, arguments: input } = params;
    if (typeof name !== "string") throw new RequestError(INVALID_PARAMS, "`name` must be the name of a tool.");
    if (input !== undefined && !isObject(input)) {
      throw new RequestError(INVALID_PARAMS, "`arguments` must be an object.");
    }
    const clientRequest = readRequest(extra);
    const called = { name, input: input ?? {}, dialect };
    let wrongHeader: string | undefined;
    const refuse: McpCall["options"]["refuse"] = ({ toolName, input: running }) => {
      const definition = current().find((each) => each["name"] === toolName);
      return (wrongHeader = findWrongHeader(definition, clientRequest, running, input));
    };
    const run = (request: ServerRequest, task?: TaskRun): ReturnType<TaskCall> => {
      const asked: McpCall = { call: called, options: { ...optionsOf(request), refuse } };
      return answerTo(request, calls.run(asked, { request, server: eliciting, task }));
    };
    const answer =
      tasks !== undefined && takesTasks(clientRequest)
        ? await tasks.run(clientRequest, (task, answered) => run(requestOfTask(clientRequest, task, answered), task))
        : (await run(clientRequest)).result;
    if (wrongHeader !== undefined) throw new RequestError(HEADER_MISMATCH, wrongHeader);
    return answer;
  }

  const findStored =
    (request: ServerRequest): FindStoredTask =>
    async (taskId, principal) => {
      const found = await calls.findTask?.(taskId, principal);
      if (found === undefined) return undefined;
      return {
        createdAt: found.createdAt,
        call: (taskRun, answered) => {
          const ofTask = requestOfTask({ ...request, inputResponses: undefined }, taskRun, answered);
          const origin: CallOrigin = { request: ofTask, server: eliciting, task: taskRun };
          return answerTo(ofTask, found.run(optionsOf(ofTask), origin));
        },
      };
    };

  function optionsOf({ signal, progressToken, notify, trace, principal }: ServerRequest): McpCall["options"] {
    const report = progressToken === undefined ? undefined : createProgressReporter(progressToken, notify);
    const onProgress = report === undefined ? undefined : (progress: CallProgress): void => report(progress);
    return { signal, context, onProgress, trace, principal, conversation: conversation ?? principal };
  }

  /** Creates the outcome of `tools/call`. Tells the client if its call has changed the list. */
  async function answerTo({ isModern }: ServerRequest, pending: Promise<AnsweredCall>): ReturnType<TaskCall> {
    const known = listed ?? current();
    const answered = await pending;
    if ("question" in answered) return answered.question;
    const { result } = answered;
    const definitions = current();
    if (definitions !== known) {
      listed = undefined;
      void server.sendToolListChanged().catch(() => undefined);
    }
    // Over HTTP there is a server for each request, which must not create the whole list to answer a call.
    const definition = definitions.find(({ name: each }) => each === result.toolName);
    const promised =
      definition !== undefined && Object.hasOwn(toListed(definition, { takesAnyOutput: isModern }), "outputSchema");
    return { result: toCallToolResult(result, { promised, takesAnyOutput: isModern }) };
  }

  const handler = async (
    request: { readonly method: string; readonly params?: JsonObject },
    extra: McpRequestExtra,
  ): Promise<unknown> => {
    const params: JsonValue = request.params ?? {};
    if (request.method === "tools/list") {
      const { isModern } = readRequest(extra);
      const page = lists.page(params, { takesAnyOutput: isModern });
      listed = dispatcher.definitions(dialect);
      return page;
    }
    if (request.method === "tools/call") return call(params, extra);
    if (inherited !== undefined) return inherited(request as never, extra as never);
    throw new RequestError(METHOD_NOT_FOUND, `There is no method "${cut(request.method, 80)}".`);
  };
  server.fallbackRequestHandler = handler;
  if (tasks === undefined) return;
  for (const method of TASK_METHODS) {
    const answer = async (params: JsonObject, extra: McpRequestExtra): Promise<object> => {
      const request = readRequest(extra);
      if (!request.isModern) throw new RequestError(METHOD_NOT_FOUND, `There is no method "${method}".`);
      return tasks.answer(method, params, request, findStored(request));
    };
    server.setRequestHandler?.(method as never, { params: ANYTHING } as never, answer as never);
  }
}

/** Creates calls whose code loads with the first one. */
function callsOnUse(create: () => Promise<McpCalls>): McpCalls {
  const load = loadOnce(create);
  return {
    run: async (asked, origin) => (await load()).run(asked, origin),
    findTask: async (taskId, principal) => (await load()).findTask?.(taskId, principal),
  };
}

/** The handlers read their parameters themselves. */
const ANYTHING = {
  "~standard": { version: 1, vendor: "hasp", validate: (value: unknown) => ({ value }) },
} as const;

/** Binds a request to its task, which has no messages of its own and may bring answers. */
function requestOfTask(request: ServerRequest, { signal, isTask }: TaskRun, answered?: TaskAnswer): ServerRequest {
  return {
    ...request,
    ...answered,
    signal,
    notify: async (notification) => (isTask() ? undefined : request.notify(notification)),
  };
}

/** Rejects handlers that are set later, which would silently replace these. */
function keepForUs(server: McpServerConnection): void {
  const assertFree = server.assertCanSetRequestHandler.bind(server);
  server.assertCanSetRequestHandler = (method) => {
    if (method === "tools/list" || method === "tools/call") {
      throw new Error(`hasp answers ${method} of this server (registerMcpTools); add further tools to its dispatcher.`);
    }
    assertFree(method);
  };
}

/**
 * Turns progress into `notifications/progress`: a number becomes the progress, and text or content the message. The
 * protocol requires progress to grow, so any other value is replaced by the last one plus one.
 */
function createProgressReporter(
  progressToken: string | number,
  notify: ServerRequest["notify"],
): (report: CallProgress) => void {
  let last = 0;
  return (report) => {
    const { progress, total, message } = partsOf(report);
    last = progress !== undefined && progress > last ? progress : last + 1;
    const params = {
      progressToken,
      progress: last,
      ...dropUndefined({ total, message }),
    };
    // A client that is gone does not stop the call.
    void notify({ method: "notifications/progress", params }).catch(() => undefined);
  };
}

interface ProgressParts {
  readonly progress?: number;
  readonly total?: number;
  readonly message?: string;
}

function partsOf({ update, content }: CallProgress): ProgressParts {
  if (content !== undefined) return { message: plainText(content) };
  if (typeof update === "number") return { progress: update };
  if (typeof update === "string") return { message: update };
  if (!isObject(update)) return {};
  const { progress, total, message } = update as { readonly [key: string]: JsonValue };
  return {
    ...(typeof progress === "number" && { progress }),
    ...(typeof total === "number" && { total }),
    ...(typeof message === "string" && { message }),
  };
}
