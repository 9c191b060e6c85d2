import type { DialectId, JsonObject, JsonSchema, JsonValue } from "@hasp/schema";
import { LONGEST_TIMER, mcpName, messageOf } from "@hasp/runtime/internal";
import type { ExcludedTool, McpServer, McpTool } from "@hasp/runtime";
import { canonicalText, sha256, copyJson } from "@hasp/base/json";
import { guard } from "@hasp/runtime/contract";
import { listAllTools, callMcpTool, type ListedTool, type McpClient } from "./mcp-client.js";
import { refuseGone } from "./call-failure.js";
import { createServerLowering } from "./lower-mcp-server.js";
import { resourceTools } from "./resource-tools.js";

export interface McpToolsOptions {
  /** The id in the names of its tools: `mcp__<server>__<tool>`. */
  readonly server: string;
  /** Lets its hints affect scheduling; they never grant permission. */
  readonly trusted?: boolean | undefined;
  /** The host's claims about its tools, by the server's names: `{ read_file: { isOpenWorld: false } }`. */
  readonly claims?: McpServer["claims"];
  /** `deferred` keeps its tools out of the list until `tool_search` loads them. Default: `normal`. */
  readonly load?: McpTool["load"];
  /** The tools to take, by the server's names. Default: all. */
  readonly only?: readonly string[] | undefined;
  /**
   * Offers its resources through `list_resources` and `read_resource`. Default: true if it has resources and `only`, if
   * given, names these tools.
   */
  readonly resources?: boolean | undefined;
  /** The dialects to lower its schemas to. Default: a dialect lists the tools whose schemas it accepts as given. */
  readonly dialects?: readonly DialectId[] | undefined;
  /** Lets strict dialects close the server's open schemas; undeclared properties can then not be sent. */
  readonly allowNarrowing?: boolean | undefined;
  /**
   * Fingerprints by tool, such as the reviewed `fingerprints` of an earlier connection. A tool without a fingerprint,
   * or with another, is excluded.
   */
  readonly pins?: { readonly [tool: string]: string } | undefined;
  readonly timeoutMs?: number | undefined;
  /** Default 1000. */
  readonly maxTools?: number | undefined;
  /** Limits the texts and schemas of one tool. Default 100 000. */
  readonly maxToolChars?: number | undefined;
  /** Receives the error if a changed list cannot be read; the old tools stay. */
  readonly onProblem?: ((error: Error) => void) | undefined;
}

/** A connected server: `liveTools([connection], { refresh: refreshMcpTools([connection]) })` offers its tools. */
export interface McpConnection extends McpServer {
  /** Tools of the server that are not taken, and the reasons. */
  readonly excluded: readonly ExcludedTool[];
  /** The fingerprints of all tools on offer: once reviewed, the `pins` of the next connection. */
  readonly fingerprints: { readonly [tool: string]: string };
  /** Lists the tools again if the server said that they changed. A server that does not answer keeps its old tools. */
  refresh(): Promise<void>;
  /** Marks the list as changed, for clients with their own notification handlers. */
  changed(): void;
  repin(tools?: readonly string[]): void;
}

/**
 * Connects the tools of a server. A tool whose description, schema or hints change later is excluded until it is
 * pinned again, since a server could otherwise turn on its users. Rejects if the server does not list its tools, and
 * with a `TypeError` for an unknown option.
 */
