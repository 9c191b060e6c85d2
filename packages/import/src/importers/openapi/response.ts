import type { JsonObject, JsonValue } from "@hasp/schema";
import { toObject, isList, escapeToken, readOwnMember } from "@hasp/base/json";
import type { EntryReader } from "../entries/source-entry.js";
import type { ImportSource } from "../source/importer.js";
import { printCanonical } from "../specs/imported-part.js";
import { chooseMedia, findObject, listSchemas, type LocatedObject, type MaybeReference } from "./openapi-document.js";
import type { OpenapiOperation } from "./operations.js";
import type { OperationParameter } from "./parameters.js";

interface Success {
  readonly responses: readonly LocatedObject[];
  readonly schema: MaybeReference | undefined;
}

/** Returns the successful response; reports a stream, which has no schema as a whole. */
export function readSuccess(
  { entry, item }: OpenapiOperation,
  { documents }: ImportSource,
  { note, name }: EntryReader,
): Success {
  const written = readOwnMember(entry.value, "responses");
  const successes = Object.entries(toObject(written)).filter(([status]) => /^2(?:\d\d|XX)$/iu.test(status));
  const located = successes.map(([status, value]) =>
    findObject(
      { value, document: item.document, pointer: `${entry.pointer}/responses/${escapeToken(status)}` },
      documents,
    ),
  );
  const responses = located.filter((response) => typeof response !== "string");
  const schemas = responses.map((response) => {
    const media = chooseMedia(response.value["content"]);
    if (media !== undefined && media.value["itemSchema"] !== undefined && media.value["schema"] === undefined) {
      note("stream-output", response.document.locate(response.pointer), { tool: name, type: media.type });
    }
    const value = media?.form === "json" ? media.value["schema"] : undefined;
    if (media === undefined || value === undefined) return undefined;
    const pointer = `${response.pointer}/content/${escapeToken(media.type)}/schema`;
    return { value, document: response.document, pointer };
  });
  const [first] = schemas;
  const isOne =
    responses.length === successes.length &&
    schemas.every(
      (other) => other?.document === first?.document && printCanonical(other?.value) === printCanonical(first?.value),
    );
  return { responses, schema: isOne ? first : undefined };
}

export function readOutput(schema: MaybeReference | undefined, { translate }: EntryReader): JsonValue | undefined {
  return schema?.value === undefined
    ? undefined
    : translate(schema.value, { role: "output", pointer: schema.pointer, document: schema.document });
}

interface Pages {
  readonly pagination: JsonObject;
  /** JSON Pointer of the list in each answer; `undefined` if the answer is the list. */
  readonly result?: string;
  /** The query parameter that takes the cursor. */
  readonly cursor?: string;
  readonly list: MaybeReference;
}

/**
 * Finds the pagination that a document shows: a header `Link` beside a list, or a cursor in the answer, such as
 * `next_marker`, beside one list and a query parameter `marker`.
 */
export function findPagination(
  { responses, schema }: Success,
  parameters: readonly OperationParameter[],
  { documents, settings }: ImportSource,
): Pages | undefined {
  const { maxPages } = settings ?? {};
  if (maxPages === undefined || schema === undefined) return undefined;
  const isLinked = responses.some(({ value: { headers } }) =>
    Object.keys(toObject(headers)).some((name) => name.toLowerCase() === "link"),
  );
  if (isLinked && isOf("array", schema, documents)) return { pagination: { link: true, maxPages }, list: schema };
  const properties = new Map(
    listSchemas(schema, documents).flatMap((part) => propertiesOf(part).map(([name, own]) => [name, own] as const)),
  );
  const lists = [...properties].filter(([, property]) => isOf("array", property, documents));
  const [[name, list] = []] = lists;
  const cursors = [...properties].flatMap(([next, property]) => {
    const query = parameters.find((parameter) => parameter.in === "query" && isFollowedBy(parameter.name, next));
    return query !== undefined && isOf("string", property, documents) ? [{ next, query: query.name }] : [];
  });
  const [cursor] = cursors;
  if (name === undefined || list === undefined || lists.length > 1 || cursor === undefined || cursors.length > 1) {
    return undefined;
  }
  const from = `/${escapeToken(cursor.next)}`;
  return {
    pagination: { cursor: { from, query: cursor.query }, maxPages },
    result: `/${escapeToken(name)}`,
    cursor: cursor.query,
    list,
  };
}

/** True if a property holds a parameter's next value: `next_cursor` for `cursor`, `nextToken` for `nextToken`. */
function isFollowedBy(parameter: string, property: string): boolean {
  const [, rest] = /^next(.+)$/u.exec(plain(property)) ?? [];
  return rest !== undefined && (plain(parameter) === rest || plain(parameter) === plain(property));
}

const plain = (name: string): string => name.replaceAll(/[^A-Za-z0-9]/gu, "").toLowerCase();

function propertiesOf({ value, document, pointer }: LocatedObject): readonly (readonly [string, MaybeReference])[] {
  const { properties } = value;
  return Object.entries(toObject(properties)).map(([name, property]) => [
    name,
    { value: property, document, pointer: `${pointer}/properties/${escapeToken(name)}` },
  ]);
}

function isOf(type: string, schema: MaybeReference, documents: ImportSource["documents"]): boolean {
  const target = findObject(schema, documents);
  const stated = typeof target === "string" ? undefined : readOwnMember(target.value, "type");
  return stated === type || (isList(stated) && stated.includes(type));
}
