import type { JsonObject, JsonValue } from "@hasp/schema";
import { dropUndefined, readOwnMember, toObject, toList, isList, isObject, escapeToken } from "@hasp/base/json";
import type { EntryReader } from "../entries/source-entry.js";
import type { ImportSource } from "../source/importer.js";
import { readString } from "../source/json-values.js";
import { sortKeywords } from "../translation/schema-words.js";
import type { OpenapiOperation } from "./operations.js";
import { findObject, type LocatedObject, type MaybeReference } from "./openapi-document.js";
import type { SecurityScheme } from "./security.js";
import { findHeaderProblem, HTTP_STYLES, STYLES, TAKEN_HEADERS } from "@hasp/handlers/build";

/** Headers that parameters cannot set (OpenAPI 3.0.3, Parameter Object), and one that carries credentials. */
const SET_ELSEWHERE: ReadonlySet<string> = new Set(["accept", "content-type", "authorization"]);

export interface OperationParameter extends LocatedObject {
  readonly name: string;
  readonly in: OpenapiPlace;
  readonly isRequired: boolean;
  readonly schema: { readonly value: JsonValue; readonly pointer: string } | undefined;
  /** The media type of its value, if no style applies. */
  readonly contentType: string | undefined;
}

export function readParameters(
  { item, entry, path }: OpenapiOperation,
  { documents }: ImportSource,
  schemes: Iterable<SecurityScheme>,
  { note, locate, name: tool }: EntryReader,
): readonly OperationParameter[] | undefined {
  const found = new Map<string, OperationParameter>();
  let isWhole = true;
  const own = readOwnMember(entry.value, "parameters");
  for (const [list, base] of [
    [item.value["parameters"], item.pointer],
    [own, entry.pointer],
  ] as const) {
    if (list !== undefined && !isList(list)) {
      note("broken-parameter", item.document.locate(`${base}/parameters`), {
        tool,
        problem: "this must be a list of parameters",
      });
      isWhole = false;
    }
    for (const [index, value] of toList(list).entries()) {
      const pointer = `${base}/parameters/${index}`;
      const placed = findObject({ value, document: item.document, pointer }, documents);
      const members = typeof placed === "string" ? placed : parametersAt(placed, documents);
      if (typeof members === "string") {
        note("broken-parameter", item.document.locate(pointer), { tool, problem: members });
        isWhole = false;
        continue;
      }
      for (const member of members) {
        found.set(`${member.in} ${member.in === "header" ? member.name.toLowerCase() : member.name}`, member);
      }
    }
  }
  const placeholders = new Set([...path.matchAll(/\{([^{}]+)\}/gu)].map(([, name = ""]) => name));
  const credentials = [...schemes];
  const parameters = [...found.values()].filter((parameter) => {
    const { document, pointer, name } = parameter;
    if (credentials.some((scheme) => scheme.carriedBy(parameter))) {
      note("credential-left-out", document.locate(pointer), { name });
      return false;
    }
    if (parameter.in === "path" && !placeholders.has(name)) {
      note("path-parameter-unused", document.locate(pointer), { path, name });
      return false;
    }
    if (parameter.in === "header" && SET_ELSEWHERE.has(name.toLowerCase())) return false;
    const why = problemOf(parameter);
    if (why === undefined) return true;
    const isNeeded = parameter.isRequired && !isSetByTransport(parameter);
    if (isNeeded) {
      note("broken-parameter", document.locate(pointer), {
        tool,
        problem: `no ${parameter.in} can be sent as "${name}"`,
      });
      isWhole = false;
    } else note("parameter-left-out", document.locate(pointer), { tool, place: parameter.in, name, why });
    return false;
  });
  for (const name of placeholders) {
    if (found.has(`path ${name}`)) continue;
    note("path-parameter-unknown", locate(""), { tool, path, name });
    isWhole = false;
  }
  return isWhole ? parameters : undefined;
}

function parametersAt(
  placed: LocatedObject,
  documents: ImportSource["documents"],
): readonly OperationParameter[] | string {
  const { name, in: written, required, content } = placed.value;
  const place = [...PLACES, "querystring" as const].find((known) => known === written);
  if (typeof name !== "string" || name === "") return "it has no name";
  if (place === undefined) return `"in" must be one of ${PLACES.join(", ")}`;
  const [mediaType, media] = Object.entries(toObject(content))[0] ?? [];
  const schema = mediaType === undefined ? placed.value["schema"] : readOwnMember(media, "schema");
  const pointer = `${placed.pointer}${mediaType === undefined ? "" : `/content/${escapeToken(mediaType)}`}/schema`;
  if (place === "querystring") {
    return partsOfQuery({ value: schema, document: placed.document, pointer }, mediaType, documents);
  }
  const { style = DEFAULT_STYLES[place] } = placed.value;
  if (!STYLES[SECTIONS[place]].some((known) => known === style)) {
    return `handlers do not know the style ${JSON.stringify(style)} for a ${place} parameter`;
  }
  return [
    {
      ...placed,
      name,
      in: place,
      isRequired: place === "path" || required === true,
      schema: schema === undefined ? undefined : { value: schema, pointer },
      contentType: mediaType,
    },
  ];
}

