import {
  type AnyTool,
  createDispatcher,
  createGate,
  type Dispatcher,
  type DispatcherOptions,
  type Gate,
} from "@hasp/runtime";
import { informationFlow, sharedLabels } from "@hasp/runtime/flow";
import { storedResults } from "@hasp/runtime/results";
import { toolSearch } from "@hasp/runtime/search";
import { awaitCallsEnd, withTimeout, messageOf } from "@hasp/runtime/internal";
import { dropUndefined, isObject } from "@hasp/base/json";
import { guard } from "@hasp/runtime/contract";
import { mcpQuestions } from "../questions/mcp-questions.js";
import { isTaskMethod } from "../serving/mcp-tasks.js";
import { registerMcpTools } from "../serving/register-mcp-tools.js";
import { RequestError } from "../serving/call-messages.js";
import { findForeignRequest, LOOPBACK_HOSTS, refusal, readMessage } from "./http-messages.js";
import { checkHandlerOptions, type McpCaller, type McpHandlerOptions, pickOptions } from "./mcp-handler-options.js";
import { HEADER_MISMATCH } from "../serving/param-headers.js";
import { readListRequest } from "./ready-lists.js";
import { listStreams } from "./list-streams.js";
import {
  createServedToolsets,
  readOfferedToolsets,
  type Served,
  strictestMode,
  type ToolsetOnOffer,
} from "./served-toolsets.js";

/** Answers the requests of MCP clients; made by {@link createMcpHandler}. */
export interface McpHandler {
  (request: Request): Promise<Response>;
  /**
   * Refuses new requests (503), stops running `cancel` tools and waits for all calls (default 60 000 ms). Returns
   * true if all have ended.
   */
  close(options?: { readonly timeoutMs?: number | undefined }): Promise<boolean>;
  /** Assembles the tools again, after a feature gate or the environment has changed, and tells clients that listen. */
  refresh(): Promise<void>;
}

type ServerSdk = typeof import("@modelcontextprotocol/server");
type SdkHandler = ReturnType<ServerSdk["createMcpHandler"]>;

interface RequestOrigin<Context> {
  readonly extra: {
    readonly principal: string | undefined;
    readonly caller: McpCaller | undefined;
    readonly served: Served<Context>;
    readonly method: unknown;
    readonly failed: (error: unknown) => void;
  };
}

type Offered<Context, Name extends string> = Exclude<DispatcherOptions<Context, Name>["tools"], readonly unknown[]>;

type Admitted<Context> = Omit<RequestOrigin<Context>["extra"], "method" | "failed">;

/** The first revision without a stream beside the requests. */
const WITHOUT_STREAM = "2026-07-28";
const OURS: readonly unknown[] = [undefined, "tools/list", "tools/call"];

const DEFAULT_BODY_BYTES = 4 * 1024 * 1024;
const ANSWERING_MS = 100;
const PARSE_ERROR = -32700;
/** Characters. Claude Code cuts the instructions of a server after so many. */
const MOST_OF_INSTRUCTIONS = 2048;

/**
 * Creates the handler of an MCP endpoint (Streamable HTTP, both revisions, no sessions), for every platform whose
 * servers take a `Request` and return a `Response`. A call that needs permission is a question to clients of
 * 2026-07-28, and refused to those of 2025-11-25, who cannot be asked without a session; with `durable`, somebody
 * else may answer, and the client repeats the call. Throws a `TypeError` for a mistake in the options; never rejects
 * because of a request.
 */
