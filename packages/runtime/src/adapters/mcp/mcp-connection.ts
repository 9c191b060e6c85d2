import { untilAborted } from "../../dispatch/scheduling/until-aborted.js";
import { messageOf } from "../../results/text.js";
import { NotExecuted } from "../../results/tool-result.js";
import { Redactor, SecretPatterns, type SecretHolder } from "../../secrets/redactor.js";
import { dependsOnContext, secretReader } from "./connection-secrets.js";
import type { McpClient } from "./mcp-client.js";
import { openMcpClient, type McpEndpoint, type OpenClient } from "./open-mcp-client.js";

/** Settings of {@link mcpConnection}: a name, and a server or a client of the host's own. */
export type McpConnectionOptions<Context = unknown> = {
  readonly name: string;
  /** Seconds in which the server must have started and answered. Default 30. */
  readonly timeoutSeconds?: number | undefined;
  /** The most megabytes of a message of the server. Default 10. */
  readonly maxMessageMb?: number | undefined;
} & (McpEndpoint<Context> | { readonly client: (context: Context) => McpClient });

/** A client for one call. */
export interface BorrowedClient {
  readonly client: McpClient;
  /** What the connection has read and received for it: no result may hold it. */
  readonly secrets: SecretHolder;
  /** Says that the client is of no more use: the next call has another. */
  discard(): void;
  /** Says that the call is over. */
  release(): void;
}

/** A server that handlers share. */
export interface McpHandlerConnection<Context = unknown> {
  readonly name: string;
  /** Gives a connected client. Rejects with `NotExecuted` if there is none. */
  borrow(options: { readonly context: Context; readonly signal: AbortSignal }): Promise<BorrowedClient>;
  /** Closes what the connection has opened itself. A later call connects again. */
  close(): Promise<void>;
}

/**
 * Names an MCP server. It is started, or connected to, on the first call; all calls share that client, and after its
 * end the next call connects again. A program that no call waits for does not keep this process running. A client of
 * the host's own is used as it is.
 */
export function mcpConnection<Context = unknown>(
  options: McpConnectionOptions<Context>,
): McpHandlerConnection<Context> {
  const { name, timeoutSeconds = 30, maxMessageMb = 10 } = options;
  if (!(timeoutSeconds > 0)) throw new TypeError(`mcpConnection: \`timeoutSeconds\` of ${name} must be above 0.`);
  if ("url" in options && !/^https?:$/u.test(new URL(options.url).protocol)) {
    throw new TypeError(`mcpConnection: \`url\` of ${name} must be an http: or https: URL.`);
  }
  const shared = {};
  const isPerContext = "url" in options && dependsOnContext([options.auth, options.headers]);
  const clients = new Map<object, Entry>();
  const patterns = new SecretPatterns();

  const open = (endpoint: McpEndpoint<never>, context: unknown): Entry => {
    const key = isPerContext && typeof context === "object" && context !== null ? context : shared;
    const known = clients.get(key);
    if (known !== undefined) return known;
    const secrets = new Redactor(patterns, MOST_SECRETS);
    const discard = (): void => {
      if (clients.get(key) === entry) clients.delete(key);
    };
    const settings = {
      name,
      timeoutSeconds,
      maxMessageMb,
      secrets,
      read: secretReader(name, context, secrets),
      onClose: discard,
    };
    const entry: Entry = {
      secrets,
      discard,
      opened: undefined,
      opening: openMcpClient(endpoint, settings),
    };
    clients.set(key, entry);
    entry.opening.then((client) => (entry.opened = client), discard);
    return entry;
  };

  return {
    name,
    async borrow({ context, signal }) {
      if ("client" in options) return { client: await ownClient(name, options.client, context), ...NOTHING };
      const { opened, opening, secrets, discard } = open(options as McpEndpoint<never>, context);
      const { client, hold } = opened ?? (await untilAborted(opening, signal));
      return { client, secrets, discard, release: hold() };
    },
    async close() {
      const all = [...clients.values()];
      clients.clear();
      await Promise.all(all.map(({ opening }) => opening.then((client) => client.close()).catch(() => undefined)));
    },
  };
}

/** A client lives longer than its tokens: the oldest are forgotten. */
const MOST_SECRETS = 200;

/** A client, and how far it is. */
interface Entry {
  readonly opening: Promise<OpenClient>;
  opened: OpenClient | undefined;
  readonly secrets: Redactor;
  discard(): void;
}

const NOTHING = { secrets: {}, discard: () => undefined, release: () => undefined };

async function ownClient<Context>(
  name: string,
  client: (context: Context) => McpClient,
  context: Context,
): Promise<McpClient> {
  let given: unknown;
  try {
    given = await client(context);
  } catch (error) {
    throw new NotExecuted(`the host provided no MCP client for ${name}: ${messageOf(error)}`, { cause: error });
  }
  if (typeof (given as McpClient | null | undefined)?.callTool === "function") return given as McpClient;
  throw new NotExecuted(`the context has no MCP client for ${name}`);
}