/** Asks the check of declared handlers why a header or cookie cannot be sent; `undefined` if it can. */
function problemOf({ in: place, name }: OperationParameter): string | undefined {
  if (place !== "header" && place !== "cookie") return undefined;
  return findHeaderProblem(SECTIONS[place], name);
}

/** True for a header that is sent all the same: HTTP itself or the connection determines it. */
function isSetByTransport({ in: place, name }: OperationParameter): boolean {
  return place === "header" && Object.hasOwn(TAKEN_HEADERS, name.toLowerCase());
}

/** Splits a query string in form encoding into a parameter for each property of its schema. */
function partsOfQuery(
  start: MaybeReference,
  mediaType: string | undefined,
  documents: ImportSource["documents"],
): readonly OperationParameter[] | string {
  const schema = findObject(start, documents);
  const { properties, required } = typeof schema === "string" ? {} : schema.value;
  if (
    typeof schema === "string" ||
    !/^application\/x-www-form-urlencoded/iu.test(mediaType ?? "") ||
    !isObject(properties)
  ) {
    return "a query string is only imported as application/x-www-form-urlencoded with properties";
  }
  return Object.entries(properties).map(([name, value]) => ({
    name,
    in: "query",
    isRequired: isList(required) && required.includes(name),
    value: {},
    document: schema.document,
    pointer: schema.pointer,
    schema: { value, pointer: `${schema.pointer}/properties/${escapeToken(name)}` },
    contentType: undefined,
  }));
}

export function readParameterSchema(
  { value, document, pointer, name, schema: written, contentType }: OperationParameter,
  { translate, note, name: tool }: EntryReader,
): JsonValue | undefined {
  if (written === undefined || (contentType !== undefined && !/json/iu.test(contentType))) {
    const problem = `"${name}" has no schema that JSON can express`;
    note("broken-parameter", document.locate(pointer), { tool, problem });
    return undefined;
  }
  const schema = translate(written.value, { role: "input", pointer: written.pointer, document });
  if (schema === undefined || !isObject(schema)) return schema;
  const described = addDescription(readString(value["description"]), schema);
  const example = value["example"];
  return sortKeywords([
    ...Object.entries(described),
    ...(example === undefined || Object.hasOwn(schema, "examples") ? [] : [["examples", [example]] as const]),
    ...(value["deprecated"] === true ? [["deprecated", true] as const] : []),
  ]);
}

export function addDescription(description: string | undefined, schema: JsonObject): JsonObject {
  const own = readString(schema["description"]);
  if (description === undefined || description === own) return schema;
  return sortKeywords(
    Object.entries({ ...schema, description: own === undefined ? description : `${description}\n${own}` }),
  );
}

/**
 * Returns a parameter's style where it differs from the default of its place. A path also states the default if the
 * value may be a list or an object.
 */
export function readParameterStyle(
  { value, in: place, contentType }: OperationParameter,
  schema: JsonValue,
): JsonObject | undefined {
  if (contentType !== undefined) return { contentType };
  return readSerialization(value, place) ?? (place === "path" && !isText(schema) ? { style: "simple" } : undefined);
}

/** True if the schema itself excludes lists and objects. */
function isText(schema: JsonValue): boolean {
  const { type, enum: values } = toObject(schema);
  if (isList(values)) return values.every((value) => typeof value !== "object");
  return type !== undefined && [type].flat().every((each) => each !== "array" && each !== "object");
}

/** The places of OpenAPI's parameters, with the parts of a declared request. */
export const SECTIONS = { path: "path", query: "query", header: "headers", cookie: "cookies" } as const;
export type OpenapiPlace = keyof typeof SECTIONS;
const PLACES = Object.keys(SECTIONS) as readonly OpenapiPlace[];

/** Default styles (OpenAPI 3.0.3, Parameter Object). */
const DEFAULT_STYLES: { readonly [place in OpenapiPlace]: string } = {
  path: "simple",
  query: "form",
  header: "simple",
  cookie: "form",
};

export function isKnownStyle({ style }: JsonObject): boolean {
  return style === undefined || HTTP_STYLES.some((known) => known === style);
}

/**
 * Returns a value's serialization where it differs from the default of its place; reads a Parameter Object, or an
 * Encoding Object, whose place is the query.
 */
export function readSerialization(value: JsonObject, place: OpenapiPlace): JsonObject | undefined {
  const style = typeof value["style"] === "string" ? value["style"] : DEFAULT_STYLES[place];
  // "The default value is true" for form alone. Only the exploded form of deepObject has a meaning.
  const usual = style === "form" || style === "deepObject" || style === "cookie";
  const explode = style === "deepObject" || (typeof value["explode"] === "boolean" ? value["explode"] : usual);
  const isUsual = style === DEFAULT_STYLES[place] && explode === (style === "form");
  const allowReserved = value["allowReserved"] === true && place !== "header" ? true : undefined;
  if (isUsual && allowReserved === undefined) return undefined;
  return dropUndefined({ style, explode, allowReserved });
}
