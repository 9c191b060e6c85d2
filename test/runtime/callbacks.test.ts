import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import {
  buildTool,
  createDispatcher,
  createPermissions,
  type Dispatcher,
  type DispatcherExtension,
  type DispatcherOptions,
  type DispatchEvent,
  type PermissionRequest,
  type Tool,
  type ToolDefinition,
  type TurnOptions,
  type McpServer,
} from "@hasp/runtime";
import type { CallStore, Question, StoredTurns } from "@hasp/runtime/call-store";
import { durableCalls, listExternals, memoryCallStore } from "@hasp/stores";
import { FAIL_CLOSED_DEFAULTS, type VaryingFlag } from "@hasp/runtime/contract";
import { createAnswerHandler, createAnswerLink, type AnswerHandlerOptions } from "@hasp/stores/answer-links";
import { completeAiSdkCalls, toAiSdkTools } from "@hasp/adapters/ai-sdk";
import { commandHandler } from "@hasp/handlers/command";
import {
  httpConnection,
  httpHandler,
  publicFetch,
  type HttpConnectionOptions,
  type HttpDeclaration,
} from "@hasp/handlers/http";
import { toLangChainTools, type ToLangChainToolsOptions } from "@hasp/adapters/langchain";
import { toMastraTools, type ToMastraToolsOptions } from "@hasp/adapters/mastra";
import {
  createMcpHandler,
  lowerMcpServer,
  mcpTools,
  mcpQuestions,
  registerMcpTools,
  type McpHandlerOptions,
  type McpServerConnection,
} from "@hasp/mcp";
import { mcpConnection, mcpHandler } from "@hasp/mcp/handler";
import { fileResultStore } from "@hasp/stores/files";
import { toOpenAIAgentsTools, type ToOpenAIAgentsToolsOptions } from "@hasp/adapters/openai-agents";
import { sqlConnection, sqlHandler } from "@hasp/handlers/sql";
import { Project, ts } from "ts-morph";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import PACKAGES from "../../packages/hasp/scripts/packages.json" with { type: "json" };
import { informationFlow } from "@hasp/runtime/flow";
import { storedResults } from "@hasp/runtime/results";
import { liveTools } from "@hasp/mcp/live";
import { openTurns } from "../durable/open-turns.testing.js";

// Every function that a host can pass, found by walking the types of the public entries: what must answer at once must
// not end the process with an unhandled rejection, and a broken answer is the strict one.

const packages = resolve(import.meta.dirname, "../../packages");

/** Types whose functions are not the host's: hasp made them, or another library did. */
const NOT_WALKED: { readonly [type: string]: string } = {
  AbortSignal: "of the platform",
  AiSdkApprovals: "made by aiSdkApprovals",
  AnsweredApprovals: "made by openAIAgentsApprovals and its like",
  AnyTool: "made by buildTool",
  CallStore: "a store, held to its contract by callStoreConformance",
  Programs: "programs, made by createPrograms",
  CallTracker: "made by asyncCallTracker",
  Date: "data",
  DbosTurnsOptions: "run by a workflow of DBOS, which keeps what they throw",
  DispatcherExtension: "held to its doors by the tests of extensions",
  ExtensionDefinition: "held to its doors by the tests of extensions",
  Dispatcher: "made by createDispatcher; its methods are walked there",
  ElicitingServer: "a server of an MCP package; `permissions.ask` takes its answer",
  FrameworkApprovals: "made by aiSdkApprovals",
  Gate: "made by createGate",
  HttpConnection: "made by httpConnection",
  JsonObject: "data",
  JsonSchema: "data",
  SchemaObject: "data",
  LangChainToolFunction: "a function of the framework",
  LangChainToolMessage: "a class of the framework",
  LivePermissions: "made by createPermissions",
  MastraCreateTool: "a function of the framework",
  McpClient: "a client of an MCP package, whose methods are asynchronous",
  McpConnection: "made by mcpTools",
  McpHandlerConnection: "made by mcpConnection",
  McpQuestions: "made by mcpQuestions",
  McpTasks: "made by mcpTasks",
  McpServerConnection: "a server of an MCP package",
  McpTokenSource: "made by oauthTokens",
  OpenAIAgentsToolFunction: "a function of the framework",
  PostgresConnections: "a pool of a driver",
  PostgresPool: "a pool of a driver",
  SqlClient: "a client of a driver",
  SqlConnection: "made by sqlConnection",
  SqlPool: "a pool of a driver",
  TokenStore: "made by tokenStore",
  Tool: "made by buildTool",
  Meter: "of OpenTelemetry",
  Tracer: "of OpenTelemetry",
  URL: "of the platform",
  Uint8Array: "data",
};
/** Functions of the entries that hosts do not call: the compiler does, or a result store with a lookup of its own. */
const NOT_FOR_HOSTS = ["createMetadata", "createReadTool"];

function isFunction(type: ts.Type): boolean {
  return type.getCallSignatures().length > 0;
}