export function createMcpHandler<Context = unknown, Name extends string = string>(
  registry: DispatcherOptions<Context, Name>["tools"],
  options: McpHandlerOptions<Context, Name> = {},
): McpHandler {
  checkHandlerOptions(options as McpHandlerOptions<never, never>);
  const { authenticate, limit, hosts = LOOPBACK_HOSTS, maxBodyBytes = DEFAULT_BODY_BYTES } = options;
  const { context, info = { name: "mcp-server", version: "0" }, hookTimeoutMs = 60_000 } = options;
  const onProblem = guard(options.onProblem);
  const { length = 0 } = options.instructions ?? "";
  if (length > MOST_OF_INSTRUCTIONS) {
    onProblem?.(
      new RangeError(
        `The instructions have ${length} characters; some clients cut them after ${MOST_OF_INSTRUCTIONS}.`,
      ),
    );
  }
  const questions = mcpQuestions(options.questions);
  const { answerLink, durable, instructions, pageSize, tasks } = options;
  // One gate for all toolsets: their tools may touch the same things.
  const gate = createGate();
  const offered: Offered<Context, Name> = "tools" in registry ? registry : { tools: registry };
  const { tools, leftOut = [] } = offered;
  const onOffer = readOfferedToolsets(options.toolsets, tools, leftOut);
  const toolsets = createServedToolsets(tools, onOffer, dispatcherMaker(offered, options, questions.ask, gate));
  const streams = listStreams();
  let isClosed = false;
  let loading: Promise<SdkHandler> | undefined;

  function announceChanges(): void {
    // Every list is asked, so that each remembers its last state.
    if (toolsets.all().filter(({ lists }) => lists.hasChanged()).length === 0) return;
    streams.announce();
    void loading?.then(({ notify }) => notify.toolsChanged()).catch(() => undefined);
  }

  async function answerOf<Answer>(ask: () => Answer | Promise<Answer>): Promise<Answer> {
    return withTimeout((async () => ask())(), { milliseconds: hookTimeoutMs });
  }

  async function load(): Promise<SdkHandler> {
    const importSdk = (options.sdk ?? (() => import("@modelcontextprotocol/server"))) as () => Promise<ServerSdk>;
    const { Server, createMcpHandler: createSdkHandler } = await answerOf(importSdk);
    return createSdkHandler(
      async ({ authInfo }) => {
        const { caller, served, method, failed } = (authInfo as unknown as RequestOrigin<Context>).extra;
        const server = new Server(info as never, { capabilities: {}, ...dropUndefined({ instructions }) });
        // Calls need a context; a batch may contain one, and a stored task continues with its own.
        const goesOn = durable !== undefined && isTaskMethod(method);
        const isCall = method === "tools/call" || method === undefined || goesOn;
        const made = isCall ? await answerOf(() => context?.(caller)) : undefined;
        registerMcpTools(server, served.dispatcher, {
          context: made,
          questions,
          durable,
          onProblem,
          pageSize,
          tasks,
          answerLink,
        });
        // The server of one request has no listeners; they have streams of their own.
        server.sendToolListChanged = async () => announceChanges();
        // The SDK refuses methods that it does not know with the status that the revision demands.
        const isOurs = OURS.includes(method);
        const answerOne = server.fallbackRequestHandler;
        server.fallbackRequestHandler = isOurs
          ? async (...asked) => {
              try {
                return await answerOne?.(...asked);
              } catch (error) {
                failed(error);
                throw error;
              }
            }
          : undefined;
        return server;
      },
      { onerror: (error) => onProblem?.(error) },
    );
  }

  async function admit(request: Request): Promise<Admitted<Context> | Response> {
    const foreign = findForeignRequest(request, hosts);
    if (foreign !== undefined) return refusal(403, foreign);
    const caller = await answerOf(() => authenticate?.(request));
    if (caller instanceof Response) return caller;
    if (authenticate !== undefined && typeof caller?.principal !== "string") return refusal(401, "Unauthorized");
    const served = toolsets.of(caller?.toolsets);
    if (served === undefined) return refusal(403, "No tools are offered to this caller.");
    return { caller, principal: caller?.principal, served };
  }

  async function answer(request: Request): Promise<Response> {
    const admitted = await admit(request);
    if (admitted instanceof Response) return admitted;
    const { lists } = admitted.served;
    const pass = async (message?: unknown): Promise<Response> => {
      const method = isObject(message) ? message["method"] : undefined;
      let isMismatch = false;
      const failed = (error: unknown): void => {
        isMismatch ||= error instanceof RequestError && error.code === HEADER_MISMATCH;
      };
      const authInfo = { extra: { ...admitted, method, failed } } satisfies RequestOrigin<Context> as never;
      const sdk = await (loading ??= load());
      const response = await sdk.fetch(request, { authInfo, ...dropUndefined({ parsedBody: message }) });
      // The revision demands this status, which the SDK gives to its own findings only.
      return isMismatch && !Array.isArray(message)
        ? new Response(response.body ?? "", { status: 400, headers: response.headers })
        : response;
    };
    const overLimit = async (messages: number): Promise<Response | undefined> => {
      const refused = await answerOf(() => limit?.(admitted.caller, messages));
      return refused === undefined || refused instanceof Response ? refused : refusal(429, "Too many messages.");
    };
    if (request.method !== "POST") {
      const refused = await overLimit(1);
      if (refused !== undefined) return refused;
      return wantsStream(request) ? streams.open(request.signal, admitted.principal) : pass();
    }
    const read = await readMessage(request, maxBodyBytes);
    // An unreadable body or an empty batch counts as one message: reading it was work too.
    const messages = "message" in read && Array.isArray(read.message) ? read.message.length : 1;
    const refused = await overLimit(Math.max(1, messages));
    if (refused !== undefined) return refused;
    if ("fault" in read) {
      return read.fault === "too-large"
        ? refusal(413, `The body exceeds ${maxBodyBytes} bytes.`)
        : refusal(400, "The body is not JSON.", PARSE_ERROR);
    }
    const { message } = read;
    for (const called of listCalledTools(message, tools)) {
      const refusedCall = await answerOf(() => options.refuseCall?.(admitted.caller, called));
      // A value that is not a `Response` is unclear, and refuses the call too.
      if (refusedCall !== undefined) {
        return refusedCall instanceof Response ? refusedCall : refusal(403, "This call is not allowed.");
      }
    }
    const list = readListRequest(request, message);
    const ready = list && lists.find(list);
    if (ready !== undefined) return ready;
    const response = await pass(message);
    return list === undefined ? response : lists.keep(list, response);
  }

  const handler = async (request: Request): Promise<Response> => {
    if (isClosed) return refusal(503, "The server is shutting down.");
    try {
      return await answer(request);
    } catch (error) {
      loading = undefined;
      onProblem?.(error instanceof Error ? error : new Error(messageOf(error)));
      return refusal(500, "Internal server error", -32603);
    }
  };

  return Object.assign(handler, {
    async refresh(): Promise<void> {
      await Promise.all(toolsets.all().map(({ dispatcher }) => dispatcher.refresh()));
      announceChanges();
    },
    async close({ timeoutMs = 60_000 }: { readonly timeoutMs?: number | undefined } = {}): Promise<boolean> {
      isClosed = true;
      streams.close();
      for (const { dispatcher } of toolsets.all()) dispatcher.interrupt("The server is shutting down.");
      const haveEnded = await awaitCallsEnd(gate, timeoutMs);
      // Calls that have just ended are still answered.
      await new Promise<void>((resolve) => setTimeout(resolve, ANSWERING_MS));
      await (await loading?.catch(() => undefined))?.close();
      return haveEnded;
    },
  });
}

