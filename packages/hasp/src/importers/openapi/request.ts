import type { JsonObject, JsonValue } from "@hasp/schema";
import { isList, isObject } from "../../model/json-kind.js";
import { escapeToken } from "../../model/json-pointer.js";
import type { EntryReader } from "../entries/source-entry.js";
import type { ImportSource } from "../source/import-source.js";
import { objectOf, textOf } from "../source/json-values.js";
import { bestMedia } from "./media-types.js";
import { objectAt, type LocatedObject } from "./openapi-document.js";
import type { Operation } from "./operations.js";
import { describedBy, factsOfParameter, parametersOf, schemaOfParameter } from "./parameters.js";
import { securityFacts, type SecurityScheme } from "./security.js";

/** The input of an operation, and what a handler must know to send it. */
export interface Request {
  readonly input: JsonObject;
  readonly facts: JsonObject;
}

/**
 * Combines the parameters and body of an operation into one input: each parameter under its own name, the body under
 * `body`. On a clash, names the later one after its location. Returns `undefined` if some part cannot be expressed
 * exactly.
 */
export function requestOf(
  operation: Operation,
  source: ImportSource,
  schemes: readonly SecurityScheme[],
  reader: EntryReader,
): Request | undefined {
  const { method, path, entry } = operation;
  if (!isObject(entry.value)) {
    reader.note("not-a-tool", reader.locate(""), undefined);
    return undefined;
  }
  const parameters = parametersOf(operation, source, schemes, reader);
  const body = bodyOf(entry.value, operation, source, reader);
  if (parameters === undefined || body === "refused") return undefined;
  const properties = new Map<string, JsonValue>();
  const required: string[] = [];
  const places = new Map<string, JsonValue>();
  for (const parameter of parameters) {
    const name = freeInputName(parameter.name, parameter.in, properties);
    const schema = schemaOfParameter(parameter, reader);
    if (schema === undefined) return undefined;
    properties.set(name, schema);
    places.set(name, factsOfParameter(parameter, name));
    if (parameter.isRequired) required.push(name);
  }
  const bodyName = body === undefined ? undefined : freeInputName("body", "request", properties);
  if (body !== undefined && bodyName !== undefined) {
    properties.set(bodyName, body.schema);
    if (body.isRequired) required.push(bodyName);
  }
  const input = objectOf([
    ["type", "object"],
    ["required", required.length === 0 ? undefined : required],
    ["properties", Object.fromEntries(properties)],
  ]);
  const facts = objectOf([
    ["method", method.toUpperCase()],
    ["path", path],
    ["server", serverOf([entry.value, operation.item.value, source.document.value])],
    ["parameters", places.size === 0 ? undefined : Object.fromEntries(places)],
    [
      "body",
      body === undefined || bodyName === undefined ? undefined : { input: bodyName, contentType: body.contentType },
    ],
    ["security", securityFacts(entry.value, source.document.value, schemes)],
  ]);
  return { input, facts };
}

/** Returns the name itself or, if it is taken, one that includes the location, numbered if necessary. */
function freeInputName(name: string, place: string, taken: ReadonlyMap<string, unknown>): string {
  if (!taken.has(name)) return name;
  const placed = `${place}_${name}`;
  for (let number = 1; ; number += 1) {
    const candidate = number === 1 ? placed : `${placed}_${number}`;
    if (!taken.has(candidate)) return candidate;
  }
}

interface Body {
  readonly schema: JsonValue;
  readonly isRequired: boolean;
  readonly contentType: string;
}

function bodyOf(
  value: JsonObject,
  { entry, item }: Operation,
  { documents }: ImportSource,
  { translate, note, name: tool }: EntryReader,
): Body | "refused" | undefined {
  if (value["requestBody"] === undefined) return undefined;
  const { document } = item;
  const pointer = `${entry.pointer}/requestBody`;
  const body = objectAt({ value: value["requestBody"], document, pointer }, documents);
  if (typeof body === "string") {
    note("broken-body", document.locate(pointer), { tool, problem: body });
    return "refused";
  }
  const content = body.value["content"];
  const media = bestMedia(content);
  const types = isObject(content) ? Object.keys(content) : [];
  if (media === undefined) {
    note("broken-body", body.document.locate(body.pointer), {
      tool,
      problem: `JSON cannot express a body of ${types.join(", ") || "no media type"}`,
    });
    return "refused";
  }
  const at = `${body.pointer}/content/${escapeToken(media.type)}`;
  const schema = media.value["schema"];
  if (
    media.form === "multipart" &&
    holdsBytes({ value: isObject(schema) ? schema : {}, document: body.document, pointer: at }, documents)
  ) {
    note("broken-body", body.document.locate(at), {
      tool,
      problem: "a part of it is a file, which JSON cannot express",
    });
    return "refused";
  }
  const translated =
    schema === undefined
      ? media.form === "text"
        ? { type: "string" }
        : {}
      : translate(schema, { role: "input", pointer: `${at}/schema`, document: body.document });
  if (translated === undefined) return "refused";
  const description = textOf(body.value["description"]);
  return {
    schema: isObject(translated) ? describedBy(description, translated) : translated,
    isRequired: body.value["required"] === true,
    contentType: media.type,
  };
}

/** Whether a form schema has a binary part. */
function holdsBytes(start: LocatedObject, documents: ImportSource["documents"]): boolean {
  const seen = new Set<JsonValue>();
  const waiting: LocatedObject[] = [start];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const target = objectAt(next, documents);
    if (typeof target === "string" || seen.has(target.value)) continue;
    seen.add(target.value);
    const { format, properties, items, allOf, contentMediaType, type } = target.value;
    if (format === "binary" || (contentMediaType === "application/octet-stream" && type === undefined)) return true;
    for (const value of [
      ...(isObject(properties) ? Object.values(properties) : []),
      ...(isList(allOf) ? allOf : []),
      items,
    ]) {
      if (isObject(value)) waiting.push({ ...target, value });
    }
  }
  return false;
}

/** Returns the nearest server with a complete URL. */
function serverOf(owners: readonly JsonValue[]): string | undefined {
  for (const owner of owners) {
    const servers = isObject(owner) ? owner["servers"] : undefined;
    if (!isList(servers) || servers.length === 0) continue;
    const addresses = servers.map((server) => (isObject(server) ? server["url"] : undefined));
    return addresses
      .find((url): url is string => typeof url === "string" && /^https?:\/\/[^{}]+$/iu.test(url))
      ?.replace(/\/+$/u, "");
  }
  return undefined;
}