/** The paths of all functions in the parameters of what the public entries export. */
function findCallbacks(): readonly string[] {
  const entries = PACKAGES.filter((name) => !["schema", "testing", "hasp"].includes(name)).flatMap((name) => {
    const { exports } = JSON.parse(readFileSync(join(packages, name, "package.json"), "utf8")) as {
      exports: { [entry: string]: { types: string } };
    };
    return (
      Object.entries(exports)
        // Generated code binds specs; their functions are those of `buildTool`.
        // Functions that only tests or hasp itself call may throw anything.
        .filter(([entry]) => !/^\.\/(?:codegen\/v1|contract|internal(?:\/.*)?)$/u.test(entry))
        .map(([, { types }]) => resolve(packages, name, types))
    );
  });
  expect(entries.every((file) => existsSync(file))).toBe(true);
  const project = new Project({
    skipAddingFilesFromTsConfig: true,
    compilerOptions: {
      module: ts.ModuleKind.NodeNext,
      target: ts.ScriptTarget.ES2023,
      strict: true,
      skipLibCheck: true,
      lib: ["lib.es2023.d.ts"],
      types: [],
    },
  });
  project.addSourceFilesAtPaths(entries);
  const checker = project.getTypeChecker().compilerObject;
  const found = new Set<string>();

  function visit(type: ts.Type, path: string, above: readonly ts.Type[]): void {
    const name = (type.aliasSymbol ?? type.getSymbol())?.getName() ?? "";
    if (above.includes(type) || Object.hasOwn(NOT_WALKED, name)) return;
    const inside = [...above, type];
    if (type.isUnionOrIntersection()) {
      for (const part of type.types) visit(part, path, above);
      return;
    }
    if ((type.flags & ts.TypeFlags.Object) === 0) return;
    if (isFunction(type)) {
      found.add(path);
      return;
    }
    if (checker.isArrayType(type) || checker.isTupleType(type)) {
      for (const item of checker.getTypeArguments(type as ts.TypeReference)) visit(item, `${path}[]`, inside);
      return;
    }
    const index = type.getStringIndexType();
    if (index !== undefined) visit(index, `${path}{}`, inside);
    for (const property of type.getProperties()) {
      visit(checker.getNonNullableType(checker.getTypeOfSymbol(property)), `${path}.${property.getName()}`, inside);
    }
  }

  function visitParameters(type: ts.Type, path: string): void {
    for (const signature of type.getCallSignatures()) {
      for (const parameter of signature.getParameters()) {
        const given = checker.getNonNullableType(checker.getTypeOfSymbol(parameter));
        // Parameters that depend on a type: whichever they may be.
        if ((given.flags & ts.TypeFlags.Conditional) !== 0) {
          const lists = checker.getBaseConstraintOfType(given) ?? given;
          for (const list of lists.isUnion() ? lists.types : [lists]) {
            for (const item of checker.getTypeArguments(list as ts.TypeReference)) {
              visit(checker.getNonNullableType(item), path, []);
            }
          }
          continue;
        }
        // The options of a dispatcher are walked where one is made.
        if (given.getSymbol()?.getName() === "DispatcherOptions" && path !== "createDispatcher") continue;
        // An object of options is not a step of its path, a callback is.
        visit(given, isFunction(given) ? `${path}.${parameter.getName()}` : path, []);
      }
    }
  }

  for (const entry of entries) {
    const module = checker.getSymbolAtLocation(project.getSourceFileOrThrow(entry).compilerNode);
    if (module === undefined) throw new Error(`${entry} is no module`);
    for (const symbol of checker.getExportsOfModule(module)) {
      const declared = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
      if (!(declared.flags & ts.SymbolFlags.Function) || NOT_FOR_HOSTS.includes(symbol.getName())) continue;
      const type = checker.getTypeOfSymbol(declared);
      visitParameters(type, symbol.getName());
      for (const signature of type.getCallSignatures()) {
        const made = signature.getReturnType();
        const isExtension = made.getSymbol()?.getName() === "DispatcherExtension";
        const used = isExtension ? checker.getTypeArguments(made as ts.TypeReference)[0] : made;
        const owner = used?.getSymbol()?.getName();
        if (owner !== "Dispatcher" && owner !== "StoredTurns") continue;
        for (const method of used?.getProperties() ?? []) {
          visitParameters(checker.getTypeOfSymbol(method), `${owner}.${method.getName()}`);
        }
      }
    }
  }
  return [...found].toSorted();
}

/** A callback of a host that is broken in one of four ways. Nothing of it is awaited where a synchronous answer is due. */
const BROKEN = {
  rejects: () => Promise.reject(new Error("broken")),
  throws: () => {
    throw new Error("broken");
  },
  "never settles": () => new Promise(() => undefined),
  "answers a number": () => 7,
} as const;
type Fault = keyof typeof BROKEN;
type Callback = () => never;

/** The outcomes of one callback, broken in each way, in one word each. */
interface Case {
  readonly run: (callback: Callback) => Promise<unknown>;
  /** One word for all faults, or one for each. */
  readonly expected: string | { readonly [fault in Fault]: string };
}

const object = { type: "object", additionalProperties: true } as const;
const asking = buildTool({ name: "ask_first", description: "Asks.", input: object, execute: () => "done" });
type Definition = Partial<ToolDefinition<Record<string, unknown>, unknown, unknown>>;

/** Calls a harmless reader, unless the options or the tool's parts say otherwise, and returns the outcome. */
async function outcome(
  options: Partial<DispatcherOptions> = {},
  parts: Definition = {},
  turn: TurnOptions = {},
): Promise<string> {
  const act = buildTool<Record<string, unknown>>({
    name: "act",
    description: "Acts.",
    input: object,
    execute: () => "done",
    ...parts,
    concurrency: { class: "READ_ONLY", ...parts.concurrency },
    behavior: { requiresPermission: false, isOpenWorld: false, ...parts.behavior },
  });
  const dispatcher = createDispatcher({ tools: [act], hookTimeoutMs: 20, ...options });
  const [result] = await dispatcher.dispatch([{ id: "1", name: "act", input: {} }], turn);
  return result?.error?.code ?? (result?.offloaded?.reference === undefined ? "ok" : "stored");
}

