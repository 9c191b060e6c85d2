import type { JsonObject, JsonValue } from "@hasp/schema";
import type { CallProgress, CallStore, Dispatcher } from "@hasp/runtime";
import { isObject } from "../../../runtime/src/json/members.js";
import { cut, plainText } from "../../../runtime/src/results/text.js";
import { safely } from "../../../runtime/src/tool/callback.js";
import type { ElicitingServer } from "../questions/ask-client.js";
import type { McpQuestions } from "../questions/mcp-questions.js";
import { liveMcpCalls, type AnsweredCall, type CallOrigin, type McpCall, withStoreFailures } from "./mcp-calls.js";
import { findWrongHeader, HEADER_MISMATCH } from "./param-headers.js";
import { isTaskMethod, RELATED_TASK, type FindStoredTask, type McpTasks, type TaskRun } from "./mcp-tasks.js";
import { readRequest, type McpRequestExtra, type ServerRequest } from "../questions/server-request.js";
import { INVALID_PARAMS, RequestError, toCallToolResult } from "./call-messages.js";
import { storedMcpCalls } from "./stored-mcp-calls.js";
import { toListed, toolLists } from "./tool-lists.js";

/** The used methods of an MCP server: `Server` of the official packages, or the `server` of their `McpServer`. */
export interface McpServerConnection {
  registerCapabilities(capabilities: { tools: { listChanged: true }; tasks?: TaskCapabilities }): void;
  /** Throws if the method already has a handler. */
  assertCanSetRequestHandler(method: string): void;
  /** Receives the requests that have no other handler. */
  fallbackRequestHandler?: ((request: never, extra: never) => Promise<unknown>) | undefined;
  sendToolListChanged(): Promise<void>;
}

export interface TaskCapabilities {
  [capability: string]: unknown;
  list?: Record<string, never>;
  cancel: Record<string, never>;
  requests: { tools: { call: Record<string, never> } };
}

export interface RegisterMcpToolsOptions<Context> {
  /** The list that clients see. Default `mcp`. */
  readonly dialect?: "mcp" | "mcp-2025-11-25" | undefined;
  readonly context?: Context | undefined;
  /** Asks the person at the client; its `ask` must be that of the dispatcher's permissions. */
  readonly questions?: McpQuestions | undefined;
  /** Lets clients of 2025-11-25 make calls into tasks. Default: calls are answered when they have ended. */
  readonly tasks?: McpTasks | undefined;
  /** The dispatcher's call store: answers and tasks then outlive this process, and a client's repetition runs once. */
  readonly callStore?: CallStore | undefined;
  /** Receives failures of the call store, whose details clients are not told. */
  readonly onProblem?: ((error: Error) => void) | undefined;
  /** The conversation whose labels the calls read and add to. Default: that of the principal, else the dispatcher's. */
  readonly conversation?: string | undefined;
  /** Limits one answer to `tools/list`; clients ask for the rest with a cursor. Default: no limit. */
  readonly pageSize?: number | undefined;
}

const METHOD_NOT_FOUND = -32601;

