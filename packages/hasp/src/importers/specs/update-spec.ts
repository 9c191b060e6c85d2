import type { JsonObject } from "@hasp/schema";
import { isMap, parseDocument } from "yaml";
import { isObject } from "../../model/json-kind.js";
import { parseSource } from "../../phases/1-load/index.js";
import { canonical, importedDigest, isImportedKey } from "./imported-part.js";
import { PRINT_OPTIONS, readsBackAs, specNode } from "./print-spec.js";

/** The result of comparing an existing spec with its source. */
export type SpecComparison =
  /** It was not imported from this tool. */
  | { readonly kind: "foreign" }
  /** The source is unchanged. */
  | { readonly kind: "same" }
  | {
      readonly kind: "drifted";
      /** The keys in which the source differs from the spec. */
      readonly changed: readonly string[];
      /** The author has edited one of the keys that came from the source. */
      readonly isEdited: boolean;
      /** The spec updated from the source; the author's own keys and comments are unchanged. */
      readonly text: string | undefined;
    };

/** Compares a spec file with a new import of the same tool; pure. */
export function compareSpec(text: string, imported: JsonObject): SpecComparison {
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
  // Hints that the author removed by approving return only if the source's hints change.
  const haveHintsChanged = changedFacts.includes("annotations");
  const keys = new Set([...Object.keys(there), ...Object.keys(imported)].filter(isImportedKey));
  return {
    kind: "drifted",
    changed: [
      ...[...keys].filter((key) => !isSame && canonical(there[key]) !== canonical(imported[key])),
      ...changedFacts,
    ],
    isEdited: !isSame && origin["digest"] !== importedDigest(there),
    text: updatedText(
      text,
      there,
      imported,
      (key) => key === "origin" || (key === "suggested" ? haveHintsChanged : !isSame && isImportedKey(key)),
    ),
  };
}

/** Returns the imported keys of `origin` whose values have changed. */
function factsThatDiffer(there: JsonObject, imported: JsonObject): readonly string[] {
  const keys = new Set([...Object.keys(there), ...Object.keys(imported)]);
  return [...keys].filter(
    (key) => key !== "digest" && key !== "source" && canonical(there[key]) !== canonical(imported[key]),
  );
}

/**
 * Writes the source's keys into the author's file. Returns `undefined` if the result does not read back as expected.
 */
function updatedText(
  text: string,
  there: JsonObject,
  imported: JsonObject,
  isTakenOver: (key: string) => boolean,
): string | undefined {
  const document = parseDocument(text, { keepSourceTokens: false });
  if (!isMap(document.contents)) return undefined;
  const expected = new Map(Object.entries(there));
  for (const key of new Set([...Object.keys(there), ...Object.keys(imported)])) {
    if (!isTakenOver(key)) continue;
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
  const updated = document.toString(PRINT_OPTIONS);
  return readsBackAs(updated, Object.fromEntries(expected)) ? updated : undefined;
}
