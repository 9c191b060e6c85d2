import type { JsonObject } from "@hasp/schema";
import { isMap, parseDocument } from "yaml";
import { isObject } from "../../../../compiler/src/model/json-kind.js";
import { parseSource } from "../../../../compiler/src/phases/1-load/index.js";
import { canonical, importedDigest, importedPart, isImportedKey } from "./imported-part.js";
import { applyMerge, type Merge, type MergeConflict, mergeImports, type Side } from "./merge-import.js";
import { PRINT_OPTIONS, readsAs, specNode } from "./print-spec.js";

type SpecComparison =
  /** It was not imported from this tool. */
  | { readonly kind: "foreign" }
  | { readonly kind: "same" }
  | {
      readonly kind: "drifted";
      /** Keys that differ from the spec. */
      readonly changed: readonly string[];
      readonly isEdited: boolean;
      readonly conflicts: readonly MergeConflict[];
      /**
       * Merges both sides' changes, and keeps the author's own keys, comments and order. `undefined` if the file cannot
       * be edited.
       */
      merged(choose: (conflict: MergeConflict) => Side): string | undefined;
    };

/** Compares a spec with a new import. `record` is the imported part of the last import. */
export function compareSpec(text: string, imported: JsonObject, record?: JsonObject): SpecComparison {
  const document = parseSource({ uri: "there.tool.yaml", text, role: "spec" }).value;
  const there = document?.value;
  if (!isObject(there) || !isObject(there["origin"]) || !isObject(imported["origin"])) return { kind: "foreign" };
  const { origin } = there;
  if (origin["kind"] !== imported["origin"]["kind"] || origin["name"] !== imported["origin"]["name"]) {
    return { kind: "foreign" };
  }
  const isSame = origin["digest"] === imported["origin"]["digest"];
  const changedFacts = factsThatDiffer(origin, imported["origin"]);
  if (isSame && changedFacts.length === 0) return { kind: "same" };
  const [ours, theirs] = [importedPart(there), importedPart(imported)];
  const isEdited = origin["digest"] !== importedDigest(there);
  // A record of another import is useless; an unedited spec needs none.
  const isRecorded = record !== undefined && importedDigest(record) === origin["digest"];
  const base = isEdited ? (isRecorded ? record : undefined) : ours;
  const merge = (choose?: (conflict: MergeConflict) => Side): Merge =>
    isSame ? { value: ours, edits: [], conflicts: [] } : mergeImports({ base, ours, theirs }, choose);
  // Hints that the author removed by approving return only if the source's hints change.
  const taken = changedFacts.includes("annotations") ? ["origin", "suggested"] : ["origin"];
  const keys = new Set([...Object.keys(there), ...Object.keys(imported)].filter(isImportedKey));
  return {
    kind: "drifted",
    changed: [
      ...[...keys].filter((key) => !isSame && canonical(there[key]) !== canonical(imported[key])),
      ...changedFacts,
    ],
    isEdited: !isSame && isEdited,
    conflicts: merge().conflicts,
    merged: (choose) => updatedText(text, there, imported, taken, merge(choose)),
  };
}

function factsThatDiffer(there: JsonObject, imported: JsonObject): readonly string[] {
  const keys = new Set([...Object.keys(there), ...Object.keys(imported)]);
  return [...keys].filter(
    (key) => key !== "digest" && key !== "source" && canonical(there[key]) !== canonical(imported[key]),
  );
}

/** Writes a merge into the author's file. Returns `undefined` if the result does not read back as expected. */
function updatedText(
  text: string,
  there: JsonObject,
  imported: JsonObject,
  taken: readonly string[],
  merge: Merge,
): string | undefined {
  const document = parseDocument(text, { keepSourceTokens: false });
  if (!isMap(document.contents)) return undefined;
  const own = Object.entries(there).filter(([key]) => !isImportedKey(key));
  const expected = new Map([...own, ...Object.entries(merge.value)]);
  try {
    applyMerge(document, merge);
    for (const key of taken) {
      const value = imported[key];
      if (canonical(value) === canonical(there[key])) continue;
      if (value === undefined) {
        document.delete(key);
        expected.delete(key);
      } else {
        document.set(key, specNode(value, "readable"));
        expected.set(key, value);
      }
    }
  } catch {
    // For example, an edit through an alias has no text of its own.
    return undefined;
  }
  const updated = document.toString(PRINT_OPTIONS);
  return readsAs(updated, Object.fromEntries(expected)) ? updated : undefined;
}
