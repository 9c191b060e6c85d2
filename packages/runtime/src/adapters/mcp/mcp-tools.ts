import type { DialectId, JsonObject, JsonSchema } from "@hasp/schema";
import type { ExcludedTool, McpServer, McpTool } from "../../dispatch/state/dispatcher-types.js";
import { mcpName } from "../../dispatch/registry/mcp-entry.js";
import { sha256 } from "../../json/sha256.js";
import { messageOf } from "../../results/text.js";
import { safely } from "../../tool/callback.js";
import { fingerprint } from "./fingerprint.js";
import { listAllTools } from "./list-all-tools.js";
import { createServerLowering } from "./lower-mcp-server.js";
import { callMcpTool, type ListedTool, type McpClient } from "./mcp-client.js";

/** How a live server's tools enter a dispatcher. */
export interface McpToolsOptions {
  /** The id that its tools' names bear: `mcp__<server>__<tool>`. */
  readonly server: string;
  /** Its hints may decide what runs beside what; they never grant permission. */
  readonly trusted?: boolean | undefined;
  /** Keeps its tools out of the list until `tool_search` loads them. */
  readonly shouldDefer?: boolean | undefined;
  /** Take these tools only, named as the server does. */
  readonly only?: readonly string[] | undefined;
  /** Dialects to lower its schemas to. Without them the schemas are listed as given, where a dialect takes that. */
  readonly dialects?: readonly DialectId[] | undefined;
  /** Let strict dialects close what the server leaves open, as most do: undeclared properties cannot be sent then. */
  readonly allowNarrowing?: boolean | undefined;
  /**
   * Fingerprints by tool, such as `fingerprints` of an earlier connection that somebody has reviewed: a tool that is
   * not among them, or says something else by now, is left out.
   */
  readonly pins?: { readonly [tool: string]: string } | undefined;
  /** Milliseconds that listing may take. Default 30 000. */
  readonly timeoutMs?: number | undefined;
  /** Default 1000. */
  readonly maxTools?: number | undefined;
  /** Characters that the texts and schemas of one tool may have together. Default 100 000. */
  readonly maxToolChars?: number | undefined;
  /** Hears of a list that changed and could not be had; the old tools stay. */
  readonly onProblem?: ((error: Error) => void) | undefined;
}

/** A live server in the hands of a dispatcher: pass it as `mcp: [connection]` and its `refresh` as `refreshTools`. */
export interface McpConnection extends McpServer {
  /** Tools that the server offers and that are not taken, and why. */
  readonly excluded: readonly ExcludedTool[];
  /** By tool, for all that the server offers: once reviewed, these are the `pins` of the next connection. */
  readonly fingerprints: { readonly [tool: string]: string };
  /** Lists the tools again if the server said that they changed. A server that does not answer keeps its old ones. */
  refresh(): Promise<void>;
  /** Says that the list has changed, for clients whose notifications somebody else handles. */
  changed(): void;
  /** Takes what the server says of these tools now (of all, by default) from the next turn on. */
  repin(tools?: readonly string[]): void;
}

/**
 * The tools of a connected server, to be validated, permitted and scheduled like all others. What the server said first
 * is pinned: a tool whose description, schema or hints change later is left out until it is pinned anew, for this is
 * how a server turns on its users. Throws where the server does not list its tools, and a `TypeError` for a misspelt
 * option.
 */
