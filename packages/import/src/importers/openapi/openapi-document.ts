import type { JsonObject, JsonValue } from "@hasp/schema";
import type { LoadedDocument } from "@hasp/compiler/model";
import {
  escapeToken,
  findOrAdd,
  readOwnMember,
  toObject,
  toList,
  isList,
  isObject,
  parsePointer,
} from "@hasp/base/json";
import { followReference } from "../source/documents.js";
import type { ImportSettings, ImportSource } from "../source/importer.js";
import {
  OPENAPI_3_0,
  OPENAPI_3_0_TO_THE_LETTER,
  OPENAPI_3_1,
  type SchemaDialect,
} from "../translation/schema-dialect.js";
import type { FindHidden, FindTags } from "../translation/definition-stock.js";
import { MOST_PARTS } from "../translation/translate-schema.js";

export interface LocatedObject {
  readonly value: JsonObject;
  readonly document: LoadedDocument;
  readonly pointer: string;
}

export interface MaybeReference {
  readonly value: JsonValue | undefined;
  readonly document: LoadedDocument;
  readonly pointer: string;
}

const LONGEST_CHAIN = 20;

/** Resolves a value; returns a string with the reason if it leads to no object. */
export function findObject(start: MaybeReference, documents: ImportSource["documents"]): LocatedObject | string {
  let { value, document, pointer } = start;
  for (let links = 0; links < LONGEST_CHAIN; links += 1) {
    if (!isObject(value)) return "this must be an object";
    const { $ref: reference } = value;
    if (typeof reference !== "string") return { value, document, pointer };
    const followed = followReference(reference, document, documents);
    if ("problem" in followed) return `"${reference}" cannot be resolved: ${followed.problem}`;
    ({ value, document, pointer } = followed);
  }
  return "its references are circular";
}

/** Lists a schema and those that its `allOf` leads to; stops past {@link MOST_PARTS}. */
export function listSchemas(start: MaybeReference, documents: ImportSource["documents"]): readonly LocatedObject[] {
  const first = findObject(start, documents);
  return typeof first === "string" ? [] : listParts(first, (schema) => listBranches(schema, documents));
}

function listParts(
  first: LocatedObject,
  findBranches: (schema: LocatedObject) => readonly LocatedObject[],
): readonly LocatedObject[] {
  const found = new Map([[first.value, first]]);
  for (const schema of found.values()) {
    if (found.size > MOST_PARTS) break;
    for (const branch of findBranches(schema)) found.set(branch.value, branch);
  }
  return [...found.values()];
}

function listBranches(
  { value: schema, document, pointer }: LocatedObject,
  documents: ImportSource["documents"],
): readonly LocatedObject[] {
  return toList(schema["allOf"]).flatMap((value, index) => {
    const branch = findObject({ value, document, pointer: `${pointer}/allOf/${index}` }, documents);
    return typeof branch === "string" ? [] : branch;
  });
}

export function findDialect(
  document: JsonValue,
  { nullable }: Pick<ImportSettings, "nullable"> = {},
): SchemaDialect | undefined {
  const version = readOwnMember(document, "openapi");
  if (typeof version !== "string") return undefined;
  if (/^3\.0(?:\.|$)/u.test(version)) return nullable === "strict" ? OPENAPI_3_0_TO_THE_LETTER : OPENAPI_3_0;
  return /^3\.[12](?:\.|$)/u.test(version) ? OPENAPI_3_1 : undefined;
}

/** True unless the document chooses another schema dialect than the default, 2020-12. */
export function hasKnownSchemas(document: JsonValue): boolean {
  const dialect = readOwnMember(document, "jsonSchemaDialect");
  return dialect === undefined || (typeof dialect === "string" && KNOWN_DIALECTS.test(dialect));
}

const KNOWN_DIALECTS =
  /^https:\/\/(?:json-schema\.org\/draft\/2020-12\/schema|spec\.openapis\.org\/oas\/3\.\d\/(?:dialect|schema)\/.*)#?$/u;

export type BodyForm = "json" | "form" | "multipart" | "text" | "bytes";

export interface Media {
  readonly type: string;
  readonly form: BodyForm;
  readonly value: JsonObject;
}

/** In order of preference: JSON expresses the first best. */
const FORMS: readonly (readonly [BodyForm, RegExp])[] = [
  ["json", /^application\/json\s*(?:;|$)/iu],
  ["json", /^[^;]*\+json\s*(?:;|$)/iu],
  ["json", /^(?:application\/\*|\*\/\*)\s*(?:;|$)/iu],
  ["form", /^application\/x-www-form-urlencoded\s*(?:;|$)/iu],
  ["multipart", /^multipart\/form-data\s*(?:;|$)/iu],
  ["text", /^text\/(?!xml)[^;]*(?:;|$)/iu],
];
/** Media types whose structure a schema describes, but JSON does not carry. */
const STRUCTURED = /[/+](?:xml|yaml|x-yaml|cbor|msgpack)\s*(?:;|$)|^multipart\//iu;