const asks: Definition = { behavior: { requiresPermission: true } };
const long: Definition = { limits: { maxResultSizeChars: 100 }, execute: () => "long ".repeat(100) };

/** A flag that varies: the strict value is one that a READ_ONLY class does not entail, so the class is left out. */
function flag(name: VaryingFlag, word: "when" | "unless"): Case {
  const strict = FAIL_CLOSED_DEFAULTS.behavior[name];
  return {
    run: async (callback) => {
      const behavior = { [name]: { [word]: callback } } as Definition["behavior"];
      const tool = buildTool({ name: "act", description: "Acts.", input: object, behavior, execute: () => "done" });
      return tool.classify({})[name] === strict ? "strict" : "loose";
    },
    expected: "strict",
  };
}

function displayed(state: "running" | "done" | "failed" | "rejected" | "progress"): Case {
  return {
    run: async (display) => {
      const events: DispatchEvent[] = [];
      const parts: Definition = {
        display: { [state]: display },
        ...(state === "rejected" && asks),
        execute: (_input, { progress }) => {
          progress(1);
          if (state === "failed") throw new Error("it failed");
        },
      };
      await outcome({ onEvent: (event) => events.push(event) }, parts);
      return events.length > 2 && events.every((event) => event.line === undefined) ? "no line" : "a line";
    },
    expected: "no line",
  };
}

const server = (parts: object): McpServer => ({
  server: "s",
  tools: [{ name: "find", inputSchema: object, execute: () => "found", ...parts }],
});

const serving = (servers: readonly McpServer[]): Partial<DispatcherOptions> => ({
  extensions: [informationFlow, liveTools(servers)],
  permissions: { ask: () => "allow" },
});

const lowered = (parts: object): McpServer => lowerMcpServer(server(parts), ["gemini"]);

async function callServer(called: McpServer): Promise<string> {
  const dispatcher = createDispatcher({ tools: [], ...serving([called]) });
  const [result] = await dispatcher.dispatch([{ id: "1", name: "mcp__s__find", input: {} }]);
  return result?.error?.code ?? "ok";
}

/** Calls the tool through a framework whose turn `turnId` names, and returns the outcome. */
const storedTurn = (
  execute: (
    dispatcher: Dispatcher,
    stored: { readonly durable: DispatcherExtension<StoredTurns>; readonly turnId: Callback },
  ) => Promise<unknown>,
): Case => ({
  run: async (turnId) => {
    const act = buildTool({ name: "act", description: "Acts.", input: object, execute: () => "done" });
    const durable = durableCalls({ store: memoryCallStore() });
    const dispatcher = createDispatcher({ tools: [act], extensions: [durable] });
    return await execute(dispatcher, { durable, turnId }).then(
      () => "ran",
      () => "refused",
    );
  },
  expected: "refused",
});

/** The entry of a list, which a function makes: a host that asks for the list hears of its failure. */
const definition = (list: (definition: Callback) => unknown): Case => ({
  run: async (callback) => {
    try {
      list(callback);
      return "listed";
    } catch {
      return "refused";
    }
  },
  expected: "refused",
});

let folder = "";
beforeAll(() => (folder = mkdtempSync(join(tmpdir(), "hasp-callbacks-"))));
afterAll(() => rmSync(folder, { recursive: true }));

const hook = (expected: string, phase: "transform" | "guard" | "post", inList: boolean): Case => ({
  run: (callback) => outcome({ hooks: { [phase]: inList ? [callback] : callback } }),
  expected,
});
const listener = (run: (callback: Callback) => Promise<unknown>): Case => ({ run, expected: "ok" });

/** Opens a link to a question, or answers by it. */
async function openLink(
  options: (store: CallStore) => Partial<AnswerHandlerOptions>,
  body?: string,
): Promise<{ readonly status: string }> {
  const turns = openTurns({ tools: [asking] }, { store: memoryCallStore() });
  const waiting = await turns.run([{ id: "1", name: "ask_first", input: {} }], { turnId: "t" });
  const question = waiting.status === "waiting" ? waiting.questions[0] : undefined;
  const secret = "a secret of more than thirty-two characters";
  const link = await createAnswerLink(question as Question, { url: "https://host.example", secret, by: "ann" });
  const handle = createAnswerHandler({ turns, secret, timeoutMs: 20, ...options(turns.store) });
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  const { status } = await handle(new Request(link, body === undefined ? {} : { method: "POST", body, headers }));
  return { status: String(status) };
}

/** A turn's `refuse` that fails or answers nonsense refuses. */
const REFUSED: Case["expected"] = {
  rejects: "hook-failed",
  throws: "hook-failed",
  "never settles": "hook-failed",
  "answers a number": "blocked",
};

/** The parts of a tool whose calls `external` of the dispatcher executes. */
const externalParts = {
  external: true,
  execute: undefined,
  output: { type: "string" },
  limits: { timeoutSeconds: 0.02 },
};