export async function mcpTools(client: McpClient, options: McpToolsOptions): Promise<McpConnection> {
  checkOptions(options);
  const { server, only, timeoutMs = 30_000, maxTools = 1000, maxToolChars = 100_000 } = options;
  const onProblem = safely(options.onProblem);
  const pins = new Map(Object.entries(options.pins ?? {}).map(([name, digest]) => [pinKey(name), digest]));
  const maxPins = pins.size + PINS_PER_TOOL * maxTools;
  const isPinnedBefore = options.pins !== undefined;
  let built: ReadonlyMap<string, McpTool> = new Map();
  const lower = createServerLowering(server, options.dialects ?? [], { allowNarrowing: options.allowNarrowing });
  let offered: readonly Offer[] = [];
  let tools: readonly McpTool[] = [];
  let excluded: readonly ExcludedTool[] = [];
  let isChanged = true;

  /** One list after the other: an answer that comes late must not take the place of a newer one. */
  let listing: Promise<void> = Promise.resolve();
  function refresh(): Promise<void> {
    listing = listing.then(renew, renew);
    return listing;
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

  /** Decides which of the offered tools are taken. */
  function take(): void {
    const missing = (only ?? []).filter((name) => !offered.some(({ tool }) => tool.name === name));
    const found: ExcludedTool[] = missing.map((name) => ({ toolName: mcpName(server, name), ...NOT_OFFERED }));
    const taken = new Map<string, McpTool>();
    for (const { tool, digest, fault } of offered) {
      const toolName = mcpName(server, tool.name);
      const key = pinKey(tool.name);
      if (digest !== undefined && !pins.has(key) && !isPinnedBefore && pins.size < maxPins) pins.set(key, digest);
      const pin = pins.get(key);
      if (digest === undefined) found.push({ toolName, ...fault });
      else if (pin === undefined) found.push({ toolName, ...(isPinnedBefore ? UNPINNED : TOO_MANY_NAMES) });
      else if (pin !== digest) found.push({ toolName, ...CHANGED });
      // The same object as long as the server says the same, so that nothing is built or listed again.
      else taken.set(digest, built.get(digest) ?? toMcpTool(client, tool, options));
    }
    built = taken;
    tools = lower([...taken.values()], ({ tool, dialect, messages }) => {
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
    changed() {
      isChanged = true;
    },
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
 * For `refreshTools` of a dispatcher with several servers: each brings its list up to date between turns. One that does
 * not answer keeps its tools, and the others go on; its `onProblem` hears of it.
 */
export function refreshMcpTools(
  connections: readonly McpConnection[],
): () => Promise<{ readonly mcp: readonly McpServer[] }> {
  return async () => {
    await Promise.all(connections.map((connection) => connection.refresh().catch(() => undefined)));
    return { mcp: connections };
  };
}

/** An option that goes unheard may be the pin that was to guard the host. */
function checkOptions(options: McpToolsOptions): void {
  const unknown = Object.keys(options).find((name) => !OPTIONS.includes(name));
  if (unknown !== undefined) {
    throw new TypeError(`The option \`${unknown}\` of mcpTools is unknown; known are ${OPTIONS.join(", ")}.`);
  }
}

const OPTIONS: readonly string[] = Object.keys({
  server: true,
  trusted: true,
  shouldDefer: true,
  only: true,
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
  message: "The server lists no tool of this name; `only` asks for it.",
} as const;
const AMBIGUOUS = {
  code: "name-collision",
  message: "The server lists two tools of this name, so nobody can say which one a call would run; both are left out.",
} as const;
const UNPINNED = {
  code: "unpinned",
  message: "The tool is not pinned. Review what the server says of it, then pin its fingerprint.",
} as const;
const CHANGED = {
  code: "changed-since-pinned",
  message: "The server says something else of this tool than when it was pinned. Review it, then pin it anew.",
} as const;

const TOO_MANY_NAMES = {
  code: "too-many-names",
  message: "The server has offered more names than can be pinned, so that this one is not taken. Connect to it again.",
} as const;

/** How many names may be pinned for each tool that a server may list: one that renames its tools must not fill memory. */
const PINS_PER_TOOL = 10;

/** The longest name that is kept as it is; of a longer one the digest is. */
const MAX_PIN_KEY = 128;

function pinKey(name: string): string {
  return name.length <= MAX_PIN_KEY ? name : sha256(name);
}

/** The dispatcher's timer rules; the client's own must not end a call before. */
const LONGEST_MS = 2 ** 31 - 1;

interface Offer {
  readonly tool: ListedTool;
  /** `undefined` where the tool cannot be taken at all. */
  readonly digest: string | undefined;
  readonly fault: { readonly code: string; readonly message: string };
}

/** A pin that one tool of two still fits says nothing of what a call by their name runs. */
function namedTwice(tools: readonly ListedTool[]): ReadonlySet<string> {
  const seen = new Set<string>();
  return new Set(tools.flatMap(({ name }) => (seen.has(name) ? [name] : (seen.add(name), []))));
}

function toOffer(tool: ListedTool, maxToolChars: number): Offer {
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

function toMcpTool(client: McpClient, tool: ListedTool, { shouldDefer }: McpToolsOptions): McpTool {
  const { name, title, description, annotations } = tool;
  return Object.freeze<McpTool>({
    name,
    title,
    description,
    inputSchema: tool.inputSchema as JsonSchema,
    outputSchema: tool.outputSchema as JsonSchema | undefined,
    annotations: annotations === undefined ? undefined : { ...annotations },
    shouldDefer,
    execute: (input: JsonObject, { signal, progress }) =>
      callMcpTool(
        client,
        { name, arguments: { ...input } },
        { signal, timeout: LONGEST_MS, onprogress: (update) => progress({ ...update }) },
      ),
  });
}

/** Hears of `list_changed` where nobody else does; all other notifications go where they went before. */
function listenForChanges(client: McpClient, connection: McpConnection): void {
  const inherited = client.fallbackNotificationHandler;
  client.fallbackNotificationHandler = async (notification: { readonly method: string }) => {
    if (notification.method === "notifications/tools/list_changed") connection.changed();
    await inherited?.(notification as never);
  };
}
