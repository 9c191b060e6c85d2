import { one } from "./decode.js";
import type { HttpPagination } from "./request/http-request.js";
import { valueAt } from "./result.js";
import type { WrittenPair } from "./request/serialize.js";
import { plainPair } from "./request/target.js";
import type { RawAnswer } from "./network/transport.js";

/** Where the next page is: another URL, or the same with another value of one parameter. */
export type NextPage = { readonly url: URL } | { readonly cursor: WrittenPair };

/** The page after this one; `undefined` if it is the last, `elsewhere` if it lies on another origin. */
export function nextPage(
  pagination: HttpPagination,
  { headers }: RawAnswer,
  value: unknown,
  current: URL,
): NextPage | "elsewhere" | undefined {
  if ("link" in pagination) {
    const target = linkTarget(one(headers["link"]), "next");
    if (target === undefined) return undefined;
    if (!URL.canParse(target, current.href)) return "elsewhere";
    const url = new URL(target, current);
    return url.origin === current.origin ? { url } : "elsewhere";
  }
  const { from, query } = pagination.cursor;
  const cursor = valueAt(value, from);
  const isCursor = (typeof cursor === "string" && cursor !== "") || typeof cursor === "number";
  return isCursor ? { cursor: plainPair(query, String(cursor)) } : undefined;
}

/** A query with another value for one parameter. */
export function withCursor(query: string, [name, value]: WrittenPair): string {
  const others = query.split("&").filter((pair) => pair !== "" && pair !== name && !pair.startsWith(`${name}=`));
  return [...others, `${name}=${value}`].join("&");
}

/** The target of the link with this relation in a header `Link` (RFC 8288). */
export function linkTarget(header: string, relation: string): string | undefined {
  for (const [, target = "", parameters = ""] of header.matchAll(/<([^<>]*)>((?:[^<>",]|"[^"]*")*)/gu)) {
    const relations = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s;,"]+))/iu.exec(parameters);
    if ((relations?.[1] ?? relations?.[2] ?? "").toLowerCase().split(/\s+/u).includes(relation)) return target;
  }
  return undefined;
}