const CASES: { readonly [path: string]: Case } = {
  "toAiSdkTools.turnId": storedTurn((dispatcher, stored) => {
    const { act } = toAiSdkTools(dispatcher, stored);
    return Promise.resolve(act?.execute?.({}, { toolCallId: "1" }));
  }),
  "completeAiSdkCalls.turnId": storedTurn(async (dispatcher, stored) => {
    const given = { type: "tool-result", toolCallId: "1", toolName: "theirs", output: { type: "text", value: "" } };
    return await completeAiSdkCalls(dispatcher, [{ role: "tool", content: [given] }], stored);
  }),
  "toLangChainTools.turnId": storedTurn((dispatcher, stored) => {
    type Run = Parameters<ToLangChainToolsOptions<unknown, object, object>["tool"]>[0];
    const tool = (run: Run): { readonly run: Run } => ({ run });
    const [made] = toLangChainTools(dispatcher, { tool, ToolMessage: Object, ...stored });
    return Promise.resolve(made?.run({}, {}));
  }),
  "toMastraTools.turnId": storedTurn((dispatcher, stored) => {
    const { act } = toMastraTools(dispatcher, {
      createTool: (options: Parameters<ToMastraToolsOptions<unknown, object>["createTool"]>[0]) => options,
      ...stored,
    });
    return Promise.resolve(act?.execute({}, {}));
  }),
  "toOpenAIAgentsTools.turnId": storedTurn((dispatcher, stored) => {
    const [tool] = toOpenAIAgentsTools(dispatcher, {
      tool: (options: Parameters<ToOpenAIAgentsToolsOptions<unknown, object>["tool"]>[0]) => options,
      ...stored,
    });
    return Promise.resolve(tool?.execute({}));
  }),
  "createDispatcher.external": {
    run: (execute) => outcome({ external: execute }, externalParts as never),
    expected: { rejects: "threw", throws: "threw", "never settles": "timeout", "answers a number": "invalid-output" },
  },
  "createDispatcher.features": {
    run: (features) => outcome({ features }, { visibility: { featureGate: "gate" } }),
    expected: "unknown-tool",
  },
  "createDispatcher.hooks.transform": hook("hook-failed", "transform", false),
  "createDispatcher.hooks.transform[]": hook("hook-failed", "transform", true),
  "createDispatcher.hooks.guard": hook("hook-failed", "guard", false),
  "createDispatcher.hooks.guard[]": hook("hook-failed", "guard", true),
  "createDispatcher.hooks.post": hook("ok", "post", false),
  "createDispatcher.hooks.post[]": hook("ok", "post", true),
  "createAnswerHandler.signedIn": {
    run: async (signedIn) => (await openLink(() => ({ signedIn }))).status,
    expected: "403",
  },
  "createAnswerHandler.turns.answer": {
    run: async (answer) => (await openLink((store) => ({ turns: { answer, store } }), "decision=allow")).status,
    expected: "503",
  },
  "durableCalls.mayAnswer": {
    run: async (mayAnswer) => {
      const act = buildTool({ name: "act", description: "Acts.", input: object, ...asks, execute: () => "done" });
      const turns = openTurns({ tools: [act], hookTimeoutMs: 20 }, { store: memoryCallStore(), mayAnswer });
      const waiting = await turns.run([{ id: "1", name: "act", input: {} }], { turnId: "t" });
      const [question] = waiting.status === "waiting" ? waiting.questions : [];
      const answer = await turns.answer(question?.id ?? "", { decision: "allow" });
      return answer.accepted ? "accepted" : answer.reason;
    },
    expected: "not-permitted",
  },
  "listExternals.onDamage": {
    run: async (onDamage) => {
      const damaged = {
        turnId: "t",
        callId: "1",
        toolName: "act",
        to: "reserved",
        at: "2030-01-31T00:00:00Z",
      } as const;
      const store: CallStore = {
        ...memoryCallStore(),
        records: async () => [damaged],
        read: async () => {
          throw new Error("damaged");
        },
      };
      return `${(await listExternals(store, { onDamage })).length} found`;
    },
    expected: "0 found",
  },
  "liveTools[].tools[].execute": {
    run: (execute) => callServer(server({ execute, limits: { timeoutSeconds: 0.02 } })),
    expected: { rejects: "threw", throws: "threw", "never settles": "timeout", "answers a number": "ok" },
  },
  "liveTools[].tools[].dialects{}.definition": definition((made) =>
    createDispatcher({ tools: [], ...serving([server({ dialects: { mcp: { definition: made } } })]) }).definitions(
      "mcp",
    ),
  ),
  "createDispatcher.onEvent": listener((onEvent) => outcome({ onEvent })),
  "createDispatcher.onProgress": listener((onProgress) =>
    outcome({ onProgress }, { execute: (_input, { progress }) => progress(1) }),
  ),
  "createDispatcher.permissions.ask": {
    run: (ask) => outcome({ permissions: { ask } }, asks, { signal: AbortSignal.timeout(30) }),
    // A person has time; the end of the session ends the question.
    expected: { rejects: "denied", throws: "denied", "never settles": "aborted", "answers a number": "denied" },
  },
  "createDispatcher.permissions.check": {
    run: (check) => outcome({ permissions: { check } }, asks),
    expected: "denied",
  },
  "createDispatcher.permissions.rules[].when": {
    run: (when) => outcome({ permissions: { rules: [{ tool: "act", when, decision: "deny" }] } }),
    expected: "denied",
  },
  "liveTools.refresh": {
    run: (refresh) => outcome({ extensions: [informationFlow, liveTools([], { refresh })] }),
    expected: "ok",
  },
  "createDispatcher.refreshTools": {
    run: (refreshTools) => outcome({ refreshTools }),
    expected: "ok",
  },
  "storedResults.put": { run: (put) => outcome({ extensions: [storedResults({ put })] }, long), expected: "ok" },
  "createDispatcher.retryDelayMs": {
    run: async (retryDelayMs) => {
      let attempts = 0;
      const execute = (): never => {
        attempts += 1;
        throw Object.assign(new Error("again"), { retryable: true });
      };
      await outcome({ retryDelayMs }, { execute, limits: { maxRetries: 2 } });
      return `${attempts} attempts`;
    },
    expected: {
      rejects: "1 attempts",
      throws: "1 attempts",
      "never settles": "1 attempts",
      "answers a number": "3 attempts",
    },
  },
  "createMcpHandler.authenticate": {
    run: (authenticate) => overHttp({ authenticate }),
    expected: { rejects: "500", throws: "500", "never settles": "500", "answers a number": "401" },
  },
  "createMcpHandler.answerLink": {
    run: (answerLink) => overHttp({ answerLink, durable: durableCalls({ store: memoryCallStore() }) }, asks),
    expected: "the command",
  },
  "createMcpHandler.context": {
    run: (context) => overHttp({ context }),
    expected: { rejects: "500", throws: "500", "never settles": "500", "answers a number": "ok" },
  },
  "createMcpHandler.external": {
    run: (execute) => overHttp({ external: execute }, externalParts as never),
    expected: "refused",
  },
  "createMcpHandler.features": {
    run: (features) => overHttp({ features }, { visibility: { featureGate: "gate" } }),
    expected: "refused",
  },
  ...Object.fromEntries(
    (["transform", "guard", "post"] as const).flatMap((phase) =>
      [false, true].map((inList): [string, Case] => [
        `createMcpHandler.hooks.${phase}${inList ? "[]" : ""}`,
        {
          run: (callback) => overHttp({ hooks: { [phase]: inList ? [callback] : callback } }),
          expected: phase === "post" ? "ok" : "refused",
        },
      ]),
    ),
  ),
  "createMcpHandler.onEvent": listener((onEvent) => overHttp({ onEvent })),
  "createMcpHandler.onProblem": {
    run: (onProblem) => overHttp({ onProblem, context: () => Promise.reject(new Error("gone")) }),
    expected: "500",
  },
  "createMcpHandler.permissions.check": {
    run: (check) => overHttp({ permissions: { check } }, asks),
    expected: "refused",
  },
  "createMcpHandler.permissions.rules[].when": {
    run: (when) => overHttp({ permissions: { rules: [{ tool: "act", when, decision: "deny" }] } }),
    expected: "refused",
  },
  "createMcpHandler.toolsets{}.policy.rules[].when": {
    run: (when) =>
      overHttp({
        authenticate: () => ({ principal: "ann", toolsets: ["all"] }),
        toolsets: { all: { tools: ["act"], policy: { rules: [{ tool: "act", when, decision: "deny" }] } } },
      }),
    expected: "refused",
  },
  "createMcpHandler.limit": {
    run: (limit) => overHttp({ limit }),
    expected: { rejects: "500", throws: "500", "never settles": "500", "answers a number": "429" },
  },
  "createMcpHandler.refuseCall": {
    run: (refuseCall) => overHttp({ refuseCall }),
    expected: { rejects: "500", throws: "500", "never settles": "500", "answers a number": "403" },
  },
  "createMcpHandler.sdk": { run: (sdk) => overHttp({ sdk }), expected: "500" },
  "Dispatcher.dispatch.onProgress": listener((onProgress) =>
    outcome({}, { execute: (_input, { progress }) => progress(1) }, { onProgress }),
  ),
  "Dispatcher.dispatch.onResult": listener((onResult) => outcome({}, {}, { onResult })),
  "Dispatcher.dispatch.refuse": { run: (refuse) => outcome({}, {}, { refuse }), expected: REFUSED },
  "Dispatcher.openTurn.refuse": { run: (refuse) => streamed({ refuse }), expected: REFUSED },
  "StoredTurns.run.refuse": { run: (refuse) => stored({ refuse }, {}), expected: REFUSED },
  "StoredTurns.resume.refuse": { run: (refuse) => stored({}, { refuse }), expected: REFUSED },
  "Dispatcher.openTurn.onProgress": listener((onProgress) => streamed({ onProgress })),
  "Dispatcher.openTurn.onResult": listener((onResult) => streamed({ onResult })),
  "StoredTurns.run.onProgress": listener((onProgress) => stored({ onProgress }, {})),
  "StoredTurns.resume.onProgress": listener((onProgress) => stored({}, { onProgress })),
  "buildTool.behavior.destination": {
    run: async (destination) => {
      const asked: unknown[] = [];
      const ask = ({ flow }: PermissionRequest): "deny" => {
        asked.push(flow?.destination);
        return "deny";
      };
      const sink = { name: "act", description: "Acts.", input: object, execute: () => "done" };
      const tool = buildTool({
        ...sink,
        behavior: { requiresPermission: false, isDestructive: false, destination } as never,
      });
      const dispatcher = createDispatcher({
        tools: [tool],
        permissions: { ask },
        flow: "ask",
        extensions: [informationFlow],
      });
      for (const id of ["1", "2"]) await dispatcher.dispatch([{ id, name: "act", input: {} }]);
      return asked.length === 1 && (asked[0] === undefined || asked[0] === 7) ? "asked" : "not asked";
    },
    expected: "asked",
  },
  "buildTool.behavior.isReadOnly.when": flag("isReadOnly", "when"),
  "buildTool.behavior.isReadOnly.unless": flag("isReadOnly", "unless"),
  "buildTool.behavior.isDestructive.when": flag("isDestructive", "when"),
  "buildTool.behavior.isDestructive.unless": flag("isDestructive", "unless"),
  "buildTool.behavior.isOpenWorld.when": flag("isOpenWorld", "when"),
  "buildTool.behavior.isOpenWorld.unless": flag("isOpenWorld", "unless"),
  "buildTool.behavior.returnsUntrusted.when": flag("returnsUntrusted", "when"),
  "buildTool.behavior.returnsUntrusted.unless": flag("returnsUntrusted", "unless"),
  "buildTool.behavior.returnsPrivate.when": flag("returnsPrivate", "when"),
  "buildTool.behavior.returnsPrivate.unless": flag("returnsPrivate", "unless"),
  "buildTool.behavior.isIdempotent.when": flag("isIdempotent", "when"),
  "buildTool.behavior.isIdempotent.unless": flag("isIdempotent", "unless"),
  "buildTool.behavior.requiresPermission.when": flag("requiresPermission", "when"),
  "buildTool.behavior.requiresPermission.unless": flag("requiresPermission", "unless"),
  "buildTool.concurrency.key": {
    run: async (key) => {
      let running = 0;
      let most = 0;
      const write = buildTool({
        name: "act",
        description: "Acts.",
        input: object,
        concurrency: { class: "WRITE_EXCLUSIVE", key: key as never },
        behavior: { requiresPermission: false, isDestructive: false },
        execute: async () => {
          most = Math.max(most, ++running);
          await new Promise((resume) => setTimeout(resume, 5));
          running -= 1;
        },
      });
      const calls = ["1", "2"].map((id) => ({ id, name: "act", input: {} }));
      await createDispatcher({ tools: [write] }).dispatch(calls);
      return most === 1 ? "one at a time" : "in parallel";
    },
    expected: "one at a time",
  },
  "buildTool.concurrency.rules[].when": {
    run: async (when) => {
      // A milder row after the broken one must not decide, nor may what the broken one leaves out.
      const rules = [
        { when, class: "WRITE_EXCLUSIVE", requiresPermission: false } as const,
        { when: () => true, class: "READ_ONLY" } as const,
      ];
      const tool = buildTool({
        name: "act",
        description: "Acts.",
        input: object,
        concurrency: { rules },
        execute: () => 1,
      });
      return JSON.stringify(Object.values(tool.classify({})).toSorted());
    },
    expected: JSON.stringify(["UNSAFE", false, false, true, true, true, true, true]),
  },
  "buildTool.dialects{}.definition": definition((made) => {
    const dialects = { mcp: { definition: made } };
    const tool = buildTool({ name: "act", description: "Acts.", input: object, dialects, execute: () => 1 });
    createDispatcher({ tools: [tool] }).definitions("mcp");
  }),
  "buildTool.visibility.describe": {
    run: async (describe) => {
      const visibility = { describe: describe as () => string };
      const parts = { description: "As it is.", needs: { context: ["plan"] }, visibility };
      const tool = buildTool({ name: "act", input: object, execute: () => "done", ...parts });
      const [entry] = createDispatcher({ tools: [tool] }).definitions("mcp", { context: { plan: "free" } });
      return String(entry?.description);
    },
    expected: "As it is.",
  },
  "buildTool.display.running": displayed("running"),
  "buildTool.display.done": displayed("done"),
  "buildTool.display.failed": displayed("failed"),
  "buildTool.display.rejected": displayed("rejected"),
  "buildTool.display.progress": displayed("progress"),
  "buildTool.execute": {
    run: (execute) => outcome({}, { execute, output: { type: "string" }, limits: { timeoutSeconds: 0.02 } }),
    expected: { rejects: "threw", throws: "threw", "never settles": "timeout", "answers a number": "invalid-output" },
  },
  "buildTool.isEnabled": { run: (isEnabled) => outcome({}, { isEnabled }), expected: "unknown-tool" },
  "buildTool.permit": { run: (permit) => outcome({}, { permit }), expected: "denied" },
  "buildTool.prepare": {
    run: (prepare) => outcome({}, { prepare }),
    expected: {
      rejects: "prepare-failed",
      throws: "prepare-failed",
      "never settles": "prepare-failed",
      "answers a number": "invalid-input",
    },
  },
  "buildTool.validate[]": {
    run: (check) => outcome({}, { validate: [check] }),
    expected: {
      rejects: "check-failed",
      throws: "check-failed",
      "never settles": "check-failed",
      "answers a number": "invalid-input",
    },
  },
  "buildTool.validate[].that": {
    run: (that) => outcome({}, { validate: [{ that, message: "wrong" }] }),
    expected: "check-failed",
  },
  "commandHandler.argv": {
    run: (argv) => brief(commandHandler({ argv })),
    expected: "not-executed",
  },
  "commandHandler.cwd": {
    run: (cwd) => brief(commandHandler({ argv: () => ["true"], cwd })),
    expected: "not-executed",
  },
  "commandHandler.run": {
    run: (run) => brief(commandHandler({ argv: () => ["true"] }, { run })),
    expected: { rejects: "threw", throws: "threw", "never settles": "timeout", "answers a number": "threw" },
  },
  "createPermissions.ask": {
    run: (ask) =>
      outcome({ permissions: createPermissions({ ask }) }, asks, {
        signal: AbortSignal.timeout(30),
      }),
    expected: { rejects: "denied", throws: "denied", "never settles": "aborted", "answers a number": "denied" },
  },
  "createPermissions.check": {
    run: (check) => outcome({ permissions: createPermissions({ check }) }, asks),
    expected: "denied",
  },
  "createPermissions.rules[].when": {
    run: (when) => outcome({ permissions: createPermissions({ rules: [{ tool: "act", when, decision: "deny" }] }) }),
    expected: "denied",
  },
  "fileResultStore.referenceOf": {
    run: (referenceOf) => outcome({ extensions: [storedResults(fileResultStore(folder, { referenceOf }))] }, long),
    expected: "ok",
  },
  "httpConnection.auth.oauth2.refused": {
    run: (refused) => request({ auth: withToken({ refused }) }),
    expected: "401",
  },
  "httpConnection.auth.oauth2.token": {
    run: (token) => request({ auth: withToken({ token }) }),
    expected: "not-executed",
  },
  "httpConnection.auth[].oauth2.refused": {
    run: (refused) => request({ auth: [withToken({ refused })] }),
    expected: "401",
  },
  "httpConnection.auth[].oauth2.token": {
    run: (token) => request({ auth: [withToken({ token })] }),
    expected: "not-executed",
  },
  "httpConnection.fetch": { run: (fetch) => request({ fetch }), expected: "threw" },
  "httpConnection.resolve": { run: (resolve) => request({ resolve, fetch: undefined }), expected: "not-executed" },
  "httpHandler.request": { run: (values) => request({}, { request: values }), expected: "not-executed" },
  "lowerMcpServer.tools[].execute": {
    run: (execute) => callServer(lowered({ execute, limits: { timeoutSeconds: 0.02 } })),
    expected: { rejects: "threw", throws: "threw", "never settles": "timeout", "answers a number": "ok" },
  },
  "lowerMcpServer.tools[].dialects{}.definition": definition((made) =>
    createDispatcher({ tools: [], ...serving([lowered({ dialects: { mcp: { definition: made } } })]) }).definitions(
      "mcp",
    ),
  ),
  "lowerMcpServer.report": listener(async (report) => {
    const prefixItems = [{ type: "string" as const }];
    const inputSchema = { type: "object", properties: { list: { type: "array", prefixItems } } } as const;
    const tools = [{ name: "find", inputSchema, execute: () => "found" }];
    lowerMcpServer({ server: "s", tools }, ["openai-responses-strict"], report);
    return "ok";
  }),
  "mcpConnection.client": {
    run: (client) => brief(mcpHandler(mcpConnection({ name: "s", client: client as never }), { tool: "find" })),
    expected: {
      rejects: "not-executed",
      throws: "not-executed",
      "never settles": "timeout",
      "answers a number": "not-executed",
    },
  },
  "mcpConnection.fetch": {
    run: (fetch) =>
      brief(mcpHandler(mcpConnection({ name: "s", url: "https://service.test/mcp", fetch }), { tool: "find" }), 2),
    expected: {
      rejects: "not-executed",
      throws: "not-executed",
      "never settles": "timeout",
      "answers a number": "not-executed",
    },
  },
  "mcpHandler.input": {
    run: (input) => {
      const client = { listTools: async () => ({ tools: [] }), callTool: async () => ({ content: [] }) };
      return brief(
        mcpHandler(mcpConnection({ name: "s", client: () => client }), { tool: "find", input: input as never }),
      );
    },
    expected: "not-executed",
  },
  "mcpTools.onProblem": listener(async (onProblem) => {
    const client = { listTools: () => Promise.reject(new Error("gone")), callTool: () => Promise.resolve({}) };
    await expect(mcpTools(client, { server: "s", onProblem })).rejects.toThrow(/gone/);
    return "ok";
  }),
  "registerMcpTools.answerLink": {
    run: async (answerLink) => {
      const server = {
        registerCapabilities: () => undefined,
        assertCanSetRequestHandler: () => undefined,
        sendToolListChanged: async () => undefined,
        getClientCapabilities: () => undefined,
      } as McpServerConnection;
      const [durable, questions] = [durableCalls({ store: memoryCallStore() }), mcpQuestions()];
      const permissions = { ask: questions.ask };
      const dispatcher = createDispatcher({ tools: [asking], extensions: [durable], permissions });
      registerMcpTools(server, dispatcher, { durable, questions, answerLink });
      const call = { method: "tools/call", params: { name: "ask_first" } };
      const answer = await server.fallbackRequestHandler?.(call as never, {} as never);
      return JSON.stringify(answer).includes("hasp calls answer ") ? "the command" : "none";
    },
    expected: "the command",
  },
  "registerMcpTools.onProblem": listener(async (onProblem) => {
    const server = {
      registerCapabilities: () => undefined,
      assertCanSetRequestHandler: () => undefined,
      sendToolListChanged: async () => undefined,
    } as McpServerConnection;
    const store = { ...memoryCallStore(), open: () => Promise.reject(new Error("gone")) };
    const durable = durableCalls({ store });
    const dispatcher = createDispatcher({ tools: [reporting(false)], extensions: [durable] });
    registerMcpTools(server, dispatcher, { durable, onProblem });
    const call = { method: "tools/call", params: { name: "act" } };
    await expect(server.fallbackRequestHandler?.(call as never, {} as never)).rejects.toThrow("cannot be used");
    return "ok";
  }),
  "publicFetch.resolve": {
    run: (resolve) => brief(() => publicFetch({ resolve })("http://service.test/")),
    expected: { rejects: "threw", throws: "threw", "never settles": "timeout", "answers a number": "threw" },
  },
  "sqlConnection.client": {
    run: (client) => brief(sqlHandler(sqlConnection({ name: "db", client }), { text: "SELECT 1" })),
    expected: {
      rejects: "not-executed",
      throws: "not-executed",
      "never settles": "timeout",
      "answers a number": "not-executed",
    },
  },
  "sqlConnection.run": {
    run: (run) => brief(sqlHandler(sqlConnection({ name: "db", run }), { text: "SELECT 1" })),
    expected: { rejects: "threw", throws: "threw", "never settles": "timeout", "answers a number": "threw" },
  },
  "sqlHandler.values": {
    run: (values) =>
      brief(sqlHandler(sqlConnection({ name: "db", run: async () => ({}) }), { text: "SELECT 1", values })),
    expected: "not-executed",
  },
};

