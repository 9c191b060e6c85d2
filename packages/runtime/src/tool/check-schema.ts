import { findValueAt, followReference } from "@hasp/schema/internal/keywords";
import { linearPattern, walkSchema, isKeyword, listSubschemas } from "@hasp/schema/vocabulary";
import { findDefaultFaults } from "@hasp/schema/internal/runtime";
import type { JsonSchema, SchemaObject } from "@hasp/schema";
import { isObject } from "@hasp/base/json";

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
      ...Array.from(listSubschemas(schema), (each) => each.schema),
    ];
    if (inner.includes(start)) return true;
    waiting.push(...inner);
  }
  return false;
}

function targetOf(reference: string, root: JsonSchema): unknown {
  return followReference(root, reference)?.value;
}

/** Throws for a pattern whose matching may take more than linear time. */
export function refuseSlowPatterns(name: string, input: JsonSchema): void {
  walkSchema(input, ({ schema, pointer }) => {
    if (typeof schema !== "object") return;
    for (const pattern of [schema.pattern, ...Object.keys(schema.patternProperties ?? {})]) {
      if (typeof pattern !== "string" || linearPattern(pattern) !== undefined) continue;
      throw new TypeError(
        `Tool "${name}", input${pointer}: the pattern ${JSON.stringify(pattern)} cannot be matched in linear time. ` +
          "Leave out back references and large nested counts.",
      );
    }
  });
}
