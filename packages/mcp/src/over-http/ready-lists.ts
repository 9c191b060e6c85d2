import { isObject } from "@hasp/base/json";
import { withId } from "./http-messages.js";

export interface ReadyLists {
  find(request: ListRequest): Response | undefined;
  keep(request: ListRequest, response: Response): Promise<Response>;
  /** True if the tools have changed since the last question. */
  hasChanged(): boolean;
}

interface ListRequest {
  readonly id: string | number;
  /** Everything besides the tools on which the answer depends. */
  readonly key: string;
}

/** Limits the kept answers, one for each kind of client. */
const MOST_KEPT = 64;
const LONGEST_KEY = 4000;
const LONGEST_ID = 200;

/** Members that change with every request but never affect the list. */
const PASSING: readonly string[] = ["traceparent", "tracestate", "baggage", "progressToken"];

/** Reads a request for the list of tools; `undefined` for any other, and for an unusual one. */
export function readListRequest({ headers }: Request, message: unknown): ListRequest | undefined {
  if (!isObject(message) || message["method"] !== "tools/list") return undefined;
  const { id, jsonrpc, params = {}, method: _method, ...others } = message;
  const isId = typeof id === "string" ? id.length <= LONGEST_ID : Number.isSafeInteger(id);
  if (!isId || jsonrpc !== "2.0" || !isObject(params) || Object.keys(others).length > 0) return undefined;
  const { _meta: meta, ...rest } = params;
  const lasting = isObject(meta)
    ? Object.fromEntries(
        Object.entries(meta).filter(([name, value]) => !(PASSING.includes(name) && typeof value === "string")),
      )
    : meta;
  const read = [...headers].filter(([name]) => name === "accept" || name === "content-type" || name.startsWith("mcp-"));
  const key = JSON.stringify([read, rest, lasting]);
  return key.length > LONGEST_KEY ? undefined : { id: id as string | number, key };
}

/** Keeps the answers to `tools/list` as text: one for each kind of request, until `tools` returns another object. */
export function createReadyLists(tools: () => object): ReadyLists {
  const results = new Map<string, string>();
  let of: object | undefined;
  let asked = tools();

  const current = (): Map<string, string> => {
    const now = tools();
    if (now !== of) results.clear();
    of = now;
    return results;
  };

  return {
    hasChanged() {
      const before = asked;
      asked = tools();
      return asked !== before;
    },
    find({ id, key }) {
      const result = current().get(key);
      return result === undefined ? undefined : withId(id, result);
    },
    async keep({ id, key }, response) {
      const before = tools();
      const text = await response.text();
      const result = resultIn(text, response);
      if (result === undefined) return new Response(text, response);
      const kept = current();
      const same = [...kept.values()].find((other) => other === result) ?? result;
      if (tools() === before) kept.set(key, same);
      for (const [oldest] of kept) {
        if (kept.size <= MOST_KEPT) break;
        kept.delete(oldest);
      }
      return withId(id, same);
    },
  };
}

/** Returns the result of an answer, from JSON or from the only event of a stream. */
function resultIn(text: string, { status, headers }: Response): string | undefined {
  if (status !== 200) return undefined;
  const isStream = headers.get("content-type")?.startsWith("text/event-stream") === true;
  const json = isStream ? /^data: (?<data>\{.*)$/mu.exec(text)?.groups?.["data"] : text;
  const message: unknown = json === undefined ? undefined : JSON.parse(json);
  return isObject(message) && isObject(message["result"]) ? JSON.stringify(message["result"]) : undefined;
}
