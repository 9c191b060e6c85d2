import { attempt } from "@hasp/base/diagnostics";
import { closed } from "../model/field-schemas.js";
import { dialects as ownDialects, type JsonObject, type JsonValue } from "@hasp/schema";
import { isAnnotation } from "@hasp/schema/vocabulary";
import { ENTRY_PARTS, nameDialect, type PluginDialect } from "../model/dialect.js";
import { isStructured, isObject } from "@hasp/base/json";
import { PART_NAME } from "../model/reserved-names.js";

export const partName: JsonObject = {
  type: "string",
  pattern: PART_NAME,
  "x-expected": "a name that begins with the plugin's, such as acme/needs-owner",
};
const names = (...values: readonly string[]): JsonObject => ({ enum: values });
const count: JsonObject = { type: "integer", minimum: 1 };
const ACTIONS = ["keep", "rewrite", "words", "refuse"];
const keywordActions: JsonObject = {
  type: "object",
  additionalProperties: false,
  properties: Object.fromEntries(
    Object.keys(ownDialects.mcp.keywords).map((keyword) => {
      // A constraint that is dropped would be lost without a report.
      const mayDrop = isAnnotation(keyword) || keyword === "nullable";
      return [keyword, names(...ACTIONS, ...(mayDrop ? ["drop"] : []))];
    }),
  ),
};
/** One class of characters: a text of the plugin becomes a regular expression, which must not hang. */
const characters: JsonObject = {
  type: "string",
  pattern: "^\\[[A-Za-z0-9_.:-]+\\]$",
  "x-expected": "a class of letters, digits, _ . : and -, such as [A-Za-z0-9_-]",
};
const nameRule: JsonObject = closed({
  required: ["first", "further", "maxLength"],
  properties: {
    first: characters,
    further: characters,
    maxLength: { type: "integer", minimum: 16, maximum: 256 },
    case: names("snake"),
    reserved: { type: "array", items: { type: "string", minLength: 1 } },
  },
});
const fieldUse: JsonObject = {
  anyOf: [
    { type: "string" },
    closed({ required: ["field", "begins"], properties: { field: { type: "string" }, begins: { type: "string" } } }),
  ],
};
const objectOf = (properties: JsonObject): JsonObject => ({ type: "object", additionalProperties: false, properties });

/** The form of a dialect; {@link findDialectFault} judges its entry. */
export const dialectForm: JsonObject = closed({
  required: ["id", "title", "entry"],
  properties: {
    id: partName,
    title: { type: "string", minLength: 1 },
    entry: { type: "object" },
    toolName: nameRule,
    propertyName: {
      ...nameRule,
      required: ["first", "further", "maxLength", "scope"],
      properties: { ...(nameRule["properties"] as JsonObject), scope: names("root", "everywhere") },
    },
    descriptionLength: count,
    keywords: keywordActions,
    rootKeywords: keywordActions,
    formats: { type: "array", items: { type: "string" } },
    patterns: names("any", "no-lookaround", "simple", "unanchored", "anchored"),
    shapes: objectOf({
      nodes: names("free", "typed"),
      unions: names("anywhere", "alone", "nowhere"),
      nulls: names("type-array", "branch", "nullable", "nowhere"),
      optional: names("omitted", "null"),
      closing: names("kept", "demanded", "unsaid"),
      maps: names("kept", "pairs"),
      tuples: names("kept", "object", "array"),
      enums: names("any", "scalars", "strings"),
      anything: names("kept", "text"),
      recursion: names("references", "cut", "refused"),
      repetition: { type: "boolean" },
      referenceSiblings: { type: "boolean" },
      items: names("optional", "demanded"),
      emptyProperties: names("kept", "demanded", "omitted"),
      booleanProperties: { type: "boolean" },
      someRequired: { type: "boolean" },
    }),
    limits: objectOf({
      depth: count,
      properties: count,
      enumValues: count,
      nameAndValueLength: count,
      largeEnum: { ...objectOf({ values: count, length: count }), required: ["values", "length"] },
      tools: count,
      deferredTools: count,
    }),
    fieldRules: objectOf({
      exclusive: {
        type: "array",
        items: { type: "array", items: fieldUse, minItems: 2, maxItems: 2, uniqueItems: true },
      },
      most: { type: "object", additionalProperties: count },
    }),
  },
});

/** Finds the fault of a dialect of the right form: generated code needs its name, and providers its entry. */
export function findDialectFault(dialect: PluginDialect): string | undefined {
  const { id, entry } = dialect;
  const twin = Object.keys(ownDialects).find((own) => nameDialect(own as keyof typeof ownDialects) === nameDialect(id));
  if (twin !== undefined) return `reads like "${twin}", which is hasp's.`;
  const said = textsIn(entry);
  const missing = ["$name", "$description", "$input"].find((part) => !said.includes(part));
  if (missing !== undefined) return `has no "${missing}" in its entry.`;
  const parts = ENTRY_PARTS.map((part) => `$${part}`);
  const unknown = said.find((each) => /^\$[A-Za-z]+$/u.test(each) && !parts.includes(each));
  if (unknown !== undefined) return `names "${unknown}" in its entry; it may name ${parts.join(", ")}.`;
  const hint = keysIn(entry).find((key) => /Hint$|^defer_loading$/u.test(key));
  if (hint !== undefined) return `writes "${hint}" in its entry. What a tool does is not for a plugin to say.`;
  return findClassFault(dialect);
}

/** Characters that lowering puts into names of parameters: replacements, and digests of long names. */
const FITTED = "_0123456789abcdef";

/** Finds an invalid class of characters. Names of tools are checked once fitted; those of parameters are not. */
function findClassFault({ toolName, propertyName }: PluginDialect): string | undefined {
  const classes = [
    [toolName?.first, ""],
    [toolName?.further, ""],
    [propertyName?.first, "_"],
    [propertyName?.further, FITTED],
  ] as const;
  for (const [text, needed] of classes) {
    if (text === undefined) continue;
    const expression = attempt(() => new RegExp(text));
    if (expression === undefined) return `has the class "${text}", in which a range ends before it begins.`;
    const missing = Array.from(needed).find((character) => !expression.test(character));
    if (missing !== undefined) return `has no "${missing}" in the class "${text}": hasp fits names with it.`;
  }
  return undefined;
}

function textsIn(value: JsonValue): readonly string[] {
  if (typeof value === "string") return [value];
  return isStructured(value) ? Object.values(value).flatMap(textsIn) : [];
}

function keysIn(value: JsonValue): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(keysIn);
  return isObject(value) ? [...Object.keys(value), ...Object.values(value).flatMap(keysIn)] : [];
}
