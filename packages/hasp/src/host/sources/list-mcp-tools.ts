import { Client, StreamableHTTPClientTransport, type Transport } from "@modelcontextprotocol/client";
import type { JsonObject, JsonValue } from "@hasp/schema";
import { thrownText } from "../../diagnostics/thrown-text.js";
import { isList } from "../../model/json-kind.js";
import { ownMember } from "../../model/own.js";
import { MEGABYTE, MEGABYTES_LIMIT } from "../../phases/1-load/limits.js";
import { errorCode } from "../fs/error-code.js";
import { ownVersion } from "../installation/own-version.js";
import { boundedFetch } from "./bounded-fetch.js";
import { StdioServer } from "./stdio-server.js";

/** The most tools that are taken from one server. */
const MOST_TOOLS = 5000;
const MOST_PAGES = 1000;
/** So much of what a server says on its error output is shown when it fails. */
const LAST_WORDS = 2000;

/** A server: a command that speaks over stdio, or an address that speaks streamable HTTP. */
export type McpServer =
  | {
      readonly command: readonly string[];
      readonly folder: string;
      readonly environment: Readonly<Record<string, string>>;
    }
  | { readonly url: URL; readonly headers: Readonly<Record<string, string>> };

/** What a server answered, or why it did not. */
export type McpAnswer =
  | { readonly server: string; readonly tools: readonly JsonValue[] }
  | {
      readonly reason: string;
      readonly lastWords: string;
      /** Whether the server itself refused to connect: it may speak another revision. */
      readonly refusal?: true;
    };

/**
 * Asks a running server for its tools, page by page, and ends it. It is given no more time than `seconds` in all, no
 * more than {@link MOST_TOOLS} tools and no more bytes than a file may have. No schema of it is compiled, no pattern
 * run.
 */
export async function listMcpTools(server: McpServer, seconds: number): Promise<McpAnswer> {
  const deadline = AbortSignal.timeout(seconds * 1000);
  if ("url" in server) return askOnce(server, seconds, deadline, "auto");
  // To find out which revision a program speaks, the SDK starts it twice: only for one that refuses the older ones.
  const answer = await askOnce(server, seconds, deadline, "legacy");
  return "refusal" in answer && !deadline.aborted ? askOnce(server, seconds, deadline, "auto") : answer;
}

async function askOnce(
  server: McpServer,
  seconds: number,
  deadline: AbortSignal,
  mode: "auto" | "legacy",
): Promise<McpAnswer> {
  const errors: string[] = [];
  const transport = transportTo(server, (text) => errors.push(text));
  const failures: Error[] = [];
  const client = Object.assign(
    new Client({ name: "hasp", version: ownVersion() }, { capabilities: {}, versionNegotiation: { mode } }),
    { onerror: (error: Error) => void failures.push(error) },
  );
  let isConnected = false;
  try {
    const tools = await within(deadline, seconds, async () => {
      await client.connect(transport, { timeout: seconds * 1000 });
      isConnected = true;
      return allPages(client, seconds * 1000);
    });
    const name = client.getServerVersion()?.name;
    return { server: typeof name === "string" && name !== "" ? name : "mcp-server", tools };
  } catch (error) {
    // A broken transport says why; what waited for it only hears that it is closed.
    const cause = failures.find(({ message }) => message !== "") ?? error;
    return {
      reason: reasonOf(deadline.aborted ? error : cause),
      lastWords: errors.join("").slice(-LAST_WORDS),
      // The number of a JSON-RPC error: the server itself has answered.
      ...(!isConnected && typeof ownMember(error, "code") === "number" && { refusal: true as const }),
    };
  } finally {
    await client.close().catch(() => undefined);
    await (transport instanceof StdioServer ? transport.end() : transport.close()).catch(() => undefined);
  }
}

function transportTo(server: McpServer, onError: (text: string) => void): Transport | StdioServer {
  if ("url" in server) {
    // A redirection could carry the headers to somebody else.
    const requestInit: RequestInit = { headers: server.headers, redirect: "error" };
    return new StreamableHTTPClientTransport(server.url, { requestInit, fetch: boundedFetch }) as Transport;
  }
  const [command = "", ...args] = server.command;
  const transport = new StdioServer({
    command,
    args,
    cwd: server.folder,
    env: server.environment,
    stderr: "pipe",
    maxBufferSize: MEGABYTES_LIMIT * MEGABYTE,
  });
  transport.stderr?.on("data", (chunk: unknown) => onError(String(chunk)));
  return transport;
}

/**
 * The tools of all pages as they came. The SDK's own `listTools` is not used: it refuses the whole list for one schema
 * that it does not know, and compiles the output schemas of a stranger.
 */
async function allPages(client: Client, timeout: number): Promise<readonly JsonValue[]> {
  const tools: JsonValue[] = [];
  const cursors = new Set<string>();
  let size = 0;
  for (let cursor: string | undefined; ;) {
    const page = (await client.request(
      { method: "tools/list", params: cursor === undefined ? {} : { cursor } },
      anyResult,
      { timeout },
    )) as JsonObject;
    const list = page["tools"];
    if (!isList(list)) throw new Error("its answer to tools/list holds no list of tools");
    if (tools.length + list.length > MOST_TOOLS) throw new Error(`it lists more than ${MOST_TOOLS} tools`);
    tools.push(...list);
    // A tool that is too deep to be written is refused by its name, later; it was read, so it cannot be much longer
    // than its line.
    size += list.reduce<number>((sum, tool) => sum + (jsonTextOf(tool)?.length ?? 0), 0);
    if (size > MEGABYTES_LIMIT * MEGABYTE) throw new Error(`its list has more than ${MEGABYTES_LIMIT} MB`);
    const { nextCursor } = page;
    if (typeof nextCursor !== "string" || nextCursor === "") return tools;
    if (cursors.size >= MOST_PAGES) throw new Error(`its list has more than ${MOST_PAGES} pages`);
    if (cursors.has(nextCursor)) throw new Error("its pages lead in a circle");
    cursors.add(nextCursor);
    cursor = nextCursor;
  }
}

/** Takes every result as it is. */
const anyResult = {
  "~standard": { version: 1 as const, vendor: "hasp", validate: (value: unknown) => ({ value }) },
};

/** A value as JSON; `undefined` where it is nested deeper than can be written. */
export function jsonTextOf(value: JsonValue): string | undefined {
  try {
    return JSON.stringify(value);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** The work, or an error once the time is over, even if the work does not listen. */
async function within<Result>(deadline: AbortSignal, seconds: number, work: () => Promise<Result>): Promise<Result> {
  const running = work();
  running.catch(() => undefined);
  let stop = (): void => undefined;
  const over = new Promise<never>((_resolve, reject) => {
    stop = () => reject(new Error(`it did not answer within ${seconds} seconds`));
    deadline.addEventListener("abort", stop, { once: true });
  });
  try {
    return await Promise.race([running, over]);
  } finally {
    deadline.removeEventListener("abort", stop);
  }
}

function reasonOf(error: unknown): string {
  const code = errorCode(error);
  if (code === "ENOENT") return "there is no such program";
  if (code === "EACCES") return "it may not be run";
  if (code === "EPIPE") return "it ended before it had answered";
  // `fetch` says only that it failed; why stands in the cause.
  if (error instanceof TypeError && error.cause !== undefined) {
    return `${error.message} (${errorCode(error.cause) ?? thrownText(error.cause)})`;
  }
  return thrownText(error).replace(/\.$/u, "");
}
