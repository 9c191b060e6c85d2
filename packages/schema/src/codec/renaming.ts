import type { ObjectCodec } from "./codec.js";

/** Maps wire names to source names, for the declared properties that travel under another name. */
export function declaredNames(codec: ObjectCodec): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const [name, property] of Object.entries(codec.properties)) {
    if (property.wire !== undefined) names.set(property.wire, name);
  }
  return names;
}

/**
 * Maps wire names of declared properties to source names, for the open object's own keys of the same name: the two
 * change places, so that no two keys meet. Encoding reads it forward, decoding backward.
 */
export function undeclaredNames(codec: ObjectCodec): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const [wire, name] of declaredNames(codec)) {
    if (!Object.hasOwn(codec.properties, wire)) names.set(wire, name);
  }
  return names;
}
