import type { JsonObject, JsonValue } from "@hasp/schema";
import type { LoadedDocument } from "../../model/document.js";
import { isObject } from "../../model/json-kind.js";
import { followReference } from "../definitions/follow-reference.js";
import type { ImportSource } from "../source/import-source.js";
import { OPENAPI_3_0, OPENAPI_3_1, type SchemaDialect } from "../translation/schema-dialect.js";

/** An object of an OpenAPI document, with the place where it really stands. */
export interface Placed {
  readonly value: JsonObject;
  readonly document: LoadedDocument;
  readonly pointer: string;
}

/** A value that may be a Reference Object, at its place. */
export interface MaybeReference {
  readonly value: JsonValue | undefined;
  readonly document: LoadedDocument;
  readonly pointer: string;
}

/** Longest chain of references to references. */
const LONGEST_CHAIN = 20;

/** The object that a value is or refers to; a text says why there is none. */
export function objectAt(start: MaybeReference, documents: ImportSource["documents"]): Placed | string {
  let { value, document, pointer } = start;
  for (let links = 0; links < LONGEST_CHAIN; links += 1) {
    if (!isObject(value)) return "an object must stand here";
    const { $ref: reference } = value;
    if (typeof reference !== "string") return { value, document, pointer };
    const followed = followReference(reference, document, documents);
    if ("problem" in followed) return `"${reference}" cannot be followed: ${followed.problem}`;
    ({ value, document, pointer } = followed);
  }
  return "its references lead in a circle";
}

/** What a version of OpenAPI means by a schema; `undefined` for a version that is not read. */
export function dialectOf(document: JsonValue): SchemaDialect | undefined {
  const version = isObject(document) ? document["openapi"] : undefined;
  if (typeof version !== "string") return undefined;
  if (/^3\.0(?:\.|$)/u.test(version)) return OPENAPI_3_0;
  return /^3\.[12](?:\.|$)/u.test(version) ? OPENAPI_3_1 : undefined;
}

/** Whether schemas are read as 2020-12, as OpenAPI has it unless the document says otherwise. */
export function hasKnownSchemas(document: JsonValue): boolean {
  const dialect = isObject(document) ? document["jsonSchemaDialect"] : undefined;
  return dialect === undefined || (typeof dialect === "string" && KNOWN_DIALECTS.test(dialect));
}

const KNOWN_DIALECTS =
  /^https:\/\/(?:json-schema\.org\/draft\/2020-12\/schema|spec\.openapis\.org\/oas\/3\.\d\/(?:dialect|schema)\/.*)#?$/u;