/** Calls a handler that has little time. One that loads a package needs more. */
function brief(execute: unknown, timeoutSeconds = 0.02): Promise<string> {
  return outcome({}, { execute: execute as () => unknown, limits: { timeoutSeconds } });
}

// The package of MCP takes longer to load than a callback has.
beforeAll(() => overHttp({ hookTimeoutMs: 60_000 }));

/** Calls over HTTP and returns the refusing status, or the call's outcome. */
async function overHttp(options: McpHandlerOptions, parts: Definition = {}): Promise<string> {
  const act = buildTool<Record<string, unknown>>({
    name: "act",
    description: "Acts.",
    input: object,
    execute: () => "done",
    ...parts,
    concurrency: { class: "READ_ONLY" },
    behavior: { requiresPermission: false, isOpenWorld: false, ...parts.behavior },
  });
  const handler = createMcpHandler([act], { hookTimeoutMs: 20, ...options });
  const body = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"act","arguments":{}}}';
  const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
  const response = await handler(new Request("http://localhost/mcp", { method: "POST", body, headers }));
  if (response.status !== 200) return String(response.status);
  const text = await response.text();
  if (text.includes("hasp calls answer ")) return "the command";
  return text.includes('"isError":false') ? "ok" : "refused";
}

const withToken = (parts: object) => ({ oauth2: { token: async () => "token", refused: () => undefined, ...parts } });

