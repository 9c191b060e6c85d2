import { dropUndefined } from "@hasp/base/json";
import type { Codec, ObjectCodec, PropertyCodec } from "../../codec/codec.js";
import type { JsonSchema, SchemaObject } from "../../vocabulary/json-schema.js";
import { applyTable, dropKeyword, orderNode, type NodeBuilder, type HandlerResult } from "../context/node-builder.js";
import { findAction, reportLoss, withOrigin, refuse, type LoweringContext } from "../context/context.js";
import { lowerMap, lowerRest, type MapContent } from "./maps.js";
import { fitNames } from "../request/wire-names.js";
import { makeAbsentable } from "./optional.js";
import { isVerbatim } from "./unchanged.js";
import { isUnconstrained, pick, hasInPlaceApplicator } from "../context/schema-facts.js";
import { joinDescription, printSentence } from "../context/sentences.js";
import { lowerToText } from "./json-text.js";

export function lowerObject(context: LoweringContext, builder: NodeBuilder): HandlerResult {
  const { source } = builder;
  const { shapes } = context.dialect;
  const content = contentOf(source);
  if (
    shapes.maps === "pairs" &&
    content.further.kind === "map" &&
    declaredNames(source).length === 0 &&
    source.type === "object" && // a list of pairs could be taken for an array of the author's
    !builder.isRoot
  ) {
    return lowerMap(context, source, content.further);
  }
  const properties = lowerProperties(context, builder);
  if (properties === undefined) return "impossible";
  const requiresRest = shapes.maps === "pairs" && content.further.kind === "map";
  if (shapes.someRequired && properties.required.length === 0 && !requiresRest) {
    if (!builder.isRoot) return lowerToText(context, source);
    refuse(context, source, "nothing-required", { dialect: context.dialect.id });
  }
  const further = lowerFurther(context, builder, content.further, properties);
  for (const keyword of ["minProperties", "maxProperties"] as const) {
    if (source[keyword] === undefined) continue;
    if (further.rest === undefined && shapes.optional === "omitted") {
      applyTable(context, builder, keyword, source[keyword]);
    } else dropKeyword(context, builder, keyword); // on the wire there are other keys to count
  }
  if (properties.schemas.size > 0 || keepsEmptyProperties(context, builder)) {
    builder.kept.set("properties", Object.fromEntries(properties.schemas));
  }
  if (properties.required.length > 0 || shapes.optional === "null") builder.kept.set("required", properties.required);
  const codec = objectCodec(properties.codecs, declaredNames(source), further);
  if (codec !== undefined) builder.codecs.push(codec);
  return undefined;
}

type Further = { readonly kind: "nothing" } | { readonly kind: "anything" } | MapContent;

function contentOf(source: SchemaObject): { readonly further: Further } {
  const rest =
    source.additionalProperties ?? (hasInPlaceApplicator(source) ? undefined : source.unevaluatedProperties) ?? true;
  const patterns = Object.entries(source.patternProperties ?? {}).filter(([, schema]) => schema !== false);
  if (rest === true || (typeof rest === "object" && isUnconstrained(rest))) return { further: { kind: "anything" } };
  const values: JsonSchema[] = patterns.map(([, schema]) => schema);
  if (rest !== false) values.push(rest);
  const [first] = values;
  if (first === undefined) return { further: { kind: "nothing" } };
  if (values.some((schema) => schema === true || (typeof schema === "object" && isUnconstrained(schema)))) {
    return {
      further: { kind: "map", values: true, keyPattern: onlyPattern(source, rest), isExact: patterns.length < 2 },
    };
  }
  return {
    further: {
      kind: "map",
      values: values.length === 1 ? first : { anyOf: values },
      keyPattern: onlyPattern(source, rest),
      isExact: values.length === 1,
    },
  };
}

function onlyPattern(source: SchemaObject, rest: JsonSchema): string | undefined {
  const patterns = Object.keys(source.patternProperties ?? {});
  return rest === false && patterns.length === 1 ? patterns[0] : undefined;
}

function declaredNames(source: SchemaObject): readonly string[] {
  return Object.keys(source.properties ?? {});
}

function keepsEmptyProperties(context: LoweringContext, builder: NodeBuilder): boolean {
  const { emptyProperties, nodes } = context.dialect.shapes;
  if (emptyProperties === "omitted") return false;
  if (emptyProperties === "demanded" && (builder.isRoot || nodes === "typed")) return true;
  return builder.source.properties !== undefined;
}

interface LoweredProperties {
  readonly schemas: Map<string, SchemaObject>;
  readonly required: string[];
  readonly codecs: Map<string, PropertyCodec>;
}

