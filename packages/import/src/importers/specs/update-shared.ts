import type { JsonObject, JsonValue } from "@hasp/schema";
import { isMap, parseDocument } from "yaml";
import { isObject } from "../../../../compiler/src/model/json-kind.js";
import { parseSource } from "../../../../compiler/src/phases/1-load/index.js";
import { digestOf } from "./imported-part.js";
import { applyMerge, type Merge, type MergeConflict, mergeImports, type Side } from "./merge-import.js";
import { PRINT_OPTIONS, readsAs, specNode } from "./print-spec.js";
import { SHARED_ORIGIN } from "./shared-file.js";

type SharedComparison =
  /** It was not imported from this source. */
  | { readonly kind: "foreign" }
  | { readonly kind: "same" }
  /** The source is unchanged, but the import needs more of it. */
  | { readonly kind: "extended"; readonly text: string | undefined }
  | {
      readonly kind: "drifted";
      /** Definitions that differ from the last import. */
      readonly changed: readonly string[];
      readonly isEdited: boolean;
      readonly conflicts: readonly MergeConflict[];
      /** Merges both sides' changes; `undefined` if the file cannot be edited. */
      merged(choose: (conflict: MergeConflict) => Side): string | undefined;
    };

/**
 * Compares a shared file with a new import, by definition. Keeps definitions that the import lacks: another import may
 * need them. `record` holds the definitions of the last import.
 */
export function compareShared(text: string, content: JsonObject, record: JsonObject = {}): SharedComparison {
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
  const withChanges = (merges: ReadonlyMap<string, Merge>): string | undefined =>
    withDefinitions(text, there, content, merges, added);
  if (changed.length === 0) return { kind: "extended", text: withChanges(new Map()) };
  const isUntouched = (name: string): boolean => digests[name] === digestOf(have[name] ?? null);
  const mergeOf = (name: string, choose?: (conflict: MergeConflict) => Side): Merge => {
    const ours = objectOf(name, have[name]);
    const recorded = digests[name] === digestOf(record[name] ?? null) ? objectOf(name, record[name]) : undefined;
    const base = isUntouched(name) ? ours : recorded;
    return mergeImports({ base, ours, theirs: objectOf(name, wanted[name]) }, choose);
  };
  return {
    kind: "drifted",
    changed,
    isEdited: !changed.every(isUntouched),
    conflicts: changed.flatMap((name) =>
      mergeOf(name).conflicts.map((conflict) => ({ ...conflict, pointer: `/$defs${conflict.pointer}` })),
    ),
    merged: (choose) =>
      withChanges(
        new Map(
          changed.map((name) => [
            name,
            mergeOf(name, (conflict) => choose({ ...conflict, pointer: `/$defs${conflict.pointer}` })),
          ]),
        ),
      ),
  };
}

/** Wraps a definition by name, so that an absent one is a value as well. */
function objectOf(name: string, definition: JsonValue | undefined): JsonObject {
  return definition === undefined ? {} : { [name]: definition };
}

/** Writes definitions into the author's file. Returns `undefined` if the result does not read back as expected. */
function withDefinitions(
  text: string,
  there: JsonObject,
  content: JsonObject,
  merges: ReadonlyMap<string, Merge>,
  added: readonly string[],
): string | undefined {
  const document = parseDocument(text, { keepSourceTokens: false });
  if (!isMap(document.contents)) return undefined;
  const wanted = objectAt(content, "$defs");
  const expected = {
    $defs: { ...objectAt(there, "$defs") },
    digests: { ...objectAt(objectAt(there, SHARED_ORIGIN), "digests") },
  };
  try {
    for (const [name, merge] of merges) {
      applyMerge(document, merge, ["$defs"]);
      delete expected.$defs[name];
      Object.assign(expected.$defs, merge.value);
    }
    for (const name of added) {
      expected.$defs[name] = wanted[name] ?? null;
      document.setIn(["$defs", name], specNode(wanted[name] ?? null, "readable"));
    }
    for (const name of [...merges.keys(), ...added]) {
      const digest = digestOf(wanted[name] ?? null);
      expected.digests[name] = digest;
      document.setIn([SHARED_ORIGIN, "digests", name], digest);
    }
  } catch {
    return undefined;
  }
  const updated = document.toString(PRINT_OPTIONS);
  const whole = {
    ...there,
    $defs: expected.$defs,
    [SHARED_ORIGIN]: { ...objectAt(there, SHARED_ORIGIN), digests: expected.digests },
  };
  return readsAs(updated, whole) ? updated : undefined;
}

function objectAt(value: JsonObject, key: string): { [name: string]: JsonValue } {
  const inner = value[key];
  return isObject(inner) ? { ...inner } : {};
}