/** The code of a call of an HTTP tool whose service refuses the token. */
async function request(
  connection: Partial<HttpConnectionOptions>,
  declaration: Partial<HttpDeclaration<Record<string, unknown>, unknown>> = {},
): Promise<string> {
  const service = httpConnection({
    name: "service",
    baseUrl: "http://service.test",
    fetch: async () => new Response(null, { status: 401 }),
    timeoutSeconds: 0.02,
    ...connection,
  });
  const code = await outcome({}, { execute: httpHandler(service, { method: "GET", path: "/", ...declaration }) });
  return code === "tool-error" ? "401" : code;
}

function reporting(requiresPermission: boolean): Tool {
  return buildTool({
    name: "act",
    description: "Acts.",
    input: object,
    concurrency: { class: "READ_ONLY" },
    behavior: { requiresPermission },
    execute: (_input, { progress }) => progress(1),
  });
}

/** A stored turn whose call runs in `run`, or after an answer in `resume`, whichever has the callback. */
async function stored(running: TurnOptions, resuming: TurnOptions): Promise<string> {
  const asks = Object.keys(resuming).length > 0;
  const turns = openTurns({ tools: [reporting(asks)] }, { store: memoryCallStore() });
  let outcome = await turns.run([{ id: "1", name: "act", input: {} }], { turnId: "t", ...running });
  if (outcome.status === "waiting") {
    await turns.answer(outcome.questions[0]?.id ?? "", { decision: "allow" });
    outcome = await turns.resume("t", resuming);
  }
  return outcome.results[0]?.error?.code ?? "ok";
}

async function streamed(options: TurnOptions): Promise<string> {
  const turn = createDispatcher({ tools: [reporting(false)] }).openTurn(options);
  turn.push({ id: "1", name: "act", input: {} });
  const [result] = await turn.end();
  return result?.error?.code ?? "ok";
}

test("every callback of the public types has its case", () => {
  expect(Object.keys(CASES).toSorted()).toEqual(findCallbacks());
});

describe.each(Object.entries(CASES))("%s", (_path, { run, expected }) => {
  test.each(Object.keys(BROKEN) as Fault[])("the callback has the expected outcome when it %s", async (fault) => {
    const unhandled: unknown[] = [];
    const note = (reason: unknown): void => void unhandled.push(reason);
    process.on("unhandledRejection", note);
    try {
      const strict = typeof expected === "string" ? expected : expected[fault];
      expect(await run(BROKEN[fault] as unknown as Callback)).toBe(strict);
      await new Promise((done) => setImmediate(done));
    } finally {
      process.off("unhandledRejection", note);
    }
    expect(unhandled).toEqual([]);
  });
});
