import { findOrAdd, isObject, own, setOwn, type MutableRecord, type JsonObject, type JsonValue } from "@hasp/base/json";
import type { Codec, DefinitionsCodec, ObjectCodec, TupleCodec } from "./codec.js";
import type { JsonSchema } from "../vocabulary/json-schema.js";
import { createMatcher } from "../validate/index.js";

/** Turns a value of the source schema into one of the lowered schema, as far as it can be. */
export function encode(codec: Codec | undefined, value: JsonValue): JsonValue {
  return createEncoder(codec)(value);
}

/** Returns {@link encode} for one codec. The schemas of its unions are compiled once, when a value first needs them. */
export function createEncoder(codec: Codec | undefined): (value: JsonValue) => JsonValue {
  const context: EncodeContext = { definitions: {}, matches: createBranchMatcher() };
  return (value) => encodeWith(codec, value, context);
}

interface EncodeContext {
  readonly definitions: DefinitionsCodec["definitions"];
  readonly matches: BranchMatcher;
}

function encodeWith(codec: Codec | undefined, value: JsonValue, context: EncodeContext): JsonValue {
  if (codec === undefined) return value;
  switch (codec.kind) {
    case "object":
      return isObject(value) ? encodeObject(codec, value, context) : value;
    case "array":
      return Array.isArray(value) ? value.map((item) => encodeWith(codec.items, item, context)) : value;
    case "tuple":
      return Array.isArray(value) ? encodeTuple(codec, value, context) : value;
    case "pairs":
      return isObject(value) ? encodePairs(codec.value, Object.entries(value), context) : value;
    case "wrap":
      return { [codec.wire]: encodeWith(codec.value, value, context) };
    case "union": {
      const branch = codec.branches.find((candidate) => context.matches(candidate.accepts, value));
      return branch === undefined ? value : encodeWith(branch.value, value, context);
    }
    case "text":
      return JSON.stringify(value);
    case "reference":
      return encodeWith(own(context.definitions, codec.name), value, context);
    case "definitions":
      return encodeWith(codec.root, value, { ...context, definitions: codec.definitions });
  }
}

function encodeObject(codec: ObjectCodec, value: JsonObject, context: EncodeContext): JsonValue {
  const result: MutableRecord = {};
  const further: [string, JsonValue][] = [];
  const swapped = listUndeclaredNames(codec);
  for (const [name, item] of Object.entries(value)) {
    const property = own(codec.properties, name);
    if (property !== undefined) {
      const inner = encodeWith(property.value, item, context);
      setOwn(result, property.wire ?? name, property.absent === "wrapped" ? { value: inner } : inner);
    } else if (codec.rest !== undefined && !codec.rest.declared.includes(name)) {
      further.push([name, item]);
    } else {
      setOwn(result, swapped.get(name) ?? name, encodeWith(codec.additional, item, context));
    }
  }
  for (const [name, property] of Object.entries(codec.properties)) {
    if (property.absent !== undefined && !Object.hasOwn(value, name)) setOwn(result, property.wire ?? name, null);
  }
  if (codec.rest !== undefined) setOwn(result, codec.rest.wire, encodePairs(codec.rest.value, further, context));
  return result;
}

function encodePairs(
  codec: Codec | undefined,
  entries: readonly (readonly [string, JsonValue])[],
  context: EncodeContext,
): JsonValue {
  return entries.map(([key, item]) => ({ key, value: encodeWith(codec, item, context) }));
}

function encodeTuple(codec: TupleCodec, value: readonly JsonValue[], context: EncodeContext): JsonValue {
  const record: MutableRecord = {};
  codec.names.forEach((name, index) => {
    const item = value[index];
    if (item !== undefined) setOwn(record, name, item);
  });
  if (codec.rest !== undefined) setOwn(record, codec.rest, value.slice(codec.names.length));
  return encodeWith(codec.value, record, context);
}

export type BranchMatcher = (schema: JsonSchema, value: unknown) => boolean;

export function createBranchMatcher(): BranchMatcher {
  const matchers = new Map<object, (value: unknown) => boolean>();
  return (schema, value) => {
    if (typeof schema === "boolean") return schema;
    return findOrAdd(matchers, schema, () => createMatcher(schema))(value);
  };
}

/** Maps wire names of declared properties to source names. */
export function listDeclaredNames(codec: ObjectCodec): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const [name, property] of Object.entries(codec.properties)) {
    if (property.wire !== undefined) names.set(property.wire, name);
  }
  return names;
}

/** Maps wire names to source names for undeclared keys that meet a declared one: the two change places. */
export function listUndeclaredNames(codec: ObjectCodec): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const [wire, name] of listDeclaredNames(codec)) {
    if (!Object.hasOwn(codec.properties, wire)) names.set(wire, name);
  }
  return names;
}