export function chooseMedia(content: JsonValue | undefined): Media | undefined {
  const entries = isObject(content) ? Object.entries(content) : [];
  for (const [form, pattern] of FORMS) {
    const [type, value] = entries.find(([name]) => pattern.test(name)) ?? [];
    if (type !== undefined) return { type, form, value: toObject(value) };
  }
  const [type, value] = entries.find(([name, media]) => !STRUCTURED.test(name) && isBytes(media)) ?? [];
  return type === undefined ? undefined : { type, form: "bytes", value: toObject(value) };
}

function isBytes(media: JsonValue): boolean {
  const schema = readOwnMember(media, "schema");
  if (schema === undefined) return true;
  return isObject(schema) && (schema["type"] === "string" || Object.keys(schema).length === 0);
}

/**
 * Returns the properties of a schema and its `allOf` that do not exist in one role: `readOnly` ones should not be sent,
 * `writeOnly` ones are not returned, and "required" applies to the other side only (OpenAPI 3.0.3, Schema Object).
 * Returns `undefined` for more than {@link MOST_PARTS} schemas.
 */
export function createHiddenProperties(documents: ImportSource["documents"]): FindHidden {
  const branches = new Map<JsonObject, readonly LocatedObject[]>();
  const findParts = (schema: LocatedObject): readonly LocatedObject[] =>
    listParts(schema, (part) => findOrAdd(branches, part.value, () => listBranches(part, documents)));
  const createFinder = (flag: string): ((value: JsonObject, document: LoadedDocument) => ReturnType<FindHidden>) => {
    const flagged = new Map<JsonObject, boolean>();
    const named = new Map<JsonObject, readonly string[]>();
    const hidden = new Map<JsonObject, ReadonlySet<string> | undefined>();
    const isHidden = (value: JsonValue, document: LoadedDocument): boolean => {
      // Beside a reference, the property's own flag counts too.
      if (isObject(value) && value[flag] === true) return true;
      const schema = findObject({ value, document, pointer: "" }, documents);
      if (typeof schema === "string") return false;
      return findOrAdd(flagged, schema.value, () => findParts(schema).some((part) => part.value[flag] === true));
    };
    const listNames = ({ value: { properties }, document }: LocatedObject): readonly string[] =>
      Object.entries(toObject(properties)).flatMap(([name, value]) => (isHidden(value, document) ? name : []));
    return (value, document) =>
      findOrAdd(hidden, value, () => {
        const parts = findParts({ value, document, pointer: "" });
        if (parts.length > MOST_PARTS) return undefined;
        return new Set(parts.flatMap((part) => findOrAdd(named, part.value, () => listNames(part))));
      });
  };
  const finders = { input: createFinder("readOnly"), output: createFinder("writeOnly") };
  return (schema, document, role) => finders[role](schema, document);
}

/**
 * Finds what the discriminator of a union says of each of its branches (OpenAPI 3.0.3, Discriminator Object): the property
 * has the values that its mapping gives to the branch, or else the name of the branch's schema. It says nothing about a
 * branch that states a value for the property itself, or lacks the property in this role.
 */
export function createTagFinder(documents: ImportSource["documents"], hidden: FindHidden): FindTags {
  const partsOf = new Map<JsonObject, readonly LocatedObject[]>();
  return (schema, document, role) => {
    const { propertyName: name, mapping } = toObject(schema["discriminator"]);
    if (typeof name !== "string") return [];
    const follow = (reference: JsonValue | undefined): ReferencedValue | undefined => {
      const followed = typeof reference === "string" ? followReference(reference, document, documents) : undefined;
      return followed === undefined || "problem" in followed ? undefined : followed;
    };
    // A mapping names schemas or refers to them.
    const mapped = Object.entries(toObject(mapping)).map(
      ([value, target]) =>
        [value, follow(`#/components/schemas/${escapeToken(String(target))}`) ?? follow(target)] as const,
    );
    return toList(schema["oneOf"] ?? schema["anyOf"]).map((branch) => {
      const target = follow(readOwnMember(branch, "$ref"));
      const first = target && findObject(target, documents);
      if (first === undefined || typeof first === "string") return undefined;
      if (hidden(first.value, first.document, role)?.has(name) !== false) return undefined;
      const own = findOrAdd(partsOf, first.value, () => listSchemas(first, documents)).flatMap((part) => {
        const value = readOwnMember(part.value["properties"], name);
        const { const: only, enum: listed } = readValue(findObject({ ...part, value }, documents));
        return only !== undefined ? [[only]] : isList(listed) ? [listed] : [];
      });
      if (own.some((allowed) => allowed.length === 1)) return undefined;
      const given = mapped.flatMap(([value, to]) => (to?.value === target?.value ? value : []));
      // A mapping that leads nowhere may mean this branch.
      if (given.length === 0 && mapped.some(([, to]) => to === undefined)) return undefined;
      const values = given.length > 0 ? given : parsePointer(target?.pointer ?? "").slice(-1);
      const possible = values.filter((value) => own.every((allowed) => allowed.includes(value)));
      const [only] = possible;
      if (only === undefined) return undefined;
      return {
        required: [name],
        properties: { [name]: possible.length === 1 ? { const: only } : { enum: possible } },
      };
    });
  };
}

type ReferencedValue = Exclude<ReturnType<typeof followReference>, { readonly problem: string }>;

function readValue(found: LocatedObject | string): JsonObject {
  return typeof found === "string" ? {} : found.value;
}
