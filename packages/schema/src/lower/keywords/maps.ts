import { dropUndefined } from "@hasp/base/json";
import type { Codec } from "../../codec/codec.js";
import type { JsonSchema, SchemaObject } from "../../vocabulary/json-schema.js";
import { reportLoss, withOrigin, type LoweredNode, type LoweringContext } from "../context/context.js";
import { joinDescription, printSentence } from "../context/sentences.js";

/** The undeclared keys of an object whose values have a schema. */
export interface MapContent {
  readonly kind: "map";
  readonly values: JsonSchema;
  /** The regular expression that all keys match, if there is exactly one. */
  readonly keyPattern: string | undefined;
  readonly isExact: boolean;
}

/** Lowers a typed map to a list of pairs that replaces the object. */
export function lowerMap(context: LoweringContext, source: SchemaObject, content: MapContent): LoweredNode {
  const { minProperties, maxProperties, required } = source;
  const keys = required === undefined || required.length === 0 ? undefined : printSentence("required", source);
  if (keys !== undefined) reportLoss(context, source, "required", keys);
  const list = pairList(context, source, content, {
    ...dropUndefined({ title: source.title }),
    description: joinDescription(source.description, [ONCE, keys]) ?? ONCE,
    ...dropUndefined({ minItems: minProperties, maxItems: maxProperties }),
  });
  return { schema: list.schema, codec: { kind: "pairs", ...dropUndefined({ value: list.value }) } };
}

/** Lowers the undeclared keys of an object with properties to a list of pairs under an unused key. */
export function lowerRest(
  context: LoweringContext,
  source: SchemaObject,
  content: MapContent,
  taken: readonly string[],
): { readonly wire: string; readonly schema: SchemaObject; readonly value: Codec | undefined } {
  let wire = "other_properties";
  while (taken.includes(wire)) wire += "_";
  const list = pairList(context, source, content, { description: `Further properties by key and value. ${ONCE}` });
  return { wire, ...list };
}

const ONCE = "Each key once.";

/** Builds the list as a flat schema and lowers it, so that the dialect's table applies to its keywords. */
function pairList(
  context: LoweringContext,
  source: SchemaObject,
  content: MapContent,
  about: SchemaObject,
): { readonly schema: SchemaObject; readonly value: Codec | undefined } {
  reportLoss(context, source, "additionalProperties", ONCE); // a list can name a key twice
  if (!content.isExact) reportLoss(context, source, "patternProperties");
  const names = typeof source.propertyNames === "object" ? source.propertyNames : {};
  const key: SchemaObject = withOrigin(
    context,
    { ...names, type: "string", ...dropUndefined({ pattern: content.keyPattern }) },
    source,
  );
  const pair: SchemaObject = withOrigin(
    context,
    {
      type: "object",
      properties: { key, value: content.values },
      required: ["key", "value"],
      additionalProperties: false,
    },
    source,
  );
  const list: SchemaObject = withOrigin(context, { ...about, type: "array", items: pair }, source);
  const lowered = context.steps.lowerKeywords(context, list, false);
  if (lowered === undefined) return emptyList(context, source, about);
  return { schema: lowered.schema, value: valueCodec(lowered.codec) };
}

/** Lowers a map whose values are impossible: only the empty map is valid. */
function emptyList(
  context: LoweringContext,
  source: SchemaObject,
  about: SchemaObject,
): { readonly schema: SchemaObject; readonly value: undefined } {
  const lowered = context.steps.lowerNode(
    context,
    withOrigin(context, { ...about, type: "array", items: { type: "string" }, maxItems: 0 }, source),
    source,
  );
  return { schema: lowered?.schema ?? { type: "array", items: { type: "string" } }, value: undefined };
}

function valueCodec(codec: Codec | undefined): Codec | undefined {
  if (codec?.kind !== "array" || codec.items.kind !== "object") return undefined;
  return codec.items.properties["value"]?.value;
}
