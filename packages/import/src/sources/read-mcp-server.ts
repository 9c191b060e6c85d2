import { setTimeout as wait } from "node:timers/promises";
import type { JsonObject, JsonValue } from "@hasp/schema";
import { Client, StreamableHTTPClientTransport, type Transport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { printThrown } from "@hasp/base/diagnostics";
import { isObject, isList, sumBy } from "@hasp/base/json";
import { parseSource, MEGABYTE, MEGABYTES_LIMIT } from "@hasp/compiler/source";
import type { ReadSource } from "../importers/source/importer.js";
import { connectAnyRevision, type RevisionMode } from "@hasp/mcp/internal";
import { readErrorCode, readOwnVersion, boundedFetch } from "@hasp/project";

const LARGEST_TOOL = MEGABYTE;

/** Reads the tools of a running MCP server as if they were a file. Names the tools that cannot be read. */
export async function readMcpServer(server: McpServerAddress, seconds: number): Promise<ReadSource> {
  const answer = await listMcpTools(server, seconds);
  if ("reason" in answer) {
    const lastWords = answer.lastWords.trim().replaceAll(/(?<!\s)\s*\n\s*/gu, " | ");
    return { reason: lastWords === "" ? answer.reason : `${answer.reason}. Its last output: ${lastWords}` };
  }
  const name = answer.server.slice(0, 100);
  const uri = `${name.replaceAll(/[^\w.-]+/gu, "_")}.tools.json`;
  const unread: { readonly name: string; readonly reason: string }[] = [];
  const tools = answer.tools.filter((tool, index) => {
    const reason = problemOf(tool);
    if (reason !== undefined) unread.push({ name: nameOf(tool) ?? `entry ${index}`, reason });
    return reason === undefined;
  });
  const text = JSON.stringify({ tools }, undefined, 2);
  const sources = new Map([[uri, text]]);
  const { value: document, diagnostics } = parseSource({ uri, text, role: "shared" });
  if (document === undefined) return { diagnostics, sources };
  return { source: { name, document, documents: new Map([[uri, document]]) }, sources, unread };
}

function problemOf(tool: JsonValue): string | undefined {
  const text = printJson(tool);
  if (text === undefined) return "it is nested too deeply";
  if (text.length > LARGEST_TOOL) return `it is larger than ${LARGEST_TOOL / MEGABYTE} MB`;
  const { value, diagnostics } = parseSource({ uri: "tool.json", text, role: "shared" });
  return value === undefined ? (diagnostics[0]?.message ?? "it is not JSON") : undefined;
}

function nameOf(tool: JsonValue): string | undefined {
  const name = isObject(tool) ? (tool as JsonObject)["name"] : undefined;
  return typeof name === "string" && name !== "" ? name : undefined;
}

const GRACE = { milliseconds: 2000, step: 25 };

/** The SDK's stdio transport, which also guarantees that the program ends. */
class StdioServer extends StdioClientTransport {
  #processId: number | undefined;

  override async start(): Promise<void> {
    await super.start();
    this.#processId = this.pid ?? undefined;
  }

  /** Closes the program's input and waits for its end; kills it if it does not end. */
  async end(): Promise<void> {
    const closing = this.close();
    for (let waited = 0; waited < GRACE.milliseconds && this.#isRunning(); waited += GRACE.step) await wait(GRACE.step);
    if (this.#isRunning()) this.#signal("SIGKILL");
    await Promise.race([closing, wait(GRACE.milliseconds, undefined, { ref: false })]);
  }

  #isRunning(): boolean {
    return this.#signal(0);
  }

  #signal(signal: "SIGKILL" | 0): boolean {
    try {
      return this.#processId !== undefined && process.kill(this.#processId, signal);
    } catch {
      return false;
    }
  }
}

const MOST_TOOLS = 5000;
const MOST_PAGES = 1000;
const LAST_WORDS = 2000;

export type McpServerAddress =
  | {
      readonly command: readonly string[];
      readonly folder: string;
      readonly environment: Readonly<Record<string, string>>;
    }
  | { readonly url: URL; readonly headers: Readonly<Record<string, string>> };

/** The tools of a server or the failure; `lastWords` is the end of its standard error. */
type McpAnswer =
  | { readonly server: string; readonly tools: readonly JsonValue[] }
  | { readonly reason: string; readonly lastWords: string };

/**
 * Asks a running server for its tools, page by page, and ends it. Takes at most `seconds` in all, {@link MOST_TOOLS}
 * tools and as many bytes as a file may have. Compiles none of its schemas and runs none of its patterns.
 */
async function listMcpTools(server: McpServerAddress, seconds: number): Promise<McpAnswer> {
  const deadline = AbortSignal.timeout(seconds * 1000);
  const attempts: ConnectionAttempt[] = [];
  try {
    return await within(deadline, seconds, async () => {
      const { client } = await connectAnyRevision("command" in server, async (mode) => {
        await attempts.at(-1)?.end();
        deadline.throwIfAborted();
        const attempt = createAttempt(server, mode);
        attempts.push(attempt);
        await attempt.client.connect(attempt.transport, { timeout: seconds * 1000 });
        return attempt;
      });
      const tools = await allPages(client, seconds * 1000);
      const name = client.getServerVersion()?.name;
      return { server: typeof name === "string" && name !== "" ? name : "mcp-server", tools };
    });
  } catch (error) {
    const { failures = [], lastWords } = attempts.at(-1) ?? {};
    // The transport's failure tells why; a pending request learns only that the connection is closed.
    const cause = failures.find(({ message }) => message !== "") ?? error;
    return {
      reason: reasonOf(deadline.aborted ? error : cause),
      lastWords: lastWords?.() ?? "",
    };
  } finally {
    await attempts.at(-1)?.end();
  }
}

interface ConnectionAttempt {
  readonly client: Client;
  readonly transport: Transport;
  readonly failures: readonly Error[];
  readonly lastWords: () => string;
  end(): Promise<void>;
}

function createAttempt(server: McpServerAddress, mode: RevisionMode): ConnectionAttempt {
  const failures: Error[] = [];
  let errorOutput = "";
  const transport = transportTo(server, (text) => (errorOutput = `${errorOutput}${text}`.slice(-LAST_WORDS)));
  const client = Object.assign(
    new Client({ name: "hasp", version: readOwnVersion() }, { capabilities: {}, versionNegotiation: { mode } }),
    { onerror: (error: Error) => void failures.push(error) },
  );
  const end = async (): Promise<void> => {
    await client.close().catch(() => undefined);
    await (transport instanceof StdioServer ? transport.end() : transport.close()).catch(() => undefined);
  };
  return { client, transport, failures, lastWords: () => errorOutput, end };
}

function transportTo(server: McpServerAddress, onError: (text: string) => unknown): Transport | StdioServer {
  if ("url" in server) {
    // A redirect could send the headers to another server.
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
 * Reads all pages unchecked. The SDK's `listTools` refuses the whole list for one unknown schema, and compiles a
 * stranger's output schemas.
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
    if (!isList(list)) throw new Error("its answer to tools/list contains no list of tools");
    if (tools.length + list.length > MOST_TOOLS) throw new Error(`it lists more than ${MOST_TOOLS} tools`);
    tools.push(...list);
    // Tools nested too deeply to print are refused by name later; the message limit bounds their size.
    size += sumBy(list, (tool) => printJson(tool)?.length ?? 0);
    if (size > MEGABYTES_LIMIT * MEGABYTE) throw new Error(`its list is larger than ${MEGABYTES_LIMIT} MB`);
    const { nextCursor } = page;
    if (typeof nextCursor !== "string" || nextCursor === "") return tools;
    if (cursors.size >= MOST_PAGES) throw new Error(`its list has more than ${MOST_PAGES} pages`);
    if (cursors.has(nextCursor)) throw new Error("it repeats a page of its list");
    cursors.add(nextCursor);
    cursor = nextCursor;
  }
}

const anyResult = {
  "~standard": { version: 1 as const, vendor: "hasp", validate: (value: unknown) => ({ value }) },
};

/** Prints a value as JSON; `undefined` if it is nested too deeply. */
function printJson(value: JsonValue): string | undefined {
  try {
    return JSON.stringify(value);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

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
  const code = readErrorCode(error);
  if (code === "ENOENT") return "the program does not exist";
  if (code === "EACCES") return "the program may not be executed";
  if (code === "EPIPE") return "it ended without an answer";
  // `fetch` says only that it failed; the cause says why.
  if (error instanceof TypeError && error.cause !== undefined) {
    return `${error.message} (${readErrorCode(error.cause) ?? printThrown(error.cause)})`;
  }
  return printThrown(error).replace(/\.$/u, "");
}
