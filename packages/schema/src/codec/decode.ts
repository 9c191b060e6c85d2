import {
  isObject,
  own,
  setOwn,
  type MutableRecord,
  type JsonObject,
  type JsonValue,
  inexactInteger,
  appendToPointer,
} from "@hasp/base/json";
import type {
  ArrayCodec,
  Codec,
  DefinitionsCodec,
  ObjectCodec,
  PairsCodec,
  TextCodec,
  TupleCodec,
  UnionCodec,
  WrapCodec,
} from "./codec.js";
import { createBranchMatcher, type BranchMatcher, listDeclaredNames, listUndeclaredNames } from "./encode.js";
import { describe } from "../validate/checks/describe.js";

/** Values nested deeper than this stay as they came; the validator refuses them. */
const DEEPEST = 1500;

const MOST_FAULTS = 20;

/** A text that should be JSON and is not. The value that holds it must be refused. */
export interface DecodeFault {
  /** JSON Pointer to the text in the sent value. */
  readonly pointer: string;
  readonly message: string;
}

/** Decodes a value that a model sent; adds texts for which it must be refused to `faults`. */
type Decoder = (value: JsonValue, faults?: DecodeFault[]) => JsonValue;

/**
 * Turns what a model sent for the lowered schema back into a value for the source schema. It never throws: whatever it
 * does not understand stays as it is, for the validator to refuse with a message of its own. Only a text that is no JSON,
 * where JSON text must be, could pass the validator as a string: it is a fault. To decode many values, use
 * {@link createDecoder}.
 */
export function decode(codec: Codec | undefined, value: JsonValue, faults?: DecodeFault[]): JsonValue {
  return createDecoder(codec)(value, faults);
}

/** Returns {@link decode} for one codec. The schemas of its unions are compiled once, when a value first needs them. */
export function createDecoder(codec: Codec | undefined): Decoder {
  return createDecoderWith(allDecoders, codec);
}

/** Creates a decoder like {@link createDecoder}, which throws for a codec of a kind that nothing here decodes. */
export function createDecoderWith(kinds: Decoders, codec: Codec | undefined): Decoder {
  const memory: DecodeContext["memory"] = {};
  return (value, faults = []) => decodeWith(codec, value, { kinds, definitions: {}, memory, path: [], faults }, 0);
}

/** Decodes a value by a codec of one kind; `undefined` for a value that it does not understand. */
type DecodeKind<Kind extends Codec["kind"]> = (
  codec: Extract<Codec, { readonly kind: Kind }>,
  value: JsonValue,
  context: DecodeContext,
  depth: number,
) => JsonValue | undefined;

/** The decoders by kind of codec; a program bundles those that its codecs need. */
type Decoders = { readonly [Kind in DecodedKind]?: DecodeKind<Kind> };

/** The kinds of codec that need a decoder of their own. */
type DecodedKind = Exclude<Codec["kind"], "reference" | "definitions">;

interface DecodeContext {
  readonly kinds: Decoders;
  readonly definitions: DefinitionsCodec["definitions"];
  /** The compiled schemas of the unions, which many values need. */
  readonly memory: { matches?: BranchMatcher };
  readonly path: (string | number)[];
  readonly faults: DecodeFault[];
}

function decodePart(
  codec: Codec | undefined,
  part: JsonValue,
  key: string | number,
  context: DecodeContext,
  depth: number,
): JsonValue {
  if (codec === undefined) return part;
  context.path.push(key);
  const decoded = decodeWith(codec, part, context, depth + 1);
  context.path.pop();
  return decoded;
}

function decodeWith(codec: Codec | undefined, value: JsonValue, context: DecodeContext, depth: number): JsonValue {
  if (codec === undefined || depth > DEEPEST) return value;
  if (codec.kind === "reference") return decodeWith(own(context.definitions, codec.name), value, context, depth + 1);
  if (codec.kind === "definitions") {
    return decodeWith(codec.root, value, { ...context, definitions: codec.definitions }, depth + 1);
  }
  const decoded = findDecoder(codec.kind, context)(codec, value, context, depth);
  return decoded === undefined ? value : decoded;
}

function findDecoder(kind: DecodedKind, { kinds }: DecodeContext): DecodeKind<Codec["kind"]> {
  const decoder = kinds[kind] as DecodeKind<Codec["kind"]> | undefined;
  if (decoder === undefined) {
    throw new TypeError(`Nothing here decodes the shape "${kind}" of a dialect.`);
  }
  return decoder;
}

function decodeArray(
  codec: ArrayCodec,
  value: JsonValue,
  context: DecodeContext,
  depth: number,
): JsonValue | undefined {
  return Array.isArray(value)
    ? value.map((item: JsonValue, index) => decodePart(codec.items, item, index, context, depth))
    : undefined;
}

function decodeWrap(codec: WrapCodec, value: JsonValue, context: DecodeContext, depth: number): JsonValue | undefined {
  return isObject(value) && Object.hasOwn(value, codec.wire)
    ? decodePart(codec.value, own(value, codec.wire) ?? null, codec.wire, context, depth)
    : undefined;
}

