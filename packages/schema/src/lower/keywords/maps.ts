import type { Codec } from "../../codec/codec.js";
import type { JsonSchema, SchemaObject } from "../../vocabulary/json-schema.js";
import { lowerKeywords } from "./keywords.js";
import { lose, made, type Lowered, type Lowering } from "../lowering.js";
import { lowerNode } from "./node.js";
import { described, wordsFor } from "./words.js";

/** The undeclared keys of an object whose values have a schema. */
export interface MapContent {
  readonly kind: "map";
  readonly values: JsonSchema;
  /** The one regular expression that all keys match. */
  readonly keyPattern: string | undefined;
  /** Whether `values` says which values each key may have. */
  readonly isExact: boolean;
}

/** Says a typed map as a list of pairs, in the place of the object. `undefined` where a value cannot be said. */
export function lowerMap(lowering: Lowering, source: SchemaObject, content: MapContent): Lowered {
  const { minProperties, maxProperties, required } = source;
  const keys = required === undefined || required.length === 0 ? undefined : wordsFor("required", source);
  if (keys !== undefined) lose(lowering, source, "required", keys);
  const list = pairList(lowering, source, content, {
    ...(source.title === undefined ? {} : { title: source.title }),
    description: described(source.description, [ONCE, keys]) ?? ONCE,
    ...(minProperties === undefined ? {} : { minItems: minProperties }),
    ...(maxProperties === undefined ? {} : { maxItems: maxProperties }),
  });
  return { schema: list.schema, codec: { kind: "pairs", ...(list.value === undefined ? {} : { value: list.value }) } };
}

/**
 * Says the undeclared keys of an object with declared ones as a list of pairs under a key that the object does not use.
 */
export function lowerRest(
  lowering: Lowering,
  source: SchemaObject,
  content: MapContent,
  taken: readonly string[],
): { readonly wire: string; readonly schema: SchemaObject; readonly value: Codec | undefined } {
  let wire = "other_properties";
  while (taken.includes(wire)) wire += "_";
  const list = pairList(lowering, source, content, { description: `Further properties by key and value. ${ONCE}` });
  return { wire, ...list };
}

const ONCE = "Each key once.";

/**
 * The list is put together as a flat schema and lowered like any other, so that its own keywords obey the dialect's
 * table.
 */
function pairList(
  lowering: Lowering,
  source: SchemaObject,
  content: MapContent,
  about: SchemaObject,
): { readonly schema: SchemaObject; readonly value: Codec | undefined } {
  lose(lowering, source, "additionalProperties", ONCE); // a list can name a key twice
  if (!content.isExact) lose(lowering, source, "patternProperties");
  const names = typeof source.propertyNames === "object" ? source.propertyNames : {};
  const key: SchemaObject = made(
    lowering,
    { ...names, type: "string", ...(content.keyPattern === undefined ? {} : { pattern: content.keyPattern }) },
    source,
  );
  const pair: SchemaObject = made(
    lowering,
    {
      type: "object",
      properties: { key, value: content.values },
      required: ["key", "value"],
      additionalProperties: false,
    },
    source,
  );
  const list: SchemaObject = made(lowering, { ...about, type: "array", items: pair }, source);
  const lowered = lowerKeywords(lowering, list, false);
  if (lowered === undefined) return emptyList(lowering, source, about);
  return { schema: lowered.schema, value: valueCodec(lowered.codec) };
}

/** No value is possible, hence no key: only the empty map is left. */
function emptyList(
  lowering: Lowering,
  source: SchemaObject,
  about: SchemaObject,
): { readonly schema: SchemaObject; readonly value: undefined } {
  const lowered = lowerNode(
    lowering,
    made(lowering, { ...about, type: "array", items: { type: "string" }, maxItems: 0 }, source),
    source,
  );
  return { schema: lowered?.schema ?? { type: "array", items: { type: "string" } }, value: undefined };
}

function valueCodec(codec: Codec | undefined): Codec | undefined {
  if (codec?.kind !== "array" || codec.items.kind !== "object") return undefined;
  return codec.items.properties["value"]?.value;
}