export async function mcpTools(client: McpClient, options: McpToolsOptions): Promise<McpConnection> {
  checkOptions(options);
  const { server, only, resources = true, timeoutMs = 30_000, maxTools = 1000, maxToolChars = 100_000 } = options;
  const onProblem = guard(options.onProblem);
  const pins = new Map(Object.entries(options.pins ?? {}).map(([name, digest]) => [pinKey(name), digest]));
  const maxPins = pins.size + PINS_PER_TOOL * maxTools;
  const isPinnedBefore = options.pins !== undefined;
  let built: ReadonlyMap<string, McpTool> = new Map();
  const lower = createServerLowering(server, options.dialects ?? [], { allowNarrowing: options.allowNarrowing });
  let offered: readonly ToolOffer[] = [];
  let forResources: ResourceTools | undefined;
  let tools: readonly McpTool[] = [];
  let excluded: readonly ExcludedTool[] = [];
  let isChanged = true;

  /** Lists are read one after the other: a late answer must not replace a newer one. */
  let listing: Promise<void> = Promise.resolve();
  function refresh(): Promise<void> {
    listing = listing.then(renew, renew);
    return listing;
  }

  function changed(): void {
    isChanged = true;
  }

  async function renew(): Promise<void> {
    if (!isChanged) return;
    isChanged = false;
    try {
      const listed = await listAllTools(client, server, { timeoutMs, maxTools });
      const ambiguous = namedTwice(listed);
      offered = listed
        .filter(({ name }) => only === undefined || only.includes(name))
        .map((tool) =>
          ambiguous.has(tool.name) ? { tool, digest: undefined, fault: AMBIGUOUS } : toOffer(tool, maxToolChars),
        );
      take();
    } catch (error) {
      isChanged = true;
      onProblem?.(error instanceof Error ? error : new Error(messageOf(error)));
      throw error;
    }
  }

  function take(): void {
    // Decided once: a tool that the server adds later never replaces a reviewed one.
    forResources ??= divide(resources ? resourceTools(client, options) : [], options, offered);
    const { added, hidden } = forResources;
    const isOffered = (name: string): boolean =>
      offered.some(({ tool }) => tool.name === name) || added.some((tool) => tool.name === name);
    const missing = (only ?? []).filter((name) => !isOffered(name));
    const found: ExcludedTool[] = missing.map((name) => ({ toolName: mcpName(server, name), ...NOT_OFFERED }));
    found.push(...hidden.map(({ name }) => ({ toolName: mcpName(server, name), ...HIDDEN })));
    const reserved = new Set(added.map(({ name }) => mcpName(server, name)));
    const taken = new Map<string, McpTool>();
    for (const { tool, digest, fault } of offered) {
      const toolName = mcpName(server, tool.name);
      const key = pinKey(tool.name);
      if (reserved.has(toolName)) {
        found.push({ toolName, ...RESERVED });
        continue;
      }
      if (digest !== undefined && !pins.has(key) && !isPinnedBefore && pins.size < maxPins) pins.set(key, digest);
      const pin = pins.get(key);
      if (digest === undefined) found.push({ toolName, ...fault });
      else if (pin === undefined) found.push({ toolName, ...(isPinnedBefore ? UNPINNED : TOO_MANY_NAMES) });
      else if (pin !== digest) found.push({ toolName, ...CHANGED });
      // Unchanged tools stay the same object, so that nothing is built or listed again.
      else taken.set(digest, built.get(digest) ?? toMcpTool(client, tool, options, changed));
    }
    built = taken;
    tools = lower([...taken.values(), ...added], ({ tool, dialect, messages }) => {
      found.push({
        toolName: tool,
        code: "not-in-dialect",
        message: `It is not in the list for ${dialect}: ${messages.join(" ")}`,
      });
    });
    excluded = Object.freeze(found);
  }

  const connection: McpConnection = {
    server,
    trusted: options.trusted,
    claims: options.claims,
    isPinned: isPinnedBefore,
    get tools() {
      return tools;
    },
    get excluded() {
      return excluded;
    },
    get fingerprints() {
      return Object.fromEntries(
        offered.flatMap(({ tool, digest }) => (digest === undefined ? [] : [[tool.name, digest]])),
      );
    },
    refresh,
    changed,
    repin(names) {
      for (const { tool, digest } of offered) {
        if (digest !== undefined && (names === undefined || names.includes(tool.name))) {
          pins.set(pinKey(tool.name), digest);
        }
      }
      take();
    },
  };
  listenForChanges(client, connection);
  await refresh();
  return Object.freeze(connection);
}

/**
 * Creates the `refresh` of `liveTools` with these servers. A server that does not answer keeps its tools, and
 * its `onProblem` is called.
 */
export function refreshMcpTools(connections: readonly McpConnection[]): () => Promise<readonly McpServer[]> {
  return async () => {
    await Promise.all(connections.map((connection) => connection.refresh().catch(() => undefined)));
    return connections;
  };
}

/** Throws for an unknown option: it may be a misspelt pin. */
function checkOptions(options: McpToolsOptions): void {
  const unknown = Object.keys(options).find((name) => !OPTIONS.includes(name));
  if (unknown !== undefined) {
    throw new TypeError(`The option \`${unknown}\` of mcpTools is unknown; the options are ${OPTIONS.join(", ")}.`);
  }
}

const OPTIONS: readonly string[] = Object.keys({
  server: true,
  trusted: true,
  claims: true,
  load: true,
  only: true,
  resources: true,
  dialects: true,
  allowNarrowing: true,
  pins: true,
  timeoutMs: true,
  maxTools: true,
  maxToolChars: true,
  onProblem: true,
} satisfies { readonly [option in keyof McpToolsOptions]-?: true });

