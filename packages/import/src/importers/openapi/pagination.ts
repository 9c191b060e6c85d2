import type { JsonObject } from "@hasp/schema";
import { isList, isObject } from "../../../../compiler/src/model/json-kind.js";
import { escapeToken } from "../../../../compiler/src/model/json-pointer.js";
import { ownMember } from "../../../../compiler/src/model/own.js";
import type { ImportSource } from "../source/import-source.js";
import { objectAt, schemasInPlace, type LocatedObject, type MaybeReference } from "./openapi-document.js";
import type { Parameter } from "./parameters.js";
import type { Success } from "./response.js";

interface Pages {
  readonly pagination: JsonObject;
  /** JSON Pointer of the list in each answer; `undefined` if the answer is the list. */
  readonly result?: string;
  readonly list: MaybeReference;
}

/**
 * Finds the pagination that a document shows: a header `Link` beside a list, or a cursor in the answer, such as
 * `next_marker`, beside one list and a query parameter `marker`.
 */
export function pagesOf(
  { responses, schema }: Success,
  parameters: readonly Parameter[],
  { documents, settings }: ImportSource,
): Pages | undefined {
  const { maxPages } = settings ?? {};
  if (maxPages === undefined || schema === undefined) return undefined;
  const isLinked = responses.some(({ value: { headers } }) =>
    Object.keys(isObject(headers) ? headers : {}).some((name) => name.toLowerCase() === "link"),
  );
  if (isLinked && isOf("array", schema, documents)) return { pagination: { link: true, maxPages }, list: schema };
  const properties = new Map(
    schemasInPlace(schema, documents).flatMap((part) => propertiesOf(part).map(([name, own]) => [name, own] as const)),
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
  return Object.entries(isObject(properties) ? properties : {}).map(([name, property]) => [
    name,
    { value: property, document, pointer: `${pointer}/properties/${escapeToken(name)}` },
  ]);
}

function isOf(type: string, schema: MaybeReference, documents: ImportSource["documents"]): boolean {
  const target = objectAt(schema, documents);
  const stated = typeof target === "string" ? undefined : ownMember(target.value, "type");
  return stated === type || (isList(stated) && stated.includes(type));
}
