import type { JsonObject, JsonValue } from "@hasp/schema";
import { isMap, parseDocument } from "yaml";
import { isObject } from "../../model/json-kind.js";
import { parseSource } from "../../phases/1-load/index.js";
import { digestOf } from "./imported-part.js";
import { PRINT_OPTIONS, readsBackAs, specNode } from "./print-spec.js";
import { SHARED_ORIGIN } from "./shared-file.js";

/** The result of comparing an existing shared file with the current definitions of its source. */
export type SharedComparison =
  /** It was not imported from this source. */
  | { readonly kind: "foreign" }
  | { readonly kind: "same" }
  /** The source is unchanged, but the import needs more of it. */
  | { readonly kind: "extended"; readonly text: string | undefined }
  | {
      readonly kind: "drifted";
      /** The definitions in which the source differs from what was imported. */
      readonly changed: readonly string[];
      /** The author has edited one of them. */
      readonly isEdited: boolean;
      /** The file with the current definitions; everything else unchanged. */
      readonly text: string | undefined;
    };

/**
 * Compares a shared file with a new import, by definition; pure. Keeps definitions that the import lacks: another
 * import may need them.
 */
export function compareShared(text: string, content: JsonObject): SharedComparison {
  const there = parseSource({ uri: "there.schemas.yaml", text, role: "shared" }).value?.value;
  if (!isObject(there)) return { kind: "foreign" };
  const { $defs: have, [SHARED_ORIGIN]: origin } = there;
  const { $defs: wanted, [SHARED_ORIGIN]: source } = content;
  if (!isObject(have) || !isObject(origin) || !isObject(wanted) || !isObject(source)) return { kind: "foreign" };
  if (origin["kind"] !== source["kind"] || origin["source"] !== source["source"]) return { kind: "foreign" };
  const digests = isObject(origin["digests"]) ? origin["digests"] : {};
  const known = Object.keys(wanted).filter((name) => Object.hasOwn(digests, name));
  const added = Object.keys(wanted).filter((name) => !Object.hasOwn(digests, name));
  const changed = known.filter((name) => digests[name] !== digestOf(wanted[name] ?? null));
  if (changed.length === 0 && added.length === 0) return { kind: "same" };
  const updated = withDefinitions(text, there, content, [...changed, ...added]);
  if (changed.length === 0) return { kind: "extended", text: updated };
  const isEdited = changed.some((name) => digests[name] !== digestOf(have[name] ?? null));
  return { kind: "drifted", changed, isEdited, text: updated };
}

/** Inserts definitions into the author's file. Returns `undefined` if the result does not read back as expected. */
function withDefinitions(
  text: string,
  there: JsonObject,
  content: JsonObject,
  names: readonly string[],
): string | undefined {
  const document = parseDocument(text, { keepSourceTokens: false });
  if (!isMap(document.contents)) return undefined;
  const take = (path: readonly string[], value: JsonValue): void => document.setIn(path, specNode(value, "readable"));
  const expected = {
    $defs: { ...objectAt(there, "$defs") },
    digests: { ...objectAt(objectAt(there, SHARED_ORIGIN), "digests") },
  };
  for (const name of names) {
    const definition = objectAt(content, "$defs")[name] ?? null;
    const digest = digestOf(definition);
    take(["$defs", name], definition);
    take([SHARED_ORIGIN, "digests", name], digest);
    expected.$defs[name] = definition;
    expected.digests[name] = digest;
  }
  const updated = document.toString(PRINT_OPTIONS);
  const whole = {
    ...there,
    $defs: expected.$defs,
    [SHARED_ORIGIN]: { ...objectAt(there, SHARED_ORIGIN), digests: expected.digests },
  };
  return readsBackAs(updated, whole) ? updated : undefined;
}

function objectAt(value: JsonObject, key: string): { [name: string]: JsonValue } {
  const inner = value[key];
  return isObject(inner) ? { ...inner } : {};
}
