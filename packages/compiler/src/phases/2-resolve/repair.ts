import type { JsonValue } from "@hasp/schema";
import { isList } from "../../model/json-kind.js";
import { unescapeToken } from "../../model/json-pointer.js";

/** A copy of a value without what is at some JSON Pointers; `undefined` where nothing would be left. */
export function withoutParts(value: JsonValue, pointers: readonly string[]): JsonValue | undefined {
  const copy = structuredClone(value);
  // From the end, so that the numbers of earlier items stay true.
  for (const pointer of pointers.toSorted().toReversed()) {
    const tokens = pointer.split("/").slice(1).map(unescapeToken);
    const last = tokens.pop();
    if (last === undefined) return undefined;
    let holder: unknown = copy;
    for (const token of tokens) {
      holder =
        typeof holder === "object" && holder !== null ? (holder as { [key: string]: unknown })[token] : undefined;
    }
    if (typeof holder !== "object" || holder === null) continue;
    if (isList(holder as JsonValue)) (holder as unknown[]).splice(Number(last), 1);
    else delete (holder as { [key: string]: unknown })[last];
  }
  return copy;
}
