import type { MoveFix } from "@hasp/base/diagnostics";
import { findValueAt, readOwnMember } from "@hasp/base/json";
import type { JsonValue } from "@hasp/schema";

interface NewPlace {
  readonly to: string;
  /** The word that a flag became: it stands for true. */
  readonly word?: string;
}

/** The keys of earlier versions, each with its place now. */
export const MOVED_KEYS: { readonly [key: string]: NewPlace } = {
  describe: { to: "visibility.describe" },
  searchHint: { to: "visibility.searchHint" },
  suggested: { to: "origin.suggested" },
  "visibility.shouldDefer": { to: "visibility.load", word: "deferred" },
  "visibility.alwaysLoad": { to: "visibility.load", word: "always" },
};

/** Returns the JSON Pointer of a moved key, or of its new place. */
export function pointToKey(key: string): string {
  return `/${key.replace(".", "/")}`;
}

interface Successor {
  /** The key to write in its place, with its value. */
  readonly now: string;
  /** Absent if only the author can decide. */
  readonly move: Pick<MoveFix, "to" | "word"> | undefined;
}

/** Finds the key of an earlier version that stands at a pointer, and what replaces it. */
export function findMovedKey(spec: JsonValue, pointer: string): (Successor & { readonly key: string }) | undefined {
  const moved = Object.entries(MOVED_KEYS).find(([key]) => pointToKey(key) === pointer);
  if (moved === undefined) return undefined;
  const [key, { to, word }] = moved;
  return { key, ...(word === undefined ? replaceValue(spec, to) : replaceFlag(spec, key, { to, word })) };
}

function replaceValue(spec: JsonValue, to: string): Successor {
  const [group = "", key = ""] = to.split(".");
  const beside = readOwnMember(spec, group);
  // A visibility may be one word.
  const load = typeof beside === "string" ? `load: ${beside}, ` : "";
  const isFree = load === "" && readOwnMember(beside, key) === undefined;
  return { now: `\`${group}: { ${load}${key}: … }\``, move: isFree ? { to: pointToKey(to) } : undefined };
}

function replaceFlag(spec: JsonValue, flag: string, { to, word }: Required<NewPlace>): Successor {
  const valueOf = (key: string): JsonValue | undefined => findValueAt(spec, pointToKey(key));
  const taken = valueOf(to);
  const said = Object.entries(MOVED_KEYS).map(([key, place]) => (valueOf(key) ?? false) !== false && place.word);
  const words = [...new Set([taken, ...said])].filter((each) => typeof each === "string");
  const now = words.map((each) => `\`load: ${each}\``).join(" or ");
  const value = valueOf(flag);
  const isClear = typeof value === "boolean" && words.length < 2;
  const isFirst = value === true && taken === undefined;
  return { now: now || "`load: normal`", move: isClear ? (isFirst ? { to: pointToKey(to), word } : {}) : undefined };
}
