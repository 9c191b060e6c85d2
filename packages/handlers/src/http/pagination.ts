import { findValueAt } from "@hasp/base/json";
import { one } from "./decode.js";
import type { HttpPagination } from "./request/http-request.js";
import type { WrittenPair } from "./request/serialize.js";
import { writePlainPair } from "./request/target.js";
import type { RawAnswer } from "./network/transport.js";

export type NextPage = { readonly url: URL } | { readonly cursor: WrittenPair };

/** Finds the page after this one; `undefined` after the last, `elsewhere` if it is on another origin. */
export function findNextPage(
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
  const cursor = findValueAt(value, from);
  const isCursor = (typeof cursor === "string" && cursor !== "") || typeof cursor === "number";
  return isCursor ? { cursor: writePlainPair(query, String(cursor)) } : undefined;
}

/** Replaces one parameter of a query. */
export function withCursor(query: string, [name, value]: WrittenPair): string {
  const others = query.split("&").filter((pair) => pair !== "" && pair !== name && !pair.startsWith(`${name}=`));
  return [...others, `${name}=${value}`].join("&");
}

function linkTarget(header: string, relation: string): string | undefined {
  for (const [, target = "", parameters = ""] of header.matchAll(/<([^<>]*)>((?:[^<>",]|"[^"]*")*)/gu)) {
    const relations = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s;,"]+))/iu.exec(parameters);
    if ((relations?.[1] ?? relations?.[2] ?? "").toLowerCase().split(/\s+/u).includes(relation)) return target;
  }
  return undefined;
}
