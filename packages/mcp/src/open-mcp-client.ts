import { dropUndefined } from "@hasp/base/json";
import { NotExecuted } from "@hasp/runtime";
import { type Redactor, withTimeout, messageOf } from "@hasp/runtime/internal";
import {
  readEnvironment,
  readCredentials,
  type McpCredentials,
  type McpAuth,
  type McpSecret,
  type ReadSecret,
} from "./connection-secrets.js";
import { connectAnyRevision, type McpClient, type RevisionMode } from "./mcp-client.js";

/** A command that speaks over its standard input and output, or an address of Streamable HTTP. */
export type McpEndpoint<Context = unknown> =
  | {
      readonly command: readonly [program: string, ...args: string[]];
      /** The environment variables that it sees besides those that every program needs, such as `PATH` and `HOME`. */
      readonly env?: readonly string[] | undefined;
      /** Default: the folder of this process. */
      readonly cwd?: string | undefined;
    }
  | {
      readonly url: string;
      readonly headers?: { readonly [name: string]: McpSecret<Context> | string } | undefined;
      readonly auth?: McpAuth<Context> | undefined;
      /**
       * Default: the platform's `fetch`, which reaches private networks too; `publicFetch()` of `@hasp/handlers/http`
       * refuses these. Redirects are not followed.
       */
      readonly fetch?: McpFetch | undefined;
    };

export type McpFetch = (
  url: string | URL,
  init: {
    readonly method?: string;
    readonly headers: Headers;
    readonly body?: unknown;
    readonly signal?: AbortSignal;
    readonly redirect: "error";
  },
) => Promise<Response>;

export interface OpenClient {
  readonly client: McpClient;
  hold(): () => void;
  /** Keeps this process running until the program of a server has ended or was killed. */
  close(): Promise<void>;
}

interface OpeningOptions {
  readonly name: string;
  readonly timeoutSeconds: number;
  readonly maxMessageMb: number;
  readonly secrets: Redactor;
  readonly read: ReadSecret;
  readonly onClose: () => void;
}

type ClientSdk = typeof import("@modelcontextprotocol/client");
type StdioSdk = typeof import("@modelcontextprotocol/client/stdio");

/**
 * Connects with `@modelcontextprotocol/client`. Rejects with {@link NotExecuted} if that is not installed, or if the
 * server does not start or answer in time.
 */
export async function openMcpClient(endpoint: McpEndpoint<never>, options: OpeningOptions): Promise<OpenClient> {
  const { name, timeoutSeconds, secrets } = options;
  const [sdk, stdio] = await loadSdk(name);
  const words = { text: "" };
  const open = async (mode: RevisionMode): Promise<OpenClient> => {
    const client = new sdk.Client({ name: "hasp", version: "1" }, { versionNegotiation: { mode } });
    const transport = "url" in endpoint ? overHttp(sdk, endpoint, options) : overStdio(stdio, endpoint, options, words);
    const timeout = timeoutSeconds * 1000;
    try {
      // The client has its own timer, but its transport may ignore that.
      await withTimeout(client.connect(transport, { timeout }), { milliseconds: timeout });
    } catch (error) {
      await withTimeout(client.close(), { milliseconds: CLOSE_MS }).catch(() => undefined);
      throw error;
    }
    Object.assign(client, { onclose: options.onClose });
    const hold = holder(transport);
    return {
      client,
      hold,
      // The transport ends its program in steps, and its own timers do not keep this process running.
      async close() {
        const release = hold();
        await client.close().finally(release);
      },
    };
  };
  try {
    return await connectAnyRevision("command" in endpoint, open);
  } catch (error) {
    if (error instanceof NotExecuted) throw error;
    const said = secrets.text(words.text).trim().slice(-LAST_WORDS);
    const reason = `${secrets.text(messageOf(error))}${said === "" ? "" : `; it wrote: ${said}`}`;
    throw Object.assign(new NotExecuted(`the MCP server ${name} cannot be reached: ${reason}`), {
      retryable: "url" in endpoint,
    });
  }
}

const CLOSE_MS = 2000;

const LAST_WORDS = 1000;

/** Keeps far more than is shown, so that no excerpt begins within a secret. */
const KEPT_WORDS = 64 * 1024;

