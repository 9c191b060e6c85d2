import type { JsonObject, JsonValue } from "@hasp/schema";
import { isList, isObject } from "../../../../compiler/src/model/json-kind.js";
import { escapeToken } from "../../../../compiler/src/model/json-pointer.js";
import type { EntryReader } from "../entries/source-entry.js";
import type { ImportSource } from "../source/import-source.js";
import { objectOf, textOf } from "../source/json-values.js";
import { bytesSchema, isBytesSchema } from "./bytes.js";
import { objectAt, schemasInPlace, type LocatedObject, type MaybeReference } from "./openapi-document.js";

interface Part {
  readonly name: string;
  readonly value: JsonValue;
  readonly pointer: string;
  readonly document: LocatedObject["document"];
  readonly isRequired: boolean;
  /** Set if the property is a file, or a list of files. */
  readonly files: "one" | "several" | undefined;
}

/** Returns the parts of a form with files, which the document's schema cannot express in JSON; else `undefined`. */
export function partsWithFiles(
  start: MaybeReference,
  documents: ImportSource["documents"],
): readonly Part[] | undefined {
  const schemas = schemasInPlace(start, documents);
  const required = new Set(schemas.flatMap(({ value }) => (isList(value["required"]) ? value["required"] : [])));
  const parts = schemas.flatMap((schema) => {
    const { properties } = schema.value;
    return Object.entries(isObject(properties) ? properties : {}).map(([name, value]): Part => {
      const pointer = `${schema.pointer}/properties/${escapeToken(name)}`;
      const { document } = schema;
      const files = filesOf({ value, pointer, document }, documents);
      return { name, value, pointer, document, isRequired: required.has(name), files };
    });
  });
  return parts.some(({ files }) => files !== undefined) ? parts : undefined;
}

/** Returns the input schema of a form; `undefined` if a part cannot be expressed, after reporting that. */
export function schemaOfParts(parts: readonly Part[], translate: EntryReader["translate"]): JsonObject | undefined {
  const properties = new Map<string, JsonValue>();
  for (const { name, value, pointer, document, files } of parts) {
    if (isObject(value) && value["readOnly"] === true) continue;
    const description = isObject(value) ? textOf(value["description"]) : undefined;
    const schema =
      files === "one"
        ? bytesSchema(description)
        : files === "several"
          ? listOfFiles(description)
          : translate(value, { role: "input", pointer, document });
    if (schema === undefined) return undefined;
    properties.set(name, schema);
  }
  const required = parts.filter(({ name, isRequired }) => isRequired && properties.has(name)).map(({ name }) => name);
  return objectOf([
    ["type", "object"],
    ["required", required.length === 0 ? undefined : [...new Set(required)]],
    ["properties", Object.fromEntries(properties)],
  ]);
}

function listOfFiles(description: string | undefined): JsonObject {
  return objectOf([
    ["type", "array"],
    ["description", description],
    ["items", bytesSchema(undefined)],
  ]);
}

function filesOf(start: MaybeReference, documents: ImportSource["documents"]): Part["files"] {
  const target = objectAt(start, documents);
  if (typeof target === "string") return undefined;
  if (isBytesSchema(target.value)) return "one";
  const { items } = target.value;
  if (items === undefined) return undefined;
  const item = objectAt({ ...target, value: items }, documents);
  return typeof item !== "string" && isBytesSchema(item.value) ? "several" : undefined;
}
