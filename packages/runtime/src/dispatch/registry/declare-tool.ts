import { followReference } from "@hasp/schema/internal/keywords";
import type { JsonSchema, SchemaObject } from "@hasp/schema";
import type { AnyTool } from "../../tool/definition.js";

/** Limits the characters of a tool's description. */
const MOST_CHARS = 200;

/** Declares a tool for a program: what it does, what a call may do, input and output. */
export function declareTool({
  name,
  description,
  input,
  output,
  metadata,
}: Pick<AnyTool, "name" | "description" | "input" | "output" | "metadata">): string {
  const { isReadOnly, isDestructive, requiresPermission } = metadata.behavior;
  const does = isReadOnly ? "Only reads." : isDestructive ? "May destroy data." : "Changes data.";
  const asks = requiresPermission ? " May need a person's permission." : "";
  const words = firstSentence(description).replaceAll("*/", "* /");
  const parameter = printType(input);
  const isOptional = typeof input === "object" && (input.required ?? []).length === 0;
  const returned = output === undefined ? "unknown" : printType(output);
  const key = /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
  return `/** ${words} ${does}${asks} */\n${key}(input${isOptional ? "?" : ""}: ${parameter}): Promise<${returned}>;`;
}

function firstSentence(description: string): string {
  const [sentence = ""] = /^.+?[.!?](?=\s|$)/su.exec(description) ?? [description];
  const line = sentence.replaceAll(/\s+/g, " ").trim();
  if (line.length > MOST_CHARS) return `${line.slice(0, MOST_CHARS)}…`;
  return /[.!?]$/.test(line) ? line : `${line}.`;
}

/** Levels of nesting below which a type is `unknown`: schemas may be recursive. */
const DEEPEST = 8;

/** The most schemas to print for one type, beyond which parts are `unknown`: a recursive schema multiplies itself. */
const MOST_SCHEMAS = 10_000;

/** Limits the characters of a property's description. */
const MOST_PROPERTY_CHARS = 100;

/** Prints a schema as a TypeScript type in one line. What TypeScript cannot say is left to the validator. */
export function printType(schema: JsonSchema): string {
  return print(schema, { root: schema, left: MOST_SCHEMAS }, DEEPEST);
}

function print(schema: JsonSchema, about: { readonly root: JsonSchema; left: number }, depth: number): string {
  if (typeof schema === "boolean") return schema ? "unknown" : "never";
  about.left -= 1;
  if (depth === 0 || about.left < 0) return "unknown";
  const inner = (part: JsonSchema): string => print(part, about, depth - 1);
  if (schema.$ref !== undefined) return inner(resolve(schema.$ref, about.root));
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return union(schema.enum.map((value) => JSON.stringify(value)));
  const variants = schema.anyOf ?? schema.oneOf;
  if (variants !== undefined) return union(variants.map(inner));
  if (schema.allOf !== undefined) return [...new Set(schema.allOf.map(inner))].join(" & ") || "unknown";
  const types = [schema.type ?? (schema.properties === undefined ? [] : "object")].flat();
  return types.length === 0 ? "unknown" : union(types.map((type) => printOne(type, schema, inner)));
}

function printOne(type: string, schema: SchemaObject, inner: (part: JsonSchema) => string): string {
  if (type === "integer") return "number";
  if (type === "object") return printObject(schema, inner);
  if (type !== "array") return type;
  const { items, prefixItems } = schema;
  if (prefixItems !== undefined) return `[${prefixItems.map(inner).join(", ")}]`;
  const item = items === undefined ? "unknown" : inner(items as JsonSchema);
  return /^[\w"]+$/.test(item) ? `${item}[]` : `Array<${item}>`;
}

function printObject(
  { properties = {}, required = [], additionalProperties }: SchemaObject,
  inner: (part: JsonSchema) => string,
): string {
  const members = Object.entries(properties).map(([name, part]) => {
    const key = /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
    return `${words(part)}${key}${required.includes(name) ? "" : "?"}: ${inner(part)}`;
  });
  if (additionalProperties !== undefined && additionalProperties !== false) {
    members.push(`[name: string]: ${members.length > 0 ? "unknown" : inner(additionalProperties)}`);
  }
  return members.length === 0 ? "{}" : `{ ${members.join("; ")} }`;
}

function words(part: JsonSchema): string {
  const { description } = typeof part === "object" ? part : {};
  if (description === undefined || description === "") return "";
  const line = description.replaceAll(/\s+/g, " ").replaceAll("*/", "* /").trim();
  return `/** ${line.length > MOST_PROPERTY_CHARS ? `${line.slice(0, MOST_PROPERTY_CHARS)}…` : line} */ `;
}

function union(types: readonly string[]): string {
  return [...new Set(types)].join(" | ") || "never";
}

function resolve(reference: string, root: JsonSchema): JsonSchema {
  return (followReference(root, reference)?.value as JsonSchema | undefined) ?? true;
}
