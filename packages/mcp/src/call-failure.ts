import { isStructured } from "@hasp/base/json";
import { NotExecuted } from "@hasp/runtime";
import { type Redactor, cut, messageOf } from "@hasp/runtime/internal";
import { listAllTools, type McpClient } from "./mcp-client.js";

interface FailedCall {
  readonly connection: string;
  readonly secrets: Redactor;
  discard(): void;
}

const MESSAGE_LIMIT = 1000;

/** JSON-RPC errors of a request that the server did not accept: nothing was run. */
const REFUSED: ReadonlySet<unknown> = /* @__PURE__ */ new Set([-32700, -32600, -32601, -32602]);

/** Errors of both versions of the SDK for a client that is not connected, so that nothing was sent. */
const NOT_SENT: ReadonlySet<unknown> = /* @__PURE__ */ new Set([
  "NOT_CONNECTED",
  "NOT_INITIALIZED",
  "CAPABILITY_NOT_SUPPORTED",
  "METHOD_NOT_SUPPORTED_BY_PROTOCOL_VERSION",
]);

/** Errors of both versions of the SDK for a connection that ended during a call. */
const CLOSED: ReadonlySet<unknown> = /* @__PURE__ */ new Set(["CONNECTION_CLOSED", "SEND_FAILED", -32000]);

/** Creates the error of a failed call, with its effect and whether it may succeed later. */
export function callFailure(error: unknown, { connection, secrets, discard }: FailedCall): Error {
  const { code, status, name } = (isStructured(error) ? error : {}) as {
    readonly [property in "code" | "status" | "name"]?: unknown;
  };
  const message = cut(secrets.text(messageOf(error)), MESSAGE_LIMIT);
  if (status === 401 || status === 403 || name === "UnauthorizedError") {
    return new NotExecuted(`the MCP server ${connection} refused the credentials; check those of the connection`);
  }
  if (status === 404 || NOT_SENT.has(code)) {
    discard();
    return Object.assign(new NotExecuted(`the MCP server ${connection} was not connected: ${message}`), {
      retryable: status === 404 || code === "NOT_CONNECTED",
    });
  }
  if (status === 429) {
    return Object.assign(
      new NotExecuted(`the MCP server ${connection} accepts no more calls at the moment: ${message}`),
      {
        status,
      },
    );
  }
  if (REFUSED.has(code)) return new NotExecuted(`the MCP server ${connection} refused the call: ${message}`);
  if (CLOSED.has(code)) {
    discard();
    return Object.assign(new Error(`the MCP server ${connection} ended during the call: ${message}`), {
      retryable: true,
    });
  }
  return Object.assign(new Error(`the MCP server ${connection} failed: ${message}`), {
    ...(typeof status === "number" && { status }),
  });
}

interface CalledTool {
  readonly client: McpClient;
  readonly server: string;
  readonly tool: string;
}

/** Asks no longer than this whether a tool is still there. */
const LISTING = { timeoutMs: 5000, maxTools: 10_000 };

/**
 * Rejects with the code `tool-gone` if an answer or an error looks as if there were no such tool, and the server lists
 * none. `remedy` tells the host what to do.
 */
export async function refuseGone(answer: unknown, { client, server, tool }: CalledTool, remedy = ""): Promise<void> {
  if (!looksGone(answer, tool)) return;
  const offered = await listAllTools(client, server, LISTING).catch(() => undefined);
  if (offered === undefined || offered.some(({ name }) => name === tool)) return;
  throw Object.assign(new NotExecuted(`the MCP server ${server} no longer has the tool ${tool}${remedy}`), {
    code: "tool-gone",
  });
}

/** True if an answer or an error may mean that the tool does not exist; servers have no code for it. */
function looksGone(answer: unknown, tool: string): boolean {
  if (!isStructured(answer)) return false;
  const { isError, content, code } = answer as {
    readonly isError?: unknown;
    readonly content?: unknown;
    readonly code?: unknown;
  };
  if (content === undefined) return code === -32601 || code === -32602;
  if (isError !== true || !Array.isArray(content)) return false;
  const [first] = content as readonly { readonly text?: unknown }[];
  return typeof first?.text === "string" && first.text.includes(tool) && /not found|unknown/iu.test(first.text);
}