function lowerProperties(context: LoweringContext, builder: NodeBuilder): LoweredProperties | undefined {
  const { source } = builder;
  const { shapes } = context.dialect;
  const names = declaredNames(source);
  const wires = wiresOf(context, names, builder.isRoot);
  const required = new Set(source.required ?? []);
  const result: LoweredProperties = { schemas: new Map(), required: [], codecs: new Map() };
  for (const name of names) {
    const wire = wires.get(name) ?? name;
    const schema = source.properties?.[name];
    const lowered = schema === undefined ? undefined : context.steps.lowerNode(context, schema, source);
    if (lowered === undefined) {
      const forbidsObjects = required.has(name);
      if (forbidsObjects && source.type === "object" && context.problems.length === 0) return undefined;
      if (forbidsObjects || !isClosed(source)) reportLoss(context, source, "properties");
      continue;
    }
    const isRequired = required.has(name);
    const sent =
      isRequired || shapes.optional === "omitted" ? { lowered } : makeAbsentable(context, lowered, schema ?? true);
    result.schemas.set(wire, wire === name ? sent.lowered.schema : named(context, sent.lowered.schema, name));
    if (isRequired || shapes.optional === "null") result.required.push(wire);
    const { absent } = sent;
    const value = sent.lowered.codec;
    if (wire !== name || absent !== undefined || value !== undefined) {
      result.codecs.set(name, { ...(wire === name ? {} : { wire }), ...dropUndefined({ absent, value }) });
    }
  }
  requireUndeclared(context, builder, names, result);
  if (shapes.optional === "omitted") sortAsRequired(result.required, source.required ?? [], wires);
  return result;
}

/** Says a property's own name where the name on the wire keeps no letter of it. */
function named(context: LoweringContext, lowered: SchemaObject, name: string): SchemaObject {
  const { unions, referenceSiblings } = context.dialect.shapes;
  const isAlone = lowered.$ref === undefined ? lowered.anyOf !== undefined && unions === "alone" : !referenceSiblings;
  if (/[A-Za-z]/.test(name) || isAlone) return lowered;
  const description = joinDescription(`Named ${JSON.stringify(name)}.`, [lowered.description]);
  return withOrigin(context, orderNode(new Map(Object.entries({ ...lowered, description }))), lowered);
}

function sortAsRequired(required: string[], authored: readonly string[], wires: ReadonlyMap<string, string>): void {
  if (required.length < 2) return;
  const order = new Map(authored.map((name, index) => [wires.get(name) ?? name, index]));
  required.sort((a, b) => (order.get(a) ?? 0) - (order.get(b) ?? 0));
}

/** Keeps required keys without a schema if the dialect allows open objects. Otherwise they are dropped. */
function requireUndeclared(
  context: LoweringContext,
  builder: NodeBuilder,
  names: readonly string[],
  result: LoweredProperties,
): void {
  const declared = new Set(names);
  const undeclared = (builder.source.required ?? []).filter((name) => !declared.has(name));
  if (undeclared.length === 0) return;
  const { nodes, closing, maps } = context.dialect.shapes;
  if (nodes === "free" && closing === "kept" && maps === "kept") result.required.push(...undeclared);
  else dropKeyword(context, builder, "required", printSentence("required", { required: undeclared }));
}

function isClosed(source: SchemaObject): boolean {
  if (source.patternProperties !== undefined) return false;
  return source.additionalProperties === false || source.unevaluatedProperties === false;
}

function wiresOf(context: LoweringContext, names: readonly string[], isRoot: boolean): ReadonlyMap<string, string> {
  const rule = context.dialect.propertyName;
  if (rule === undefined || (rule.scope === "root" && !isRoot)) return new Map();
  return fitNames(names, rule);
}

interface FurtherCodec {
  readonly additional?: Codec | undefined;
  readonly rest?: ObjectCodec["rest"];
}

function lowerFurther(
  context: LoweringContext,
  builder: NodeBuilder,
  further: Further,
  properties: LoweredProperties,
): FurtherCodec {
  const { shapes } = context.dialect;
  if (shapes.maps === "kept") return keepFurther(context, builder);
  switch (further.kind) {
    case "nothing":
      if (shapes.closing === "unsaid") reportLoss(context, builder.source, "additionalProperties");
      else builder.kept.set("additionalProperties", false);
      dropPropertyNames(context, builder);
      return {};
    case "anything":
      dropPropertyNames(context, builder);
      if (builder.source.patternProperties !== undefined) {
        dropKeyword(context, builder, "patternProperties");
      }
      if (shapes.closing === "demanded") closeOpenObject(context, builder);
      return {};
    case "map": {
      const rest = lowerRest(context, builder.source, further, [...properties.schemas.keys()]);
      properties.schemas.set(rest.wire, rest.schema);
      properties.required.push(rest.wire);
      if (shapes.closing === "unsaid") reportLoss(context, builder.source, "additionalProperties");
      else builder.kept.set("additionalProperties", false);
      const declared = declaredNames(builder.source);
      return { rest: { wire: rest.wire, declared, ...dropUndefined({ value: rest.value }) } };
    }
  }
}