function decodeObject(
  codec: ObjectCodec,
  value: JsonValue,
  context: DecodeContext,
  depth: number,
): JsonValue | undefined {
  if (!isObject(value)) return undefined;
  const names = listDeclaredNames(codec);
  const swapped = new Map([...listUndeclaredNames(codec)].map(([wire, name]) => [name, wire] as const));
  const result: MutableRecord = {};
  for (const [wire, received] of Object.entries(value)) {
    if (codec.rest?.wire === wire) continue;
    const name = names.get(wire) ?? swapped.get(wire) ?? wire;
    const property = names.has(wire) || !swapped.has(wire) ? own(codec.properties, name) : undefined;
    if (property === undefined) {
      setOwn(result, name, decodePart(codec.additional, received, wire, context, depth));
    } else if (property.absent !== undefined && received === null) {
      continue;
    } else if (property.absent === "wrapped" && isObject(received) && Object.hasOwn(received, "value")) {
      context.path.push(wire);
      setOwn(result, name, decodePart(property.value, own(received, "value") ?? null, "value", context, depth));
      context.path.pop();
    } else {
      setOwn(result, name, decodePart(property.value, received, wire, context, depth));
    }
  }
  if (codec.rest !== undefined) {
    const { wire, declared, ...pairs } = codec.rest;
    const received = own(value, wire);
    context.path.push(wire);
    const rest = received && findDecoder("pairs", context)({ kind: "pairs", ...pairs }, received, context, depth);
    context.path.pop();
    if (!isObject(rest)) {
      if (received !== undefined && received !== null) setOwn(result, wire, received);
    } else if (Object.keys(rest).some((key) => declared.includes(key))) {
      setOwn(result, wire, received ?? null);
    } else {
      for (const [key, item] of Object.entries(rest)) setOwn(result, key, item);
    }
  }
  return result;
}

/** Reads a list of pairs as a map; `undefined` if it is no such list or names a key twice. */
function decodePairs(
  codec: PairsCodec,
  value: JsonValue,
  context: DecodeContext,
  depth: number,
): JsonObject | undefined {
  if (!Array.isArray(value)) return undefined;
  const result: MutableRecord = {};
  for (const [index, pair] of (value as readonly JsonValue[]).entries()) {
    if (!isObject(pair)) return undefined;
    const key = own(pair, "key");
    const item = own(pair, "value");
    if (typeof key !== "string" || item === undefined || Object.hasOwn(result, key)) return undefined;
    context.path.push(index);
    setOwn(result, key, decodePart(codec.value, item, "value", context, depth));
    context.path.pop();
  }
  return result;
}

function decodeTuple(codec: TupleCodec, value: JsonValue, context: DecodeContext, depth: number): JsonValue {
  const record = decodeWith(codec.value, value, context, depth + 1);
  if (!isObject(record)) return value;
  const known = codec.rest === undefined ? codec.names : [...codec.names, codec.rest];
  if (Object.keys(record).some((key) => !known.includes(key))) return value;
  const items = codec.names.map((name) => own(record, name));
  const length = items.findIndex((item) => item === undefined);
  const present = length === -1 ? items : items.slice(0, length);
  if (items.slice(present.length).some((item) => item !== undefined)) return value; // a hole, which no array can express
  const rest = codec.rest === undefined ? undefined : own(record, codec.rest);
  if (rest !== undefined && !Array.isArray(rest)) return value;
  const further = (rest ?? []) as readonly JsonValue[];
  if (further.length > 0 && present.length < codec.names.length) return value;
  return [...present.filter((item) => item !== undefined), ...further];
}

function decodeUnion(codec: UnionCodec, value: JsonValue, context: DecodeContext, depth: number): JsonValue {
  const matches = (context.memory.matches ??= createBranchMatcher());
  for (const branch of codec.branches) {
    if (matches(branch.wire, value)) return decodeWith(branch.value, value, context, depth + 1);
  }
  return value;
}

/** Returns the value of a JSON text. Other text, or text with an integer that would be rounded, stays and is a fault. */
function decodeText(_codec: TextCodec, text: JsonValue, { path, faults }: DecodeContext): JsonValue | undefined {
  if (typeof text !== "string") return undefined;
  let value: JsonValue | undefined;
  try {
    value = JSON.parse(text) as JsonValue;
  } catch {}
  const inexact = value === undefined ? undefined : inexactInteger(text);
  if (value !== undefined && inexact === undefined) return value;
  if (faults.length < MOST_FAULTS) {
    const pointer = path.reduce<string>(appendToPointer, "");
    const must =
      inexact === undefined
        ? `must be JSON text; you sent ${describe(text)}`
        : `holds the number ${inexact.slice(0, 60)}, which has too many digits to be kept exactly; send an identifier as a string`;
    faults.push({ pointer, message: `${pointer === "" ? "The value" : `\`${pointer}\``} ${must}.` });
  }
  return text;
}

/** The decoders that most changed shapes need: for renamed, absent and wrapped members. */
export const plainDecoders: Decoders = { object: decodeObject, array: decodeArray, wrap: decodeWrap };

/** The decoders of every kind of codec. */
export const allDecoders: Required<Decoders> = {
  object: decodeObject,
  array: decodeArray,
  wrap: decodeWrap,
  tuple: decodeTuple,
  pairs: decodePairs,
  union: decodeUnion,
  text: decodeText,
};