/** Lists the tools that a message or a batch calls, each once and by its own name where it is known. */
function listCalledTools(message: unknown, tools: readonly AnyTool[]): ReadonlySet<string> {
  const names = [message].flat().flatMap((each) => {
    if (!isObject(each) || each["method"] !== "tools/call" || !isObject(each["params"])) return [];
    const { name } = each["params"];
    return typeof name === "string" ? [tools.find(({ aliases }) => aliases.includes(name))?.name ?? name] : [];
  });
  return new Set(names);
}

function wantsStream({ method, headers }: Request): boolean {
  const version = headers.get("mcp-protocol-version") ?? "";
  return method === "GET" && headers.get("accept")?.includes("text/event-stream") === true && version < WITHOUT_STREAM;
}

function dispatcherMaker<Context, Name extends string>(
  { tools: all, leftOut = [], flow: whole, extensions = [] }: Offered<Context, Name>,
  options: McpHandlerOptions<Context, Name>,
  ask: ReturnType<typeof mcpQuestions>["ask"],
  gate: Gate,
): (offer: ToolsetOnOffer) => Dispatcher<Context> {
  const { durable, toolsets, permissions = {}, extensions: further = [] } = options;
  // A caller's toolsets may change between requests; the labels of what it has read must not.
  const keeper = durable ?? (toolsets && sharedLabels());
  return ({ tools, policy: { deny = [], rules = [], mode } = {}, flow }) => {
    // Permissions may name tools that this caller is not offered.
    const others = all.filter((tool) => !tools.includes(tool)).flatMap(({ name, aliases }) => [name, ...aliases]);
    const own = [informationFlow, toolSearch, storedResults()];
    return createDispatcher<Context, Name>({
      tools: {
        tools: tools as typeof all,
        leftOut: [...leftOut, ...others],
        extensions: [...own, ...extensions.filter(({ name }) => own.every((each) => each.name !== name))],
      },
      permissions: {
        ...permissions,
        deny: [...deny, ...(permissions.deny ?? [])] as typeof permissions.deny,
        rules: [...rules, ...(permissions.rules ?? [])] as typeof permissions.rules,
        mode: strictestMode([mode, permissions.mode]),
        ask,
      },
      gate,
      ...pickOptions(options),
      flow: options.flow ?? flow ?? (toolsets === undefined ? whole : undefined),
      extensions: keeper === undefined ? further : [keeper, ...further],
    });
  };
}
