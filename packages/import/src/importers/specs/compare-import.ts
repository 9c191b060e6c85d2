import type { JsonObject, JsonValue } from "@hasp/schema";
import { isMap, parseDocument } from "yaml";
import { dropUndefined, toObject, isObject } from "@hasp/base/json";
import { parseSource } from "@hasp/compiler/source";
import {
  printCanonical,
  computeDigest,
  computeImportedDigest,
  isImportedKey,
  pickImported,
  SHARED_ORIGIN,
} from "./imported-part.js";
import { applyMerge, type Merge, type MergeConflict, mergeImports, type Side } from "./merge-import.js";
import { createSpecNode, PRINT_OPTIONS, readsAs } from "./print-spec.js";

type SpecComparison =
  | { readonly kind: "foreign" }
  | { readonly kind: "same" }
  | {
      readonly kind: "drifted";
      readonly changed: readonly string[];
      readonly isEdited: boolean;
      readonly conflicts: readonly MergeConflict[];
      /** Merges both sides' changes. Keeps the author's keys, comments and order; `undefined` if that is impossible. */
      merged(choose: (conflict: MergeConflict) => Side): string | undefined;
    };

/** Compares a spec with a new import. `record` is the imported part of the last import. */
export function compareSpec(text: string, imported: JsonObject, record?: JsonObject): SpecComparison {
  const document = parseSource({ uri: "there.tool.yaml", text, role: "spec" }).value;
  const there = document?.value;
  const { origin: found } = imported;
  if (!isObject(there) || !isObject(there["origin"]) || !isObject(found)) return { kind: "foreign" };
  const { origin } = there;
  if (origin["kind"] !== found["kind"] || origin["name"] !== found["name"]) return { kind: "foreign" };
  const isSame = origin["digest"] === found["digest"];
  const changedFacts = factsThatDiffer(origin, found);
  if (isSame && changedFacts.length === 0) return { kind: "same" };
  const [ours, theirs] = [pickImported(there), pickImported(imported)];
  const isEdited = origin["digest"] !== computeImportedDigest(there);
  // A record of another import is useless; an unedited spec needs none.
  const isRecorded = record !== undefined && computeImportedDigest(record) === origin["digest"];
  const base = isEdited ? (isRecorded ? record : undefined) : ours;
  const merge = (choose?: (conflict: MergeConflict) => Side): Merge =>
    isSame ? { value: ours, edits: [], conflicts: [] } : mergeImports({ base, ours, theirs }, choose);
  // Hints that the author removed by approving return only if the source's hints change.
  const { suggested } = changedFacts.includes("annotations") ? found : origin;
  const keys = new Set([...Object.keys(there), ...Object.keys(imported)].filter(isImportedKey));
  return {
    kind: "drifted",
    changed: [
      ...[...keys].filter((key) => !isSame && printCanonical(there[key]) !== printCanonical(imported[key])),
      ...changedFacts,
    ],
    isEdited: !isSame && isEdited,
    conflicts: merge().conflicts,
    merged: (choose) => updatedText(text, there, dropUndefined({ ...found, suggested }), merge(choose)),
  };
}

function factsThatDiffer(there: JsonObject, imported: JsonObject): readonly string[] {
  const keys = new Set([...Object.keys(there), ...Object.keys(imported)]);
  return [...keys].filter(
    (key) =>
      !["digest", "source", "suggested"].includes(key) && printCanonical(there[key]) !== printCanonical(imported[key]),
  );
}

/** Writes a merge into the author's file. Returns `undefined` if the result does not read back as expected. */
function updatedText(text: string, there: JsonObject, origin: JsonObject, merge: Merge): string | undefined {
  const document = parseDocument(text, { keepSourceTokens: false });
  if (!isMap(document.contents)) return undefined;
  const own = Object.entries(there).filter(([key]) => !isImportedKey(key));
  const expected = { ...Object.fromEntries(own), ...merge.value, origin };
  try {
    applyMerge(document, merge);
    if (printCanonical(origin) !== printCanonical(there["origin"])) {
      document.set("origin", createSpecNode(origin, "readable"));
    }
  } catch {
    // For example, an edit through an alias has no text of its own.
    return undefined;
  }
  const updated = document.toString(PRINT_OPTIONS);
  return readsAs(updated, expected) ? updated : undefined;
}

type SharedComparison =
  | { readonly kind: "foreign" }
  | { readonly kind: "same" }
  /** The source is unchanged, but the import needs more of it. */
  | { readonly kind: "extended"; readonly text: string | undefined }
  | {
      readonly kind: "drifted";
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
  const digests = toObject(origin["digests"]);
  const known = Object.keys(wanted).filter((name) => Object.hasOwn(digests, name));
  const added = Object.keys(wanted).filter((name) => !Object.hasOwn(digests, name));
  const changed = known.filter((name) => digests[name] !== computeDigest(wanted[name] ?? null));
  if (changed.length === 0 && added.length === 0) return { kind: "same" };
  const withChanges = (merges: ReadonlyMap<string, Merge>): string | undefined =>
    withDefinitions(text, there, content, merges, added);
  if (changed.length === 0) return { kind: "extended", text: withChanges(new Map()) };
  const isUntouched = (name: string): boolean => digests[name] === computeDigest(have[name] ?? null);
  const mergeOf = (name: string, choose?: (conflict: MergeConflict) => Side): Merge => {
    const ours = dropUndefined({ [name]: have[name] });
    const recorded =
      digests[name] === computeDigest(record[name] ?? null) ? dropUndefined({ [name]: record[name] }) : undefined;
    const base = isUntouched(name) ? ours : recorded;
    return mergeImports({ base, ours, theirs: dropUndefined({ [name]: wanted[name] }) }, choose);
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
      document.setIn(["$defs", name], createSpecNode(wanted[name] ?? null, "readable"));
    }
    for (const name of [...merges.keys(), ...added]) {
      const digest = computeDigest(wanted[name] ?? null);
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