function dropPropertyNames(context: LoweringContext, builder: NodeBuilder): void {
  const { propertyNames } = builder.source;
  if (propertyNames !== undefined && !takesEveryString(propertyNames)) {
    dropKeyword(context, builder, "propertyNames");
  }
}

function takesEveryString(names: JsonSchema): boolean {
  return (
    names === true ||
    (typeof names === "object" &&
      isUnconstrained(pick(names, (keyword) => keyword !== "type" || names.type !== "string")))
  );
}

/** Closes an open object for a strict mode. This narrows, so it must be allowed. */
function closeOpenObject(context: LoweringContext, builder: NodeBuilder): void {
  if (!context.allowNarrowing) {
    refuse(context, builder.source, "open-object", { dialect: context.dialect.id });
  }
  reportLoss(context, builder.source, "additionalProperties", undefined, "narrowed");
  builder.kept.set("additionalProperties", false);
}

/** Lowers the constraint on undeclared keys for dialects that support JSON Schema's keywords for it. */
function keepFurther(context: LoweringContext, builder: NodeBuilder): FurtherCodec {
  const { source, isRoot } = builder;
  const { patternProperties, propertyNames } = source;
  let additional = source.additionalProperties;
  const isRewritten = findAction(context, "unevaluatedProperties", isRoot) !== "keep" && !hasInPlaceApplicator(source);
  if (additional === undefined && (isRewritten || !hasInPlaceApplicator(source))) {
    additional = source.unevaluatedProperties;
  }
  if (patternProperties !== undefined) {
    const lowered = Object.entries(patternProperties).map(
      ([pattern, schema]) =>
        [pattern, schema === false ? false : context.steps.lowerNode(context, schema, source)] as const,
    );
    const isChanged = lowered.some(
      ([, value]) => value === undefined || (typeof value === "object" && value.codec !== undefined),
    );
    if (findAction(context, "patternProperties", isRoot) === "keep" && !isChanged) {
      builder.kept.set(
        "patternProperties",
        Object.fromEntries(
          lowered.map(([pattern, value]) => [pattern, typeof value === "object" ? value.schema : false] as const),
        ),
      );
    } else {
      // Their keys now fall under additionalProperties, which must accept their values too.
      dropKeyword(context, builder, "patternProperties");
      if (additional !== undefined) {
        additional = unionOf(context, source, [...Object.values(patternProperties), additional]);
      }
    }
  }
  if (propertyNames !== undefined && !takesEveryString(propertyNames)) {
    if (isVerbatim(context, propertyNames)) applyTable(context, builder, "propertyNames", propertyNames);
    else dropKeyword(context, builder, "propertyNames");
  }
  if (additional === undefined) return {};
  if (additional === false) {
    applyTable(context, builder, "additionalProperties", false);
    return {};
  }
  const lowered = context.steps.lowerNode(context, additional, source);
  const isOpen = additional === true || (lowered !== undefined && Object.keys(lowered.schema).length === 0);
  applyTable(context, builder, "additionalProperties", isOpen ? true : (lowered?.schema ?? false));
  return { additional: lowered?.codec };
}

function unionOf(context: LoweringContext, source: SchemaObject, schemas: readonly JsonSchema[]): JsonSchema {
  const possible = schemas.filter((schema) => schema !== false);
  if (possible.some((schema) => schema === true)) return true;
  const [first] = possible;
  if (first === undefined) return false;
  return possible.length === 1 ? first : withOrigin(context, { anyOf: possible }, source);
}

function objectCodec(
  codecs: ReadonlyMap<string, PropertyCodec>,
  declared: readonly string[],
  { additional, rest }: FurtherCodec,
): Codec | undefined {
  if (codecs.size === 0 && additional === undefined && rest === undefined) return undefined;
  // What changes the values of further keys must not change those of declared ones.
  const unchanged = additional === undefined ? [] : declared.map((name) => [name, {}] as const);
  return {
    kind: "object",
    properties: Object.fromEntries<PropertyCodec>([...unchanged, ...codecs]),
    ...dropUndefined({ additional, rest }),
  };
}
