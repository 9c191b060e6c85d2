import type { JsonObject, JsonValue } from "../json/json.js";
import type { Codec, DefinitionsCodec, ObjectCodec, TupleCodec } from "./codec.js";
import { matches } from "./matches.js";
import { isRecord, own, put, type MutableRecord } from "./records.js";
import { undeclaredNames } from "./renaming.js";

/**
 * Turns a value that the source schema accepts into one that the lowered schema accepts. A value that the source does
 * not accept is turned as far as it can be.
 */
export function encode(codec: Codec | undefined, value: JsonValue): JsonValue {
  return codec === undefined ? value : encodeWith(codec, value, {});
}

type Definitions = DefinitionsCodec["definitions"];

function encodeWith(codec: Codec | undefined, value: JsonValue, definitions: Definitions): JsonValue {
  if (codec === undefined) return value;
  switch (codec.kind) {
    case "object":
      return isRecord(value) ? encodeObject(codec, value, definitions) : value;
    case "array":
      return Array.isArray(value) ? value.map((item) => encodeWith(codec.items, item, definitions)) : value;
    case "tuple":
      return Array.isArray(value) ? encodeTuple(codec, value, definitions) : value;
    case "pairs":
      return isRecord(value) ? encodePairs(codec.value, Object.entries(value), definitions) : value;
    case "wrap":
      return { [codec.wire]: encodeWith(codec.value, value, definitions) };
    case "union": {
      const branch = codec.branches.find((candidate) => matches(candidate.accepts, value));
      return branch === undefined ? value : encodeWith(branch.value, value, definitions);
    }
    case "text":
      return JSON.stringify(value);
    case "reference":
      return encodeWith(own(definitions, codec.name), value, definitions);
    case "definitions":
      return encodeWith(codec.root, value, codec.definitions);
  }
}

function encodeObject(codec: ObjectCodec, value: JsonObject, definitions: Definitions): JsonValue {
  const result: MutableRecord = {};
  const further: [string, JsonValue][] = [];
  const swapped = undeclaredNames(codec);
  for (const [name, item] of Object.entries(value)) {
    const property = own(codec.properties, name);
    if (property !== undefined) {
      const inner = encodeWith(property.value, item, definitions);
      put(result, property.wire ?? name, property.absent === "wrapped" ? { value: inner } : inner);
    } else if (codec.rest !== undefined && !codec.rest.declared.includes(name)) {
      further.push([name, item]);
    } else {
      put(result, swapped.get(name) ?? name, encodeWith(codec.additional, item, definitions));
    }
  }
  for (const [name, property] of Object.entries(codec.properties)) {
    if (property.absent !== undefined && !Object.hasOwn(value, name)) put(result, property.wire ?? name, null);
  }
  if (codec.rest !== undefined) put(result, codec.rest.wire, encodePairs(codec.rest.value, further, definitions));
  return result;
}

function encodePairs(
  codec: Codec | undefined,
  entries: readonly (readonly [string, JsonValue])[],
  definitions: Definitions,
): JsonValue {
  return entries.map(([key, item]) => ({ key, value: encodeWith(codec, item, definitions) }));
}

function encodeTuple(codec: TupleCodec, value: readonly JsonValue[], definitions: Definitions): JsonValue {
  const record: MutableRecord = {};
  codec.names.forEach((name, index) => {
    const item = value[index];
    if (item !== undefined) put(record, name, item);
  });
  if (codec.rest !== undefined) put(record, codec.rest, value.slice(codec.names.length));
  return encodeWith(codec.value, record, definitions);
}
