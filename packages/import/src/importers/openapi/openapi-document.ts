import type { JsonObject, JsonValue } from "@hasp/schema";
import type { LoadedDocument } from "../../../../compiler/src/model/document.js";
import { isList, isObject } from "../../../../compiler/src/model/json-kind.js";
import { followReference } from "../definitions/follow-reference.js";
import type { ImportSource } from "../source/import-source.js";
import { OPENAPI_3_0, OPENAPI_3_1, type SchemaDialect } from "../translation/schema-dialect.js";

/** An object of an OpenAPI document with its actual location. */
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
export function objectAt(start: MaybeReference, documents: ImportSource["documents"]): LocatedObject | string {
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

/** Returns a schema and its `allOf` parts, each once. */
export function schemasInPlace(start: MaybeReference, documents: ImportSource["documents"]): readonly LocatedObject[] {
  const first = objectAt(start, documents);
  const found = new Map(typeof first === "string" ? [] : [[first.value, first]]);
  for (const schema of found.values()) {
    const { allOf } = schema.value;
    for (const [index, value] of (isList(allOf) ? allOf : []).entries()) {
      const branch = objectAt(
        { value, document: schema.document, pointer: `${schema.pointer}/allOf/${index}` },
        documents,
      );
      if (typeof branch !== "string") found.set(branch.value, branch);
    }
  }
  return [...found.values()];
}

/** Returns the schema dialect of an OpenAPI version; `undefined` for an unsupported version. */
export function dialectOf(document: JsonValue): SchemaDialect | undefined {
  const version = isObject(document) ? document["openapi"] : undefined;
  if (typeof version !== "string") return undefined;
  if (/^3\.0(?:\.|$)/u.test(version)) return OPENAPI_3_0;
  return /^3\.[12](?:\.|$)/u.test(version) ? OPENAPI_3_1 : undefined;
}

/** True unless the document chooses another schema dialect than the default, 2020-12. */
export function hasKnownSchemas(document: JsonValue): boolean {
  const dialect = isObject(document) ? document["jsonSchemaDialect"] : undefined;
  return dialect === undefined || (typeof dialect === "string" && KNOWN_DIALECTS.test(dialect));
}

const KNOWN_DIALECTS =
  /^https:\/\/(?:json-schema\.org\/draft\/2020-12\/schema|spec\.openapis\.org\/oas\/3\.\d\/(?:dialect|schema)\/.*)#?$/u;
