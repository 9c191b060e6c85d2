import { setTimeout } from "node:timers/promises";
import type { JsonObject, JsonValue } from "@hasp/schema";
import type { Endpoint, ToolList } from "@hasp/schema/probe";
import { createNodeTransport } from "@hasp/handlers/internal/transport";
import { messageOf, Redactor } from "@hasp/runtime/internal";
import { attempt, printVisibleText } from "@hasp/base/diagnostics";
import { isObject, mapMembers } from "@hasp/base/json";
import type { ListAnswer, Ask } from "./judge.js";

export interface ProbedServer {
  readonly endpoint: Endpoint;
  readonly base: URL;
  readonly model: string;
  readonly key: string | undefined;
  /** True if the user named the address, which may then be private. */
  readonly allowPrivateAddresses: boolean;
  readonly timeoutMs: number;
}

const MAX_BYTES = 1_000_000;
const LONGEST_REASON = 200;

/** The longest wait in seconds that a server may ask for, and how often it may ask. */
const LONGEST_WAIT = 30;
const MOST_WAITS = 2;

/** Returns the address that takes requests for a model. */
export function locateEndpoint({ endpoint, base, model }: Pick<ProbedServer, "endpoint" | "base" | "model">): URL {
  const path = endpoint.path.replace("$model", () => encodeURIComponent(model));
  return Object.assign(new URL(base), { pathname: base.pathname.replace(/(?<!\/)\/+$/u, "") + path });
}

/** Builds the body of the request with a tool list. */
export function fillBody(
  { endpoint: { body }, model }: Pick<ProbedServer, "endpoint" | "model">,
  tools: ToolList | "none",
): JsonObject {
  const fill = (value: JsonValue): JsonValue => {
    if (value === "$model") return model;
    if (value === "$tools") return tools as JsonValue;
    if (Array.isArray(value)) return value.map(fill);
    return isObject(value) ? mapMembers(value as JsonObject, fill) : value;
  };
  return fill(body) as JsonObject;
}

/**
 * Creates the function that sends a tool list to a server. The transport vets addresses, follows no redirect, and limits
 * time and size. The reasons that the function returns never contain the key.
 */
export function createAsk(server: ProbedServer): Ask {
  const { endpoint, key, timeoutMs, allowPrivateAddresses } = server;
  const send = createNodeTransport({ maxBytes: MAX_BYTES, allowPrivateAddresses });
  const secrets = new Redactor();
  if (key !== undefined) secrets.add(key);
  const url = locateEndpoint(server);
  const headers = Object.entries(endpoint.headers).flatMap(([name, value]) =>
    key === undefined && value.includes("$key") ? [] : [[name, value.replace("$key", () => key ?? "")] as const],
  );
  const clean = (text: string): string => printVisibleText(secrets.text(text)).slice(0, LONGEST_REASON);
  return async (tools) => {
    const body = Buffer.from(JSON.stringify(fillBody(server, tools)));
    const request = {
      method: "POST",
      url,
      headers: {
        ...Object.fromEntries(headers),
        "content-type": "application/json",
        "content-length": String(body.length),
      },
      body,
    };
    try {
      for (let waits = 0; ; waits += 1) {
        const answer = await send(request, {
          signal: new AbortController().signal,
          at: performance.now() + timeoutMs,
          message: `it did not answer within ${timeoutMs / 1000} seconds`,
        });
        const seconds = Number(answer.headers["retry-after"]);
        const mayWait = answer.status === 429 && waits < MOST_WAITS && seconds <= LONGEST_WAIT;
        if (!mayWait) return readAnswer(answer, clean);
        await setTimeout(seconds * 1000);
      }
    } catch (error) {
      return { kind: "none", reason: clean(messageOf(error)) };
    }
  };
}

function readAnswer(
  { status, body }: { readonly status: number; readonly body: Buffer | undefined },
  clean: (text: string) => string,
): ListAnswer {
  const none = (reason: string): ListAnswer => ({ kind: "none", reason });
  if (body === undefined) return none("its answer has more than 1 MB");
  if (status >= 300 && status < 400) return none(`status ${status}: it redirects, which the probe does not follow`);
  const value = attempt(() => JSON.parse(body.toString()) as unknown);
  if (!isObject(value)) return none(`status ${status}, and its answer is no JSON object`);
  const failure = value["error"] ?? undefined;
  const reason = clean(`status ${status}: ${readMessage(value)}`);
  if (status === 400 || status === 422) return { kind: "refused", reason };
  // Some gateways answer 200 and put the error of the server behind them into the body.
  return status >= 200 && status < 300 && failure === undefined ? { kind: "taken" } : none(reason);
}

function readMessage(answer: JsonObject): string {
  const { error, message } = answer;
  const inner = isObject(error) ? error["message"] : error;
  const said = inner ?? message ?? answer;
  return typeof said === "string" ? said : JSON.stringify(said);
}
