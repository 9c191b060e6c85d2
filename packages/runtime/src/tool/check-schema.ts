import { isKeyword, subschemasOf, walkSchema } from "@hasp/schema/vocabulary";
import { createValidator } from "@hasp/schema/validate";
import type { JsonSchema, SchemaObject } from "@hasp/schema";
import { isObject } from "../json/is-object.js";
import { pointerTokens } from "../json/pointer.js";

/**
 * Holds a schema of a definition to what the compiler accepts or makes flat: keywords that JSON Schema has, no `allOf`,
 * no `$ref` but in a recursion, defaults that are valid as they are. Throws a `TypeError` that says what to do.
 */
export function checkSchema(tool: string, part: "input" | "output", root: JsonSchema): void {
  walkSchema(root, ({ schema, pointer }) => {
    if (typeof schema !== "object") return;
    const fault = unknownKeyword(schema) ?? composition(schema, root) ?? invalidDefault(schema, root);
    if (fault !== undefined) throw new TypeError(`Tool "${tool}", ${part}${pointer}: ${fault}`);
  });
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

/** Whether a reference leads to a schema that holds itself: such a one cannot be flat. */
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

/** What a JSON Pointer inside the schema leads to. */
function targetOf(reference: string, root: JsonSchema): unknown {
  if (!reference.startsWith("#")) return undefined;
  return pointerTokens(reference.slice(1)).reduce<unknown>(
    (at, key) => (typeof at === "object" && at !== null && Object.hasOwn(at, key) ? Reflect.get(at, key) : undefined),
    root,
  );
}

function invalidDefault(schema: SchemaObject, root: JsonSchema): string | undefined {
  if (schema.default === undefined) return undefined;
  const definitions = typeof root === "object" ? { $defs: root.$defs, definitions: root.definitions } : {};
  const known = Object.fromEntries(Object.entries(definitions).filter(([, value]) => value !== undefined));
  // As it is: a default that fits only once it is coerced would change.
  const { errors } = createValidator({ ...known, ...schema })(schema.default);
  const [error] = errors;
  return error === undefined
    ? undefined
    : `the default ${JSON.stringify(schema.default)} is not valid (${error.message}). Write a value that the schema accepts as it is.`;
}