async function loadSdk(name: string): Promise<readonly [ClientSdk, StdioSdk]> {
  try {
    return await Promise.all([import("@modelcontextprotocol/client"), import("@modelcontextprotocol/client/stdio")]);
  } catch {
    throw new NotExecuted(
      `${name} needs the package @modelcontextprotocol/client, which is not installed; run \`npm install @modelcontextprotocol/client\``,
    );
  }
}

function overStdio(
  { StdioClientTransport }: StdioSdk,
  { command: [command, ...args], env = [], cwd }: Extract<McpEndpoint, { readonly command: unknown }>,
  { maxMessageMb, secrets }: OpeningOptions,
  words: { text: string },
): object {
  const seen = env.flatMap((name) => {
    const value = readEnvironment()[name];
    return value === undefined ? [] : [[name, secrets.add(value)] as const];
  });
  const transport = new StdioClientTransport({
    command,
    args,
    env: Object.fromEntries(seen),
    ...dropUndefined({ cwd }),
    stderr: "pipe",
    maxBufferSize: maxMessageMb * MEGABYTE,
  });
  transport.stderr?.on("data", (chunk) => {
    words.text = (words.text + String(chunk)).slice(-KEPT_WORDS);
  });
  return transport;
}

function overHttp(
  { StreamableHTTPClientTransport }: ClientSdk,
  { url, headers = {}, auth, fetch: send = fetch }: Extract<McpEndpoint<never>, { readonly url: string }>,
  { maxMessageMb, secrets, read }: OpeningOptions,
): object {
  const ask = async (address: string | URL, init: SentInit): Promise<readonly [Response, McpCredentials]> => {
    const { signal = new AbortController().signal } = init;
    const credentials = await readCredentials(auth, { read, secrets }, signal, new URL(address).origin);
    const sent = new Headers(init.headers);
    for (const [name, secret] of Object.entries(headers)) sent.set(name, read(secret));
    for (const [name, value] of credentials.headers) sent.set(name, value);
    // A redirection could carry the headers to another host.
    return [await send(address, { ...init, headers: sent, redirect: "error" }), credentials];
  };
  return new StreamableHTTPClientTransport(new URL(url), {
    fetch: async (address, init = {}) => {
      const [first, credentials] = await ask(address, init);
      const [response] = first.status === 401 && credentials.refused() ? await ask(address, init) : [first];
      return limited(response, maxMessageMb * MEGABYTE);
    },
  });
}

interface SentInit {
  readonly headers?: unknown;
  readonly signal?: AbortSignal;
}

const MEGABYTE = 2 ** 20;

/** Fails an answer once it exceeds the limit. */
function limited(response: Response, maxBytes: number): Response {
  if (response.body === null) return response;
  let size = 0;
  const counter = new TransformStream({
    transform(chunk, controller) {
      size += chunk.byteLength;
      if (size > maxBytes) controller.error(new Error(`its answer has more than ${maxBytes} bytes`));
      else controller.enqueue(chunk);
    },
  });
  return new Response(response.body.pipeThrough(counter), response);
}

/** The time for which a program keeps this process running after a call, since releasing it is slow. */
const LINGER_MS = 100;

/** Keeps this process running during calls; if the transport's program is unknown, until the connection ends. */
function holder(transport: object): () => () => void {
  const child = (transport as { readonly _process?: Referenced & { readonly [pipe in Pipe]?: Referenced } })._process;
  const all = [child, child?.stdin, child?.stdout, child?.stderr];
  let held = 0;
  let isHeld = true;
  let isLingering = false;
  const hold = (wanted: boolean): void => {
    if (isHeld === wanted) return;
    isHeld = wanted;
    for (const each of all) each?.[wanted ? "ref" : "unref"]?.();
  };
  const letGo = (): void => {
    isLingering = false;
    hold(held > 0);
  };
  letGo();
  return () => {
    held += 1;
    hold(true);
    return () => {
      held -= 1;
      if (held > 0 || isLingering) return;
      isLingering = true;
      setTimeout(letGo, LINGER_MS);
    };
  };
}

type Pipe = "stdin" | "stdout" | "stderr";

interface Referenced {
  ref?(): void;
  unref?(): void;
}
