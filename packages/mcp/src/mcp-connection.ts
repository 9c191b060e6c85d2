import { NotExecuted } from "@hasp/runtime";
import { type SecretHolder, Redactor, SecretPatterns, messageOf, untilAborted } from "@hasp/runtime/internal";
import { sha256 } from "@hasp/base/json";
import { contextNames, pickMembers, secretReader } from "./connection-secrets.js";
import type { McpClient } from "./mcp-client.js";
import { openMcpClient, type McpEndpoint, type OpenClient } from "./open-mcp-client.js";

/** Settings of {@link mcpConnection}: a name, and a server or a client of the host's own. */
export type McpConnectionOptions<Context = unknown> = {
  readonly name: string;
  /** The time for the server to start and answer. Default 30. */
  readonly timeoutSeconds?: number | undefined;
  readonly maxMessageMb?: number | undefined;
} & (McpEndpoint<Context> | { readonly client: (context: Context) => McpClient });

interface BorrowedClient {
  readonly client: McpClient;
  /** The secrets that the connection has used, to be kept out of results. */
  readonly secrets: SecretHolder;
  discard(): void;
  release(): void;
}

/** A server that handlers share. */
export interface McpHandlerConnection<Context = unknown> {
  readonly name: string;
  /** Lends a connected client. Rejects with `NotExecuted` if there is none. */
  borrow(options: { readonly context: Context; readonly signal: AbortSignal }): Promise<BorrowedClient>;
  /** Ends everything that the connection has opened itself, and keeps this process running until then. A later call connects again. */
  close(): Promise<void>;
}

/**
 * Names an MCP server, to which the first call connects. All calls share a client, or those with the same values of
 * the context do; such a client ends a minute after its last call. A program without a pending call does not keep this
 * process running. A client of the host's own is used as it is.
 */
export function mcpConnection<Context = unknown>(
  options: McpConnectionOptions<Context>,
): McpHandlerConnection<Context> {
  const { name, timeoutSeconds = 30, maxMessageMb = 10 } = options;
  if (!(timeoutSeconds > 0)) throw new TypeError(`mcpConnection: \`timeoutSeconds\` of ${name} must be above 0.`);
  if ("url" in options && !/^https?:$/u.test(new URL(options.url).protocol)) {
    throw new TypeError(`mcpConnection: \`url\` of ${name} must be an http: or https: URL.`);
  }
  const names = "url" in options ? contextNames([options.auth, options.headers]) : [];
  /** By the digest of its values of the context, least recently used first. */
  const clients = new Map<string, SharedClient>();
  const patterns = new SecretPatterns();
  const ending = new Set<Promise<void>>();

  /** Closes a client, and remembers that until it is done. */
  const end = ({ discard, opening }: SharedClient): void => {
    discard();
    const ended = opening
      .then((client) => client.close())
      .catch(() => undefined)
      .finally(() => ending.delete(ended));
    ending.add(ended);
  };

  const open = (endpoint: McpEndpoint<never>, context: unknown): SharedClient => {
    const members = pickMembers(context, names);
    const key = names.length === 0 ? "" : sha256(JSON.stringify(Object.values(members)));
    const known = clients.get(key);
    if (known !== undefined) {
      clients.delete(key);
      clients.set(key, known);
      return known;
    }
    makeRoom();
    const secrets = new Redactor(patterns, MOST_SECRETS);
    const discard = (): void => {
      clearTimeout(entry.idle);
      if (clients.get(key) === entry) clients.delete(key);
    };
    const settings = {
      name,
      timeoutSeconds,
      maxMessageMb,
      secrets,
      read: secretReader(name, members, secrets),
      onClose: discard,
    };
    const entry: SharedClient = {
      secrets,
      discard,
      opened: undefined,
      calls: 0,
      idle: undefined,
      opening: openMcpClient(endpoint, settings),
    };
    clients.set(key, entry);
    entry.opening.then((client) => (entry.opened = client), discard);
    return entry;
  };

  /** Closes the least recently used client if another would be too many. */
  function makeRoom(): void {
    if (clients.size < MOST_CLIENTS) return;
    const unused = [...clients.values()].find(({ calls }) => calls === 0);
    if (unused === undefined) {
      throw Object.assign(new NotExecuted(`${name} has ${MOST_CLIENTS} connections at work, and opens no more`), {
        retryable: true,
      });
    }
    end(unused);
  }

  /** Counts a running call. After the last one, a client for some values of a context is closed once it is idle. */
  function hold(entry: SharedClient): () => void {
    entry.calls += 1;
    clearTimeout(entry.idle);
    return () => {
      entry.calls -= 1;
      if (entry.calls > 0 || names.length === 0) return;
      entry.idle = setTimeout(() => end(entry), IDLE_MS);
      (entry.idle as { readonly unref?: () => void }).unref?.();
    };
  }

  return {
    name,
    async borrow({ context, signal }) {
      if ("client" in options) return { client: await ownClient(name, options.client, context), ...NOTHING };
      const entry = open(options as McpEndpoint<never>, context);
      const { opened, opening, secrets, discard } = entry;
      const letGo = hold(entry);
      try {
        const found = opened ?? (await untilAborted(opening, signal));
        const release = found.hold();
        return {
          client: found.client,
          secrets,
          discard,
          release() {
            release();
            letGo();
          },
        };
      } catch (error) {
        letGo();
        throw error === signal.reason ? new NotExecuted(`nothing was run: ${messageOf(error)}`) : error;
      }
    },
    async close() {
      for (const client of clients.values()) end(client);
      await Promise.all(ending);
    },
  };
}

/** A client outlives its tokens: the oldest are forgotten. */
const MOST_SECRETS = 200;

/** Limits the clients of one connection, each for its values of a context. */
const MOST_CLIENTS = 100;
/** Closes such a client after this time without a call. */
const IDLE_MS = 60_000;

interface SharedClient {
  calls: number;
  idle: ReturnType<typeof setTimeout> | undefined;
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
