import type { JsonObject, JsonValue } from "@hasp/schema";
import type { CallProgress, Dispatcher, TurnArguments } from "../../../dispatch/state/dispatcher-types.js";
import { isObject } from "../../../json/is-object.js";
import { cut } from "../../../results/text.js";
import type { ToolResult } from "../../../tool/definition.js";
import type { ElicitingServer } from "../questions/ask-through-elicitation.js";
import type { McpQuestions } from "../questions/mcp-questions.js";
import { isTaskMethod, RELATED_TASK, type McpTasks, type TaskRun } from "./mcp-tasks.js";
import { createProgressReporter } from "./report-progress.js";
import { readRequest, type McpRequestExtra, type ServerRequest } from "../questions/server-request.js";
import { INVALID_PARAMS, RequestError } from "./request-error.js";
import { toCallToolResult } from "./to-call-tool-result.js";
import { toListed, toolLists } from "./tool-lists.js";
import { toToolCall } from "./to-tool-call.js";

/**
 * The methods of an MCP server that are used: `Server` of the official packages, or the `server` of their `McpServer`.
 */
export interface McpServerConnection {
  registerCapabilities(capabilities: { tools: { listChanged: true }; tasks?: TaskCapabilities }): void;
  /** Throws if the method already has a handler. */
  assertCanSetRequestHandler(method: string): void;
  /** Receives the requests that have no other handler. */
  fallbackRequestHandler?: ((request: never, extra: never) => Promise<unknown>) | undefined;
  sendToolListChanged(): Promise<void>;
}

/** What clients of 2025-11-25 are told of tasks. */
export interface TaskCapabilities {
  [capability: string]: unknown;
  list?: Record<string, never>;
  cancel: Record<string, never>;
  requests: { tools: { call: Record<string, never> } };
}

/** Settings of {@link registerMcpTools}. */
export interface RegisterMcpToolsOptions<Context> {
  /** The list that clients see. Default `mcp`. */
  readonly dialect?: "mcp" | "mcp-2025-11-25" | undefined;
  /** Passed to handlers, checks and hooks. */
  readonly context?: Context | undefined;
  /** Asks the person at the client; its `ask` must be that of the dispatcher's permissions. */
  readonly questions?: McpQuestions | undefined;
  /**
   * Lets clients of 2025-11-25 make calls into tasks, which go on when their request is answered. Default: calls are
   * answered when they have ended. The revision 2026-07-28 has no tasks.
   */
  readonly tasks?: McpTasks | undefined;
  /** The most tools in one answer to `tools/list`; clients ask for the rest with a cursor. Default: all of them. */
  readonly pageSize?: number | undefined;
}

const METHOD_NOT_FOUND = -32601;

/**
 * Serves the dispatcher's tools: `tools/list` answers with a constant list, `tools/call` runs a call through all
 * phases. Progress, cancellation and changes of the list are passed on. Call it before the server is connected.
 *
 * It uses the server's fallback handler, because handlers of the official packages require schemas of a library that
 * this package does not depend on; an existing fallback keeps all other methods. Throws if the server already has
 * tools, and makes an `McpServer` throw that is given tools later.
 */
export function registerMcpTools<Context = unknown>(
  server: McpServerConnection,
  dispatcher: Dispatcher<Context>,
  { dialect = "mcp", context, questions, tasks, pageSize }: RegisterMcpToolsOptions<Context> = {},
): void {
  server.assertCanSetRequestHandler("tools/list");
  server.assertCanSetRequestHandler("tools/call");
  server.registerCapabilities({ tools: { listChanged: true }, ...(tasks !== undefined && { tasks: told(tasks) }) });
  keepForUs(server);
  const inherited = server.fallbackRequestHandler;
  const lists = toolLists(() => dispatcher.definitions(dialect), pageSize);
  /** What the client was last told of. */
  let listed: readonly JsonObject[] | undefined;

  async function call(params: JsonObject, extra: McpRequestExtra): Promise<object> {
    const { name, arguments: input, task } = params;
    if (typeof name !== "string") throw new RequestError(INVALID_PARAMS, "`name` must be the name of a tool.");
    if (input !== undefined && (typeof input !== "object" || input === null || Array.isArray(input))) {
      throw new RequestError(INVALID_PARAMS, "`arguments` must be an object.");
    }
    const clientRequest = readRequest(extra);
    const asked = { name, input };
    if (tasks === undefined || task === undefined || clientRequest.isModern) {
      return run(asked, clientRequest, server as unknown as ElicitingServer);
    }
    if (!isObject(task)) throw new RequestError(INVALID_PARAMS, "`task` must be an object.");
    const { principal } = clientRequest;
    const started = tasks.start(task["ttl"] as JsonValue | undefined, principal, (taskRun) =>
      run(asked, requestOfTask(clientRequest, taskRun), serverOfTask(server as unknown as ElicitingServer, taskRun)),
    );
    return { task: started };
  }

  async function run(
    { name, input }: { readonly name: string; readonly input: JsonValue | undefined },
    clientRequest: ServerRequest,
    eliciting: ElicitingServer,
  ): Promise<object> {
    const { id, signal, progressToken, notify, trace } = clientRequest;
    const report = progressToken === undefined ? undefined : createProgressReporter(progressToken, notify);
    const onProgress = report === undefined ? undefined : ({ update }: CallProgress): void => report(update);
    // Whoever registered the tools has said which context there is.
    const options = [{ signal, context, onProgress, trace }] as unknown as TurnArguments<Context>;
    const round = await questions?.open(clientRequest, eliciting);
    // An id may be a number or a text; `7` and `"7"` are two requests.
    const request = { ...toToolCall({ name, arguments: input }, round?.callId ?? JSON.stringify(id)), dialect };
    const known = listed ?? dispatcher.definitions(dialect);
    let result: ToolResult | undefined;
    try {
      [result] = await dispatcher.dispatch([request], ...options);
    } finally {
      round?.close();
    }
    if (result === undefined) throw new Error("a dispatched call has no result");
    const question = await round?.result();
    if (question !== undefined) return question;
    const definitions = dispatcher.definitions(dialect);
    if (definitions !== known) {
      listed = undefined;
      void server.sendToolListChanged().catch(() => undefined);
    }
    // Over HTTP there is a server for each request, which must not make the whole list to answer a call.
    const definition = definitions.find(({ name: each }) => each === result.toolName);
    const { isModern } = clientRequest;
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
      return tasks.answer(request.method, params, readRequest(extra).principal);
    }
    if (inherited !== undefined) return inherited(request as never, extra as never);
    throw new RequestError(METHOD_NOT_FOUND, `There is no method "${cut(request.method, 80)}".`);
  };
  server.fallbackRequestHandler = handler;
}

function told({ isListed }: McpTasks): TaskCapabilities {
  return { ...(isListed && { list: {} }), cancel: {}, requests: { tools: { call: {} } } };
}

/** The request of a call that goes on after it: it is stopped with its task, and its messages name the task. */
function requestOfTask(request: ServerRequest, { taskId, signal }: TaskRun): ServerRequest {
  return {
    ...request,
    signal,
    notify: ({ method, params }) =>
      request.notify({ method, params: { ...params, _meta: { [RELATED_TASK]: { taskId } } } }),
  };
}

/** The server as the questions of a task use it. */
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
      throw new Error(
        `hasp answers ${method} of this server (registerMcpTools); give further tools to its dispatcher.`,
      );
    }
    assertFree(method);
  };
}
