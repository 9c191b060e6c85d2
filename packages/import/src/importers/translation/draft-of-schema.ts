import type { JsonObject, JsonValue } from "@hasp/schema";
import { holdsSchemas, isAnnotation, isKeyword, keywordRow, walkSchema } from "@hasp/schema/vocabulary";
import type { Location } from "../../../../compiler/src/diagnostics/diagnostic.js";
import { isObject } from "../../../../compiler/src/model/json-kind.js";
import type { MakeImportDiagnostic } from "../source/diagnostics.js";

/** The `$schema` of a draft-07 schema in a spec; the default is 2020-12. */
const DRAFT_07 = "http://json-schema.org/draft-07/schema#";

/** The draft, of two, that preserves the meaning of a schema. */
type DraftVerdict =
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

export function draftOf(written: JsonValue | undefined, schema: JsonObject): DraftVerdict {
  const older = firstLocation(schema, olderWord);
  if (written === undefined) {
    if (older === undefined) return { kind: "stated", draft: "2020-12" };
    const newer = firstLocation(schema, newerWord);
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
  return Object.keys(schema).find((word) => word === "dependencies" || keywordRow(word)?.draft === "draft-07");
}

/** Returns a keyword that draft-07 lacks, or a `$ref` with a sibling that draft-07 would ignore. */
function newerWord(schema: JsonObject): string | undefined {
  const word = Object.keys(schema).find((keyword) => {
    const row = keywordRow(keyword);
    return row?.draft === "2020-12" && (row.role === "assertion" || row.role === "applicator");
  });
  if (word !== undefined || !Object.hasOwn(schema, "$ref")) return word;
  const sibling = Object.keys(schema).find((keyword) => keyword !== "$ref" && isKeyword(keyword) && !isAside(keyword));
  return sibling === undefined ? undefined : `$ref beside ${sibling}`;
}

/** True for annotations and containers of definitions. */
function isAside(keyword: string): boolean {
  return isAnnotation(keyword) || (keywordRow(keyword)?.role === "identifier" && holdsSchemas(keyword));
}

function firstLocation(
  root: JsonObject,
  find: (schema: JsonObject) => string | undefined,
): { readonly word: string; readonly pointer: string } | undefined {
  let first: { readonly word: string; readonly pointer: string } | undefined;
  walkSchema(root, ({ schema, pointer }) => {
    if (first !== undefined || !isObject(schema)) return false;
    const word = find(schema);
    if (word !== undefined) first = { word, pointer: Object.hasOwn(schema, word) ? `${pointer}/${word}` : pointer };
    return first === undefined;
  });
  return first;
}
