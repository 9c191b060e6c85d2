import type { Codec, ObjectCodec, PropertyCodec } from "../../codec/codec.js";
import type { JsonSchema, SchemaObject } from "../../vocabulary/json-schema.js";
import { applyTable, loseKeyword, type Draft } from "./draft.js";
import { hasInPlaceApplicator } from "../unions/in-place.js";
import { actionFor, lose, made, refuse, type Lowered, type Lowering } from "../lowering.js";
import { lowerMap, lowerRest, type MapContent } from "./maps.js";
import { fitNames, fitsRule } from "./names.js";
import { lowerNode } from "./node.js";
import { absentable } from "./optional.js";
import { isVerbatim } from "./verbatim.js";
import { isUnconstrained, pick } from "./vocabulary.js";
import { wordsFor } from "./words.js";
import { lowerToText } from "./anything.js";

/** What lowering the keywords for objects gave: a change of values, or another node in the place of this one. */
export interface ObjectShape {
  readonly codec?: Codec;
  readonly replacement?: Lowered;
}

/** Lowers the keywords that concern objects into the draft. `undefined`: no object is valid. */
export function lowerObject(lowering: Lowering, draft: Draft): ObjectShape | undefined {
  const { source } = draft;
  const { shapes } = lowering.dialect;
  const content = contentOf(source);
  if (
    shapes.maps === "pairs" &&
    content.further.kind === "map" &&
    declaredNames(source).length === 0 &&
    !draft.isRoot
  ) {
    return { replacement: lowerMap(lowering, source, content.further) };
  }
  const properties = lowerProperties(lowering, draft);
  if (properties === undefined) return undefined;
  const requiresRest = shapes.maps === "pairs" && content.further.kind === "map";
  if (shapes.someRequired && properties.required.length === 0 && !requiresRest) {
    if (!draft.isRoot) return { replacement: lowerToText(lowering, source) };
    refuse(
      lowering,
      source,
      "lower/nothing-required",
      `${lowering.dialect.id} needs at least one required property. Require one, or use the dialect that is not strict.`,
    );
  }
  const further = lowerFurther(lowering, draft, content.further, properties);
  for (const keyword of ["minProperties", "maxProperties"] as const) {
    if (source[keyword] === undefined) continue;
    if (further.rest === undefined && shapes.optional === "omitted") {
      applyTable(lowering, draft, keyword, source[keyword]);
    } else loseKeyword(lowering, draft, keyword); // on the wire there are other keys to count
  }
  if (properties.schemas.size > 0 || keepsEmptyProperties(lowering, draft)) {
    draft.kept.set("properties", Object.fromEntries(properties.schemas));
  }
  if (properties.required.length > 0 || shapes.optional === "null") draft.kept.set("required", properties.required);
  return objectCodec(properties.codecs, further);
}

/** What an object may hold beside its declared properties. */
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

function keepsEmptyProperties(lowering: Lowering, draft: Draft): boolean {
  const { emptyProperties, nodes } = lowering.dialect.shapes;
  if (emptyProperties === "omitted") return false;
  if (emptyProperties === "demanded" && (draft.isRoot || nodes === "typed")) return true;
  return draft.source.properties !== undefined;
}

interface LoweredProperties {
  /** By wire name. */
  readonly schemas: Map<string, SchemaObject>;
  readonly required: string[];
  readonly codecs: Map<string, PropertyCodec>;
}

