import type { JsonObject, JsonValue } from "@hasp/schema";
import type { Location } from "../../diagnostics/diagnostic.js";
import { isList, isObject } from "../../model/json-kind.js";
import { escapeToken } from "../../model/json-pointer.js";
import type { MakeImportDiagnostic } from "../source/diagnostics.js";
import { KEYWORDS } from "./schema-words.js";

/** The `$schema` of a draft-07 schema in a spec; the default is 2020-12. */
const DRAFT_07 = "http://json-schema.org/draft-07/schema#";

/** Which of the two supported drafts preserves the meaning of a schema. */
export type DraftVerdict =
  | { readonly kind: "stated"; readonly draft: KnownDraft }
  /** No draft is stated, but a keyword implies draft-07. */
  | { readonly kind: "older-words"; readonly draft: KnownDraft; readonly word: string; readonly pointer: string }
  /** Another draft, equivalent to `draft` for the keywords used. */
  | { readonly kind: "near"; readonly draft: KnownDraft; readonly name: string }
  /** No draft is stated, and keywords of both drafts are used. */
  | { readonly kind: "mixed"; readonly older: string; readonly newer: string; readonly pointer: string }
  | { readonly kind: "unknown"; readonly word: string };

type KnownDraft = "2020-12" | "draft-07";

const NAME = /^https?:\/\/json-schema\.org\/(?:draft\/)?(draft-\d\d|\d{4}-\d\d)\/schema#?$/;

/** Omits `$schema` if it states the default; adds draft-07 if only that draft has the keywords used. */
export function withDraft(
  translated: JsonValue,
  {
    tool,
    note,
    locate,
  }: { readonly tool: string; readonly note: MakeImportDiagnostic; readonly locate: (pointer: string) => Location },
): JsonValue {
  if (!isObject(translated)) return translated;
  const { $schema: written } = translated;
  const rest = Object.fromEntries(Object.entries(translated).filter(([keyword]) => keyword !== "$schema"));
  const verdict = draftOf(written, translated);
  switch (verdict.kind) {
    case "older-words":
      note("older-words", locate(verdict.pointer), { word: verdict.word });
      break;
    case "near":
      note("draft", locate("/$schema"), { from: verdict.name, to: verdict.draft });
      break;
    case "mixed":
      note("mixed-drafts", locate(verdict.pointer), { tool, older: verdict.older, newer: verdict.newer });
      return rest;
    case "unknown":
      note("unknown-draft", locate("/$schema"), { tool, draft: JSON.stringify(written), word: verdict.word });
      return rest;
    default:
  }
  return verdict.draft === "draft-07" ? { $schema: DRAFT_07, ...rest } : rest;
}

/** Infers the draft of a schema from its `$schema` and its keywords. */
export function draftOf(written: JsonValue | undefined, schema: JsonObject): DraftVerdict {
  const older = firstLocation(schema, "", olderWord);
  if (written === undefined) {
    if (older === undefined) return { kind: "stated", draft: "2020-12" };
    const newer = firstLocation(schema, "", newerWord);
    if (newer !== undefined) return { kind: "mixed", older: older.word, newer: newer.word, pointer: older.pointer };
    return { kind: "older-words", draft: "draft-07", ...older };
  }
  const name = typeof written === "string" ? NAME.exec(written)?.[1] : undefined;
  if (name === "2020-12" || name === "draft-07") return { kind: "stated", draft: name };
  // Draft-07 includes all of draft-06, and draft-04 once its bounds are translated.
  if (name === "draft-06" || name === "draft-04") return { kind: "near", draft: "draft-07", name };
  if (name === "2019-09" && older === undefined) return { kind: "near", draft: "2020-12", name };
  return { kind: "unknown", word: older?.word ?? "$schema" };
}

/** Returns a keyword that 2020-12 lacks or redefined. */
function olderWord(schema: JsonObject): string | undefined {
  if (Array.isArray(schema["items"])) return "items";
  return ["additionalItems", "dependencies"].find((word) => Object.hasOwn(schema, word));
}

const NEWER = [
  "prefixItems",
  "unevaluatedItems",
  "unevaluatedProperties",
  "dependentRequired",
  "dependentSchemas",
  "minContains",
  "maxContains",
  "$dynamicRef",
];
const ANNOTATIONS = new Set([
  "$comment",
  "title",
  "description",
  "default",
  "examples",
  "deprecated",
  "readOnly",
  "writeOnly",
  "$defs",
  "definitions",
]);

/** Returns a keyword that draft-07 lacks, or a `$ref` with a sibling that draft-07 would ignore. */
function newerWord(schema: JsonObject): string | undefined {
  const word = NEWER.find((keyword) => Object.hasOwn(schema, keyword));
  if (word !== undefined || !Object.hasOwn(schema, "$ref")) return word;
  const sibling = Object.keys(schema).find(
    (keyword) => keyword !== "$ref" && !ANNOTATIONS.has(keyword) && KEYWORDS.has(keyword),
  );
  return sibling === undefined ? undefined : `$ref beside ${sibling}`;
}

/** Returns the first location, from the root, at which `find` finds a keyword. */
function firstLocation(
  value: JsonValue,
  pointer: string,
  find: (schema: JsonObject) => string | undefined,
): { readonly word: string; readonly pointer: string } | undefined {
  if (!isObject(value)) return undefined;
  const word = find(value);
  if (word !== undefined) return { word, pointer: Object.hasOwn(value, word) ? `${pointer}/${word}` : pointer };
  for (const [keyword, operand] of Object.entries(value)) {
    const shape = KEYWORDS.get(keyword);
    if (shape === undefined || shape === "value") continue;
    for (const [token, item] of schemasIn(operand, shape === "map")) {
      const found = firstLocation(item, `${pointer}/${keyword}${token}`, find);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

function schemasIn(operand: JsonValue, isMap: boolean): readonly (readonly [token: string, schema: JsonValue])[] {
  if (isList(operand)) return operand.map((item, index) => [`/${index}`, item]);
  if (!isMap || !isObject(operand)) return [["", operand]];
  return Object.entries(operand).map(([name, item]) => [`/${escapeToken(name)}`, item]);
}
