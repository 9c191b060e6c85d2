import type { JsonObject, JsonValue } from "@hasp/schema";
import { CONFIG_NAMES, SPEC_FILE } from "@hasp/project/read";
import { LEDGER_FOLDER } from "@hasp/compiler/claims";
import type { SourceRole } from "@hasp/compiler";
import { toObject, toList, dropUndefined, once, isList, isObject, own } from "@hasp/base/json";
import { builtInPlugins, haspConfigSchema, toolSpecSchema } from "@hasp/project/built-in";
import { configSchemaForEditors, createLedgerSchema, policySchema } from "@hasp/compiler/formats";
import type { LanguageProject } from "./language-project.js";
import { keywordNames, keywordRow } from "@hasp/schema/vocabulary";
import { findSchemaAt } from "@hasp/compiler/model";

/** Returns the role of a file; a file that only references lead to is `shared`. */
export function findRole(uri: string, { compiled }: LanguageProject): SourceRole {
  if (SPEC_FILE.test(uri)) return "spec";
  if (uri.startsWith(`${LEDGER_FOLDER}/`)) return "ledger";
  if ((CONFIG_NAMES as readonly string[]).includes(uri)) return "config";
  return compiled?.plan.toolsets.some(({ policy }) => policy === uri) === true ? "policy" : "shared";
}

const SCHEMAS: { readonly [role in SourceRole]: () => JsonObject } = {
  spec: () => toolSpecSchema,
  policy: () => policySchema,
  ledger: once(() => createLedgerSchema(builtInPlugins.handlerKinds.names)),
  config: once(() => configSchemaForEditors(haspConfigSchema, builtInPlugins.rules)),
  // A file of definitions, in which any key may hold schemas.
  shared: once(() => ({
    $ref: "#/$defs/SharedFile",
    $defs: {
      ...(toolSpecSchema["$defs"] as JsonObject),
      SharedFile: {
        type: "object",
        properties: { $defs: { description: "The definitions that specs refer to.", $ref: "#/$defs/Definitions" } },
        additionalProperties: { $ref: "#/$defs/Definitions" },
      },
      Definitions: { type: "object", additionalProperties: { $ref: "#/$defs/JsonSchema" } },
    },
  })),
};

export function findFormat(role: SourceRole): JsonObject {
  return SCHEMAS[role]();
}

/** A schema that may apply at a place, with the descriptions of the references that led to it. */
export interface PlaceSchema {
  readonly schema: JsonObject;
  readonly description?: string;
}

/** The most schemas of one place: the schemas of JSON Schema refer to themselves. */
const SCHEMAS_LIMIT = 200;

/** Finds the schemas that may apply to the value at a path, including every branch of a union. */
export function findSchemas(root: JsonObject, path: readonly string[]): readonly PlaceSchema[] {
  let places = expand(root, [{ schema: root }]);
  for (const token of path) {
    const children = places.flatMap(({ schema }) => childrenOf(schema, token));
    places = expand(root, children);
  }
  return places;
}

export function listKeys(places: readonly PlaceSchema[]): ReadonlyMap<string, JsonObject> {
  const keys = new Map<string, JsonObject>();
  for (const { schema } of places) {
    for (const [key, value] of Object.entries(toObject(own(schema, "properties")))) {
      if (!keys.has(key)) keys.set(key, toObject(value));
    }
  }
  return keys;
}

export function listValues(places: readonly PlaceSchema[]): readonly JsonValue[] {
  const values = places.flatMap(({ schema }): readonly JsonValue[] => {
    const constant = own(schema, "const");
    const listed = own(schema, "enum");
    const isBoolean = own(schema, "type") === "boolean";
    return [...(constant === undefined ? [] : [constant]), ...toList(listed), ...(isBoolean ? [true, false] : [])];
  });
  return [...new Set(values)];
}

export function findDescription(places: readonly PlaceSchema[]): string | undefined {
  return places.map(({ schema, description }) => description ?? textOf(schema, "description")).find(Boolean);
}

/** Adds the schemas that each refers to or combines. */
function expand(root: JsonObject, places: readonly PlaceSchema[]): readonly PlaceSchema[] {
  const found: PlaceSchema[] = [];
  const seen = new Set<JsonObject>();
  const waiting = [...places];
  for (let place = waiting.shift(); place !== undefined && found.length < SCHEMAS_LIMIT; place = waiting.shift()) {
    const { schema } = place;
    if (seen.has(schema)) continue;
    seen.add(schema);
    found.push(place);
    const description = place.description ?? textOf(schema, "description");
    const reference = own(schema, "$ref");
    const target = typeof reference === "string" ? findSchemaAt(root, reference) : undefined;
    for (const next of [target, ...IN_PLACE.flatMap((key) => listOf(own(schema, key)))]) {
      if (isObject(next)) waiting.push({ schema: next, ...dropUndefined({ description }) });
    }
  }
  return found;
}

/** Keywords that combine schemas in place. */
const IN_PLACE: readonly string[] = keywordNames.filter((name) => {
  const row = keywordRow(name);
  return row?.applies === "inPlace" && (row.value === "schema" || row.value === "schemas");
});

function childrenOf(schema: JsonObject, token: string): readonly PlaceSchema[] {
  const properties = toObject(own(schema, "properties"));
  if (Object.hasOwn(properties, token)) return [{ schema: toObject(properties[token]) }];
  const patterned = Object.entries(toObject(own(schema, "patternProperties"))).filter(([pattern]) =>
    new RegExp(pattern, "u").test(token),
  );
  const children: readonly (JsonValue | undefined)[] =
    patterned.length > 0
      ? patterned.map(([, value]) => value)
      : [own(schema, "additionalProperties"), ...(/^\d+$/u.test(token) ? [own(schema, "items")] : [])];
  return children.flatMap((child) => (isObject(child) ? [{ schema: child }] : []));
}

function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  if (isList(value)) return value;
  return value === undefined ? [] : [value];
}

function textOf(schema: JsonObject, key: string): string | undefined {
  const value = own(schema, key);
  return typeof value === "string" ? value : undefined;
}