function lowerProperties(lowering: Lowering, draft: Draft): LoweredProperties | undefined {
  const { source } = draft;
  const { shapes } = lowering.dialect;
  const names = declaredNames(source);
  const wires = wiresOf(lowering, names, draft.isRoot);
  const required = new Set(source.required ?? []);
  const result: LoweredProperties = { schemas: new Map(), required: [], codecs: new Map() };
  for (const name of names) {
    const wire = wires.get(name) ?? name;
    const schema = source.properties?.[name];
    const lowered = schema === undefined ? undefined : lowerNode(lowering, schema, source);
    if (lowered === undefined) {
      if (required.has(name) && lowering.problems.every((problem) => problem.severity !== "error")) return undefined;
      if (!isClosed(source)) lose(lowering, source, "properties");
      continue;
    }
    const isRequired = required.has(name);
    const sent =
      isRequired || shapes.optional === "omitted" ? { lowered } : absentable(lowering, lowered, schema ?? true);
    result.schemas.set(wire, sent.lowered.schema);
    if (isRequired || shapes.optional === "null") result.required.push(wire);
    const codec: PropertyCodec = {
      ...(wire === name ? {} : { wire }),
      ...(sent.absent === undefined ? {} : { absent: sent.absent }),
      ...(sent.lowered.codec === undefined ? {} : { value: sent.lowered.codec }),
    };
    if (Object.keys(codec).length > 0) result.codecs.set(name, codec);
  }
  requireUndeclared(lowering, draft, names, result);
  if (shapes.optional === "omitted") sortAsRequired(result.required, source.required ?? [], wires);
  return result;
}

/** `required` keeps the author's order where it is the author's list. */
function sortAsRequired(required: string[], authored: readonly string[], wires: ReadonlyMap<string, string>): void {
  if (required.length < 2) return;
  const order = new Map(authored.map((name, index) => [wires.get(name) ?? name, index]));
  required.sort((a, b) => (order.get(a) ?? 0) - (order.get(b) ?? 0));
}

/** Keys that are required and not declared: kept where objects may be open, else told in words. */
function requireUndeclared(
  lowering: Lowering,
  draft: Draft,
  names: readonly string[],
  result: LoweredProperties,
): void {
  const undeclared = (draft.source.required ?? []).filter((name) => !names.includes(name));
  if (undeclared.length === 0) return;
  const { nodes, closing, maps } = lowering.dialect.shapes;
  if (nodes === "free" && closing === "kept" && maps === "kept") result.required.push(...undeclared);
  else loseKeyword(lowering, draft, "required", wordsFor("required", { required: undeclared }));
}

/** Whether a key that is not declared cannot be there. */
function isClosed(source: SchemaObject): boolean {
  if (source.patternProperties !== undefined) return false;
  return source.additionalProperties === false || source.unevaluatedProperties === false;
}

function wiresOf(lowering: Lowering, names: readonly string[], isRoot: boolean): ReadonlyMap<string, string> {
  const rule = lowering.dialect.propertyName;
  if (rule === undefined || (rule.scope === "root" && !isRoot) || names.every((name) => fitsRule(name, rule))) {
    return new Map();
  }
  return fitNames(names, rule);
}

interface FurtherCodec {
  readonly additional?: Codec | undefined;
  readonly rest?: ObjectCodec["rest"];
}

/** Lowers what the object may hold beside its declared properties. */
function lowerFurther(lowering: Lowering, draft: Draft, further: Further, properties: LoweredProperties): FurtherCodec {
  const { shapes } = lowering.dialect;
  if (shapes.maps === "kept") return keepFurther(lowering, draft);
  switch (further.kind) {
    case "nothing":
      if (shapes.closing === "unsaid") lose(lowering, draft.source, "additionalProperties");
      else draft.kept.set("additionalProperties", false);
      loseKeyNames(lowering, draft);
      return {};
    case "anything":
      loseKeyNames(lowering, draft);
      if (draft.source.patternProperties !== undefined) {
        loseKeyword(lowering, draft, "patternProperties");
      }
      if (shapes.closing === "demanded") closeOpenObject(lowering, draft);
      return {};
    case "map": {
      const rest = lowerRest(lowering, draft.source, further, [...properties.schemas.keys()]);
      properties.schemas.set(rest.wire, rest.schema);
      properties.required.push(rest.wire);
      if (shapes.closing === "unsaid") lose(lowering, draft.source, "additionalProperties");
      else draft.kept.set("additionalProperties", false);
      const declared = declaredNames(draft.source);
      return { rest: { wire: rest.wire, declared, ...(rest.value === undefined ? {} : { value: rest.value }) } };
    }
  }
}

