import type { JsonObject, JsonValue } from "../json/json.js";
import type { Codec, DefinitionsCodec, ObjectCodec, TupleCodec, UnionCodec } from "./codec.js";
import { inexactInteger } from "../json/exact-number.js";
import { createBranchMatcher, type BranchMatcher } from "./matches.js";
import { isRecord, own, put, type MutableRecord } from "./records.js";
import { declaredNames, undeclaredNames } from "./renaming.js";

/** Values nested deeper than this are left as they came; a validator refuses them by its own bound. */
const DEEPEST = 1500;

/**
 * Turns what a model sent for the lowered schema back into a value for the source schema. It never throws: whatever it
 * does not understand stays as it is, for the validator to refuse with a message of its own. To decode many values, use
 * {@link createDecoder}.
 */
export function decode(codec: Codec | undefined, value: JsonValue): JsonValue {
  return createDecoder(codec)(value);
}

/** Returns {@link decode} for one codec. The schemas of its unions are compiled once, when a value first needs them. */
export function createDecoder(codec: Codec | undefined): (value: JsonValue) => JsonValue {
  const context: Context = { definitions: {}, matches: createBranchMatcher() };
  return (value) => decodeWith(codec, value, context, 0);
}

interface Context {
  readonly definitions: DefinitionsCodec["definitions"];
  readonly matches: BranchMatcher;
}

function decodeWith(codec: Codec | undefined, value: JsonValue, context: Context, depth: number): JsonValue {
  if (codec === undefined || depth > DEEPEST) return value;
  switch (codec.kind) {
    case "object":
      return isRecord(value) ? decodeObject(codec, value, context, depth) : value;
    case "array":
      return Array.isArray(value) ? value.map((item) => decodeWith(codec.items, item, context, depth + 1)) : value;
    case "tuple":
      return decodeTuple(codec, value, context, depth);
    case "pairs":
      return decodePairs(codec.value, value, context, depth) ?? value;
    case "wrap":
      return isRecord(value) && Object.hasOwn(value, codec.wire)
        ? decodeWith(codec.value, own(value, codec.wire) ?? null, context, depth + 1)
        : value;
    case "union":
      return decodeUnion(codec, value, context, depth);
    case "text":
      return typeof value === "string" ? parsed(value) : value;
    case "reference":
      return decodeWith(own(context.definitions, codec.name), value, context, depth + 1);
    case "definitions":
      return decodeWith(codec.root, value, { ...context, definitions: codec.definitions }, depth + 1);
  }
}

function decodeObject(codec: ObjectCodec, value: JsonObject, context: Context, depth: number): JsonValue {
  const names = declaredNames(codec);
  const swapped = new Map([...undeclaredNames(codec)].map(([wire, name]) => [name, wire] as const));
  const result: MutableRecord = {};
  for (const [wire, received] of Object.entries(value)) {
    if (codec.rest?.wire === wire) continue;
    const name = names.get(wire) ?? swapped.get(wire) ?? wire;
    const property = names.has(wire) || !swapped.has(wire) ? own(codec.properties, name) : undefined;
    if (property === undefined) {
      put(result, name, decodeWith(codec.additional, received, context, depth + 1));
    } else if (property.absent !== undefined && received === null) {
      continue;
    } else if (property.absent === "wrapped" && isRecord(received) && Object.hasOwn(received, "value")) {
      put(result, name, decodeWith(property.value, own(received, "value") ?? null, context, depth + 1));
    } else {
      put(result, name, decodeWith(property.value, received, context, depth + 1));
    }
  }
  if (codec.rest !== undefined) {
    const { wire, declared, value: inner } = codec.rest;
    const received = own(value, wire);
    const rest = decodePairs(inner, received, context, depth);
    if (rest === undefined) {
      if (received !== undefined && received !== null) put(result, wire, received);
    } else if (Object.keys(rest).some((key) => declared.includes(key))) {
      put(result, wire, received ?? null);
    } else {
      for (const [key, item] of Object.entries(rest)) put(result, key, item);
    }
  }
  return result;
}

/** The map that a list of pairs says, or `undefined` where it is no such list or names a key twice. */
function decodePairs(
  codec: Codec | undefined,
  value: JsonValue | undefined,
  context: Context,
  depth: number,
): JsonObject | undefined {
  if (!Array.isArray(value)) return undefined;
  const result: MutableRecord = {};
  for (const pair of value as readonly JsonValue[]) {
    if (!isRecord(pair)) return undefined;
    const key = own(pair, "key");
    const item = own(pair, "value");
    if (typeof key !== "string" || item === undefined || Object.hasOwn(result, key)) return undefined;
    put(result, key, decodeWith(codec, item, context, depth + 1));
  }
  return result;
}

function decodeTuple(codec: TupleCodec, value: JsonValue, context: Context, depth: number): JsonValue {
  const record = decodeWith(codec.value, value, context, depth + 1);
  if (!isRecord(record)) return value;
  const known = codec.rest === undefined ? codec.names : [...codec.names, codec.rest];
  if (Object.keys(record).some((key) => !known.includes(key))) return value;
  const items = codec.names.map((name) => own(record, name));
  const length = items.findIndex((item) => item === undefined);
  const present = length === -1 ? items : items.slice(0, length);
  if (items.slice(present.length).some((item) => item !== undefined)) return value; // a hole: no array says that
  const rest = codec.rest === undefined ? undefined : own(record, codec.rest);
  if (rest !== undefined && !Array.isArray(rest)) return value;
  const further = (rest ?? []) as readonly JsonValue[];
  if (further.length > 0 && present.length < codec.names.length) return value;
  return [...present.filter((item) => item !== undefined), ...further];
}

function decodeUnion(codec: UnionCodec, value: JsonValue, context: Context, depth: number): JsonValue {
  for (const branch of codec.branches) {
    if (context.matches(branch.wire, value)) return decodeWith(branch.value, value, context, depth + 1);
  }
  return value;
}

/** A text that holds an integer which would be rounded stays a text, for the validator to refuse in its place. */
function parsed(text: string): JsonValue {
  if (inexactInteger(text) !== undefined) return text;
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return text;
  }
}