/**
 * Serves the dispatcher's tools. Call it before the server is connected. It uses the server's fallback handler, since
 * handlers of the official packages require schemas of a library that this package does not depend on; an existing
 * fallback keeps all other methods. Throws if the server already has tools, and makes an `McpServer` throw that is
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
    callStore,
    onProblem,
    conversation,
    pageSize,
  }: RegisterMcpToolsOptions<Context> = {},
): void {
  server.assertCanSetRequestHandler("tools/list");
  server.assertCanSetRequestHandler("tools/call");
  server.registerCapabilities({ tools: { listChanged: true }, ...(tasks !== undefined && { tasks: told(tasks) }) });
  keepForUs(server);
  const inherited = server.fallbackRequestHandler;
  const lists = toolLists(() => dispatcher.definitions(dialect), pageSize);
  const eliciting = server as unknown as ElicitingServer;
  const calls =
    callStore === undefined
      ? liveMcpCalls(dispatcher, questions)
      : withStoreFailures(storedMcpCalls(dispatcher, callStore, questions), safely(onProblem));
  let listed: readonly JsonObject[] | undefined;

  async function call(params: JsonObject, extra: McpRequestExtra): Promise<object> {
    const { name, arguments: input, task } = params;
    if (typeof name !== "string") throw new RequestError(INVALID_PARAMS, "`name` must be the name of a tool.");
    if (input !== undefined && (typeof input !== "object" || input === null || Array.isArray(input))) {
      throw new RequestError(INVALID_PARAMS, "`arguments` must be an object.");
    }
    const clientRequest = readRequest(extra);
    const called = { name, input: input ?? {}, dialect };
    let wrongHeader: string | undefined;
    const refuse: McpCall["options"]["refuse"] = ({ toolName, input: running }) => {
      const definition = dispatcher.definitions(dialect).find((each) => each["name"] === toolName);
      return (wrongHeader = findWrongHeader(definition, clientRequest, running, input));
    };
    const run = (request: ServerRequest, taskRun?: TaskRun): Promise<object> =>
      answerTo(
        request,
        calls.run({ call: called, options: { ...optionsOf(request), refuse } }, originOf(request, taskRun)),
      );
    if (tasks === undefined || task === undefined || clientRequest.isModern) {
      const answer = await run(clientRequest);
      if (wrongHeader !== undefined) throw new RequestError(HEADER_MISMATCH, wrongHeader);
      return answer;
    }
    if (!isObject(task)) throw new RequestError(INVALID_PARAMS, "`task` must be an object.");
    const { principal } = clientRequest;
    const started = tasks.start(task["ttl"] as JsonValue | undefined, principal, (taskRun) =>
      run(requestOfTask(clientRequest, taskRun), taskRun),
    );
    return { task: started };
  }

  const findStored =
    (request: ServerRequest): FindStoredTask =>
    async (taskId, principal) => {
      const found = await calls.findTask?.(taskId, principal);
      if (found === undefined) return undefined;
      return {
        createdAt: found.createdAt,
        call: (taskRun) => {
          const ofTask = requestOfTask(request, taskRun);
          return answerTo(ofTask, found.run(optionsOf(ofTask), originOf(ofTask, taskRun)));
        },
      };
    };

  function originOf(request: ServerRequest, task: TaskRun | undefined): CallOrigin {
    return { request, server: task === undefined ? eliciting : serverOfTask(eliciting, task), task };
  }

  function optionsOf({ signal, progressToken, notify, trace, principal }: ServerRequest): McpCall["options"] {
    const report = progressToken === undefined ? undefined : createProgressReporter(progressToken, notify);
    const onProgress = report === undefined ? undefined : (progress: CallProgress): void => report(progress);
    return { signal, context, onProgress, trace, principal, conversation: conversation ?? principal };
  }

  /** Creates the result of `tools/call`. Tells the client if its call has changed the list. */
  async function answerTo({ isModern }: ServerRequest, pending: Promise<AnsweredCall>): Promise<object> {
    const known = listed ?? dispatcher.definitions(dialect);
    const answered = await pending;
    if ("question" in answered) return answered.question;
    const { result } = answered;
    const definitions = dispatcher.definitions(dialect);
    if (definitions !== known) {
      listed = undefined;
      void server.sendToolListChanged().catch(() => undefined);
    }
    // Over HTTP there is a server for each request, which must not create the whole list to answer a call.
    const definition = definitions.find(({ name: each }) => each === result.toolName);
    const promised =
      definition !== undefined && Object.hasOwn(toListed(definition, { takesAnyOutput: isModern }), "outputSchema");
    return toCallToolResult(result, { promised, takesAnyOutput: isModern });
  }

  const handler = async (
    request: { readonly method: string; readonly params?: JsonObject },
    extra: McpRequestExtra,
  ): Promise<unknown> => {
    const params: JsonValue = request.params ?? {};
    if (request.method === "tools/list") {
      const { isModern } = readRequest(extra);
      const page = lists.page(params, {
        takesAnyOutput: isModern,
        takesTasks: tasks !== undefined && !isModern,
      });
      listed = dispatcher.definitions(dialect);
      return page;
    }
    if (request.method === "tools/call") return call(params, extra);
    if (tasks !== undefined && isTaskMethod(request.method) && (request.method !== "tasks/list" || tasks.isListed)) {
      const clientRequest = readRequest(extra);
      return tasks.answer(request.method, params, clientRequest.principal, findStored(clientRequest));
    }
    if (inherited !== undefined) return inherited(request as never, extra as never);
    throw new RequestError(METHOD_NOT_FOUND, `There is no method "${cut(request.method, 80)}".`);
  };
  server.fallbackRequestHandler = handler;
}

function told({ isListed }: McpTasks): TaskCapabilities {
  return { ...(isListed && { list: {} }), cancel: {}, requests: { tools: { call: {} } } };
}

/** Binds a request to its task: it is stopped with it, and its messages name it. */
function requestOfTask(request: ServerRequest, { taskId, signal }: TaskRun): ServerRequest {
  return {
    ...request,
    signal,
    notify: ({ method, params }) =>
      request.notify({ method, params: { ...params, _meta: { [RELATED_TASK]: { taskId } } } }),
  };
}

function serverOfTask(server: ElicitingServer, { taskId, ask }: TaskRun): ElicitingServer {
  return {
    getClientCapabilities: () => server.getClientCapabilities(),
    elicitInput: (params: object, options) =>
      ask(() => server.elicitInput({ ...params, _meta: { [RELATED_TASK]: { taskId } } } as never, options)),
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
 * Turns progress into `notifications/progress`: a number is the progress, text or content the message. The protocol requires
 * progress to grow; any other value is replaced by the last one plus one.
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
      ...(total !== undefined && { total }),
      ...(message !== undefined && { message }),
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
  if (typeof update !== "object" || update === null || Array.isArray(update)) return {};
  const { progress, total, message } = update as { readonly [key: string]: JsonValue };
  return {
    ...(typeof progress === "number" && { progress }),
    ...(typeof total === "number" && { total }),
    ...(typeof message === "string" && { message }),
  };
}