function loseKeyNames(lowering: Lowering, draft: Draft): void {
  const { propertyNames } = draft.source;
  if (propertyNames !== undefined && !takesEveryString(propertyNames)) {
    loseKeyword(lowering, draft, "propertyNames");
  }
}

/** Keys are strings, so a schema that takes every string says nothing. */
function takesEveryString(names: JsonSchema): boolean {
  return (
    names === true ||
    (typeof names === "object" &&
      isUnconstrained(pick(names, (keyword) => keyword !== "type" || names.type !== "string")))
  );
}

/** The one way in which a strict mode takes an open object is to take fewer values; that needs leave. */
function closeOpenObject(lowering: Lowering, draft: Draft): void {
  if (!lowering.allowNarrowing) {
    refuse(
      lowering,
      draft.source,
      "lower/open-object",
      `${lowering.dialect.id} takes closed objects only, and this one accepts any property. Set "additionalProperties": false or give it a schema, use the dialect that is not strict, or allow narrowing: then further properties cannot be sent.`,
    );
  }
  lose(lowering, draft.source, "additionalProperties", undefined, "narrowed");
  draft.kept.set("additionalProperties", false);
}

/** Objects in dialects that say in JSON Schema's own words what they may hold. */
function keepFurther(lowering: Lowering, draft: Draft): FurtherCodec {
  const { source, isRoot } = draft;
  const { patternProperties, propertyNames } = source;
  let additional = source.additionalProperties;
  const isRewritten = actionFor(lowering, "unevaluatedProperties", isRoot) !== "keep" && !hasInPlaceApplicator(source);
  if (additional === undefined && (isRewritten || !hasInPlaceApplicator(source))) {
    additional = source.unevaluatedProperties;
  }
  if (patternProperties !== undefined) {
    const lowered = Object.entries(patternProperties).map(
      ([pattern, schema]) => [pattern, schema === false ? false : lowerNode(lowering, schema, source)] as const,
    );
    const isChanged = lowered.some(
      ([, value]) => value === undefined || (typeof value === "object" && value.codec !== undefined),
    );
    if (actionFor(lowering, "patternProperties", isRoot) === "keep" && !isChanged) {
      draft.kept.set(
        "patternProperties",
        Object.fromEntries(
          lowered.map(([pattern, value]) => [pattern, typeof value === "object" ? value.schema : false] as const),
        ),
      );
    } else {
      // Their keys now fall under additionalProperties, which must take what they took.
      loseKeyword(lowering, draft, "patternProperties");
      if (additional !== undefined) {
        additional = unionOf(lowering, source, [...Object.values(patternProperties), additional]);
      }
    }
  }
  if (propertyNames !== undefined && !takesEveryString(propertyNames)) {
    if (isVerbatim(lowering, propertyNames)) applyTable(lowering, draft, "propertyNames", propertyNames);
    else loseKeyword(lowering, draft, "propertyNames");
  }
  if (additional === undefined) return {};
  if (additional === false) {
    applyTable(lowering, draft, "additionalProperties", false);
    return {};
  }
  const lowered = lowerNode(lowering, additional, source);
  const isOpen = additional === true || (lowered !== undefined && Object.keys(lowered.schema).length === 0);
  applyTable(lowering, draft, "additionalProperties", isOpen ? true : (lowered?.schema ?? false));
  return { additional: lowered?.codec };
}

function unionOf(lowering: Lowering, source: SchemaObject, schemas: readonly JsonSchema[]): JsonSchema {
  const possible = schemas.filter((schema) => schema !== false);
  if (possible.some((schema) => schema === true)) return true;
  const [first] = possible;
  if (first === undefined) return false;
  return possible.length === 1 ? first : made(lowering, { anyOf: possible }, source);
}

function objectCodec(codecs: ReadonlyMap<string, PropertyCodec>, further: FurtherCodec): ObjectShape {
  if (codecs.size === 0 && further.additional === undefined && further.rest === undefined) return {};
  return {
    codec: {
      kind: "object",
      properties: Object.fromEntries(codecs),
      ...(further.additional === undefined ? {} : { additional: further.additional }),
      ...(further.rest === undefined ? {} : { rest: further.rest }),
    },
  };
}
