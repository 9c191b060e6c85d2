import type { ObjectCodec } from "./codec.js";

/** The declared properties that travel under another name: source name by wire name. */
export function declaredNames(codec: ObjectCodec): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const [name, property] of Object.entries(codec.properties)) {
    if (property.wire !== undefined) names.set(property.wire, name);
  }
  return names;
}

/**
 * Where an open object has a key of its own that is another property's wire name, the two names change places; so no
 * two keys ever meet. The map is its own inverse's other half: it holds the wire names that such keys travel under.
 */
export function undeclaredNames(codec: ObjectCodec): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const [wire, name] of declaredNames(codec)) {
    if (!Object.hasOwn(codec.properties, wire)) names.set(wire, name);
  }
  return names;
}
