import { findValueAt, followReference, walkSchema } from "@hasp/schema/internal/keywords";
import { findDefaultFaults, isKeyword, pointerTo, subschemasOf } from "@hasp/schema/internal/runtime";
import type { JsonSchema, SchemaObject } from "@hasp/schema";
import { escapeToken, isObject } from "@hasp/base/json";

/** Checks a definition's schema for what the compiler refuses. Throws a `TypeError` with the remedy. */
export function checkSchema(tool: string, part: "input" | "output", root: JsonSchema): void {
  const refuse = (pointer: string, fault: string): never => {
    throw new TypeError(`Tool "${tool}", ${part}${pointer}: ${fault}`);
  };
  walkSchema(root, ({ schema, pointer }) => {
    if (typeof schema !== "object") return;
    const fault = unknownKeyword(schema) ?? composition(schema, root);
    if (fault !== undefined) refuse(pointer, fault);
  });
  for (const { pointer, error } of findDefaultFaults(root, { fills: part === "input" })) {
    const value = JSON.stringify(findValueAt(root, `${pointer}/default`));
    refuse(
      pointer,
      error === undefined
        ? `the default ${value} fills itself without end: what it leaves out gets this default again. Give it a value there, or remove it.`
        : `the default ${value} is not valid (${error.message}). Write a value that the schema accepts as it is.`,
    );
  }
}

function unknownKeyword(schema: SchemaObject): string | undefined {
  const unknown = Object.keys(schema).find((keyword) => !isKeyword(keyword) && !keyword.startsWith("x-"));
  return unknown === undefined
    ? undefined
    : `JSON Schema has no keyword ${JSON.stringify(unknown)}. Correct its name, or begin it with "x-" if it is your own annotation.`;
}

const FLATTEN =
  'Write the flat schema instead: `flatten` of "@hasp/schema" computes it, and hasp does so for every spec that it compiles.';

function composition({ allOf, $ref }: SchemaObject, root: JsonSchema): string | undefined {
  if (allOf !== undefined) return `\`allOf\` is not accepted here. ${FLATTEN}`;
  if ($ref === undefined || isRecursive($ref, root)) return undefined;
  return `the \`$ref\` to ${JSON.stringify($ref)} is not accepted here, since it is not recursive. ${FLATTEN}`;
}

/** True if a reference leads to a schema that contains itself: such a schema cannot be flattened. */
function isRecursive(reference: string, root: JsonSchema): boolean {
  const start = targetOf(reference, root);
  const seen = new Set<unknown>();
  const waiting: unknown[] = [start];
  for (const schema of waiting) {
    if (!isObject(schema) || seen.has(schema)) continue;
    seen.add(schema);
    const target = typeof schema["$ref"] === "string" ? targetOf(schema["$ref"], root) : undefined;
    const inner: unknown[] = [
      ...(target === undefined ? [] : [target]),
      ...Array.from(subschemasOf(schema), (each) => each.schema),
    ];
    if (inner.includes(start)) return true;
    waiting.push(...inner);
  }
  return false;
}

function targetOf(reference: string, root: JsonSchema): unknown {
  return followReference(root, reference)?.value;
}

/** A declared property that no valid input can contain, with JSON Pointers to both places. */
interface DeadProperty {
  readonly name: string;
  readonly declaredAt: string;
  readonly forbiddenAt: string;
}

interface SchemaPart {
  readonly schema: SchemaObject;
  readonly pointer: string;
}

/** Finds a property that one conjoined schema declares and another forbids. The compiler finds more. */
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

function partsOf(start: SchemaPart, root: JsonSchema): readonly SchemaPart[] {
  const parts = new Map<SchemaObject, SchemaPart>([[start.schema, start]]);
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

function deadIn(parts: readonly SchemaPart[]): DeadProperty | undefined {
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