const NOT_OFFERED = {
  code: "not-offered",
  message: "`only` names this tool, but the server does not list it.",
} as const;
const AMBIGUOUS = {
  code: "name-collision",
  message: "The server lists two tools of this name, so a call could run either; both are excluded.",
} as const;
const HIDDEN = {
  code: "name-collision",
  message:
    "The server has a tool of this name, which is offered instead of the one for its resources. Set `resources: false` if that is intended.",
} as const;
const RESERVED = {
  code: "name-collision",
  message:
    "The server now lists a tool with the name of the one that offers its resources; only the latter is offered.",
} as const;
const UNPINNED = {
  code: "unpinned",
  message: "The tool is not pinned. Review its description, then pin its fingerprint.",
} as const;
const CHANGED = {
  code: "changed-since-pinned",
  message: "The server has changed this tool since it was pinned. Review it, then pin it again.",
} as const;

const TOO_MANY_NAMES = {
  code: "too-many-names",
  message: "The server has offered more names than can be pinned, so this one is excluded. Reconnect to the server.",
} as const;

/** Limits the pinned names per permitted tool, so that renaming cannot fill memory. */
const PINS_PER_TOOL = 10;

/** A longer name is replaced by its digest. */
const MAX_PIN_KEY = 128;

function pinKey(name: string): string {
  return name.length <= MAX_PIN_KEY ? name : sha256(name);
}

interface ToolOffer {
  readonly tool: ListedTool;
  readonly digest: string | undefined;
  readonly fault: { readonly code: string; readonly message: string };
}

interface ResourceTools {
  readonly added: readonly McpTool[];
  readonly hidden: readonly McpTool[];
}

function divide(
  all: readonly McpTool[],
  { server, only }: McpToolsOptions,
  offered: readonly ToolOffer[],
): ResourceTools {
  const own = new Set(offered.map(({ tool }) => mcpName(server, tool.name)));
  const wanted = all.filter(({ name }) => only === undefined || only.includes(name));
  const isHidden = ({ name }: McpTool): boolean => own.has(mcpName(server, name));
  return { added: wanted.filter((tool) => !isHidden(tool)), hidden: wanted.filter(isHidden) };
}

/** Finds repeated names: a pin cannot tell which of two tools a call would run. */
function namedTwice(tools: readonly ListedTool[]): ReadonlySet<string> {
  const seen = new Set<string>();
  return new Set(tools.flatMap(({ name }) => (seen.has(name) ? [name] : (seen.add(name), []))));
}

function toOffer(tool: ListedTool, maxToolChars: number): ToolOffer {
  try {
    const size = JSON.stringify(tool).length;
    if (size > maxToolChars) {
      const message = `Its texts and schemas have ${size} characters, more than the ${maxToolChars} that \`maxToolChars\` allows.`;
      return { tool, digest: undefined, fault: { code: "too-large", message } };
    }
    return { tool, digest: fingerprint(tool), fault: UNPINNED };
  } catch (error) {
    return { tool, digest: undefined, fault: { code: "unusable-schema", message: messageOf(error) } };
  }
}

/** Creates a tool for a dispatcher. `onGone` is called if the server no longer has it, which it may not have announced. */
function toMcpTool(
  client: McpClient,
  tool: ListedTool,
  { server, load }: McpToolsOptions,
  onGone: () => void,
): McpTool {
  const { name, title, description, annotations } = tool;
  const refuse = async (answer: unknown): Promise<void> => {
    await refuseGone(answer, { client, server, tool: name }).catch((error: unknown) => {
      onGone();
      throw error;
    });
  };
  return Object.freeze<McpTool>({
    name,
    title,
    description,
    inputSchema: tool.inputSchema as JsonSchema,
    outputSchema: tool.outputSchema as JsonSchema | undefined,
    annotations: annotations === undefined ? undefined : { ...annotations },
    load,
    async execute(input: JsonObject, { signal, progress }) {
      const params = { name, arguments: { ...input } };
      const bounds = { signal, timeout: LONGEST_TIMER, onprogress: (update: object) => progress({ ...update }) };
      let answer: unknown;
      try {
        answer = await callMcpTool(client, params, bounds);
      } catch (error) {
        if (!signal.aborted) await refuse(error);
        throw error;
      }
      await refuse(answer);
      return answer;
    },
  });
}

function listenForChanges(client: McpClient, connection: McpConnection): void {
  const inherited = client.fallbackNotificationHandler;
  client.fallbackNotificationHandler = async (notification: { readonly method: string }) => {
    if (notification.method === "notifications/tools/list_changed") connection.changed();
    await inherited?.(notification as never);
  };
}

/** Digests all that a server says about a tool. Throws if it is not JSON. */
function fingerprint({ name, title, description, inputSchema, outputSchema, annotations }: ListedTool): string {
  const said: JsonValue = copyJson({ name, title, description, inputSchema, outputSchema, annotations });
  return sha256(canonicalText(said));
}
