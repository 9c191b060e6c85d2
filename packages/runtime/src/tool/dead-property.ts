import type { JsonSchema, SchemaObject } from "@hasp/schema";
import { pointerTo, subschemasOf } from "@hasp/schema/vocabulary";
import { escapeToken, pointerTokens } from "../json/pointer.js";
import { isObject } from "../json/is-object.js";

/** A declared property that no valid input can contain, with JSON Pointers to both places. */
export interface DeadProperty {
  readonly name: string;
  readonly declaredAt: string;
  readonly forbiddenAt: string;
}

interface Part {
  readonly schema: SchemaObject;
  readonly pointer: string;
}

/**
 * Finds a property that one of several conjoined schemas (`allOf`, `$ref` and their siblings) declares and another one
 * forbids by `additionalProperties: false`. The compiler, which flattens first, finds more.
 */
export function findDeadProperty(root: JsonSchema): DeadProperty | undefined {
  const seen = new Set<unknown>();
  const waiting: { readonly schema: unknown; readonly pointer: string }[] = [{ schema: root, pointer: "" }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { schema, pointer } = next;
    if (!isObject(schema) || seen.has(schema)) continue;
    seen.add(schema);
    const dead = deadIn(partsOf({ schema, pointer }, root));
    if (dead !== undefined) return dead;
    for (const { schema: inner, keyword, step } of subschemasOf(schema)) {
      waiting.push({ schema: inner, pointer: pointerTo(pointer, keyword, step) });
    }
  }
  return undefined;
}

/** The schemas that a schema conjoins: itself, its reference and the branches of its `allOf`. */
function partsOf(start: Part, root: JsonSchema): readonly Part[] {
  const parts = new Map<SchemaObject, Part>([[start.schema, start]]);
  for (const { schema, pointer } of parts.values()) {
    const together: [unknown, string][] = (schema.allOf ?? []).map((inner, index) => [
      inner,
      pointerTo(pointer, "allOf", String(index)),
    ]);
    if (typeof schema.$ref === "string") together.push([targetOf(schema.$ref, root), schema.$ref.slice(1)]);
    for (const [part, at] of together) {
      if (isObject(part) && !parts.has(part)) parts.set(part, { schema: part, pointer: at });
    }
  }
  return [...parts.values()];
}

function deadIn(parts: readonly Part[]): DeadProperty | undefined {
  for (const { schema, pointer } of parts) {
    for (const name of Object.keys(schema.properties ?? {})) {
      const forbidding = parts.find((part) => forbids(part.schema, name));
      if (forbidding === undefined) continue;
      return {
        name,
        declaredAt: `${pointer}/properties/${escapeToken(name)}`,
        forbiddenAt: `${forbidding.pointer}/additionalProperties`,
      };
    }
  }
  return undefined;
}

function forbids({ properties = {}, patternProperties, additionalProperties }: SchemaObject, name: string): boolean {
  return additionalProperties === false && patternProperties === undefined && !Object.hasOwn(properties, name);
}

/** Resolves a reference inside the schema if it is a JSON Pointer. */
function targetOf(reference: string, root: JsonSchema): unknown {
  if (!reference.startsWith("#")) return undefined;
  let found: unknown = root;
  for (const key of pointerTokens(reference.slice(1))) {
    found =
      typeof found === "object" && found !== null && Object.hasOwn(found, key) ? Reflect.get(found, key) : undefined;
  }
  return found;
}
