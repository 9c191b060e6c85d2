import type { MoveFix } from "@hasp/base/diagnostics";
import { findValueAt, own, parsePointer } from "@hasp/base/json";
import type { JsonValue } from "@hasp/schema";

/** The keys of earlier versions, each with its place now. A flag became a word, which stands for true. */
export const MOVED_KEYS: { readonly [pointer: string]: { readonly to: string; readonly word?: string } } = {
  "/describe": { to: "/visibility/describe" },
  "/searchHint": { to: "/visibility/searchHint" },
  "/suggested": { to: "/origin/suggested" },
  "/visibility/shouldDefer": { to: "/visibility/load", word: "deferred" },
  "/visibility/alwaysLoad": { to: "/visibility/load", word: "always" },
};

/** Says what to write in place of a key of an earlier version. Without `move`, only its author can decide. */
export function findMovedKey(
  spec: JsonValue,
  pointer: string,
): { readonly now: string; readonly move: Pick<MoveFix, "to" | "word"> | undefined } | undefined {
  const { to, word } = own(MOVED_KEYS, pointer) ?? {};
  if (to === undefined) return undefined;
  const [group = "", key = ""] = parsePointer(to);
  const [value, taken, beside] = [pointer, to, `/${group}`].map((place) => findValueAt(spec, place));
  if (word === undefined) {
    const load = typeof beside === "string" ? `load: ${beside}, ` : "";
    return { now: `\`${group}: { ${load}${key}: … }\``, move: taken === undefined && load === "" ? { to } : undefined };
  }
  const said = Object.entries(MOVED_KEYS).map(
    ([flag, row]) => (findValueAt(spec, flag) ?? false) !== false && row.word,
  );
  const words = [...new Set([taken, ...said])].filter((each) => typeof each === "string");
  const now = words.map((each) => `\`${key}: ${each}\``).join(" or ");
  const isClear = typeof value === "boolean" && words.length < 2;
  const isFirst = value === true && taken === undefined;
  return { now: now || `\`${key}: normal\``, move: isClear ? (isFirst ? { to, word } : {}) : undefined };
}
