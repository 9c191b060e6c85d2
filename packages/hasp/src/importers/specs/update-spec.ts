import type { JsonObject } from "@hasp/schema";
import { isMap, parseDocument } from "yaml";
import { isObject } from "../../model/json-kind.js";
import { parseSource } from "../../phases/1-load/index.js";
import { canonical, importedDigest, isImportedKey } from "./imported-part.js";
import { PRINT_OPTIONS, readsBackAs, specNode } from "./print-spec.js";

/** How a spec that is there compares with what its source says now. */
export type SpecComparison =
  /** It is no import of this tool. */
  | { readonly kind: "foreign" }
  /** The source says what it said. */
  | { readonly kind: "same" }
  | {
      readonly kind: "drifted";
      /** The keys in which the source differs from the spec. */
      readonly changed: readonly string[];
      /** The author has edited one of the keys that came from the source. */
      readonly isEdited: boolean;
      /** The spec with what the source says now; the author's own keys and comments as they were. */
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
  // What the author took out of it by approving comes back only with new hints.
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

/** The keys of `origin` that the source fills and that say something else now. */
function factsThatDiffer(there: JsonObject, imported: JsonObject): readonly string[] {
  const keys = new Set([...Object.keys(there), ...Object.keys(imported)]);
  return [...keys].filter(
    (key) => key !== "digest" && key !== "source" && canonical(there[key]) !== canonical(imported[key]),
  );
}

/** Puts the source's keys into the author's text. `undefined` if the result would not read back as it should. */
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
