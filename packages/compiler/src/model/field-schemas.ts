import {
  entailedBy,
  expectedValue,
  FIELD_ENTRIES,
  FIELDS,
  OUTPUT_CHECK,
  type Field,
  type FieldEntry,
  type FieldGroup,
} from "@hasp/runtime/contract";
import type { JsonObject } from "@hasp/schema";
import { FIELD_WORDS, type FieldWords } from "./field-words.js";

/** Describes an object without other properties than these. */
export function closed({ description, ...rest }: JsonObject): JsonObject {
  const about = description === undefined ? {} : { description };
  return { ...about, type: "object", additionalProperties: false, ...rest };
}

export function ref(definition: string, description: string): JsonObject {
  return { description, $ref: `#/$defs/${definition}` };
}

export function text(description: string): JsonObject {
  return { description, type: "string", minLength: 1 };
}

export function flag(description: string): JsonObject {
  return { description, type: "boolean" };
}

export function groupSchemas(group: FieldGroup): JsonObject {
  const entries = FIELD_ENTRIES.filter((entry) => entry.group === group);
  return Object.fromEntries(
    entries.map((entry) => [entry.name, { description: describe(entry), ...statedSchema(entry) }]),
  );
}

/** Returns what an editor shows about a field; `undefined` if the group has no such field. */
export function findFieldHelp(
  group: string | undefined,
  name: string | undefined,
): { readonly path: string; readonly strict: unknown; readonly meanings: FieldWords["meanings"] } | undefined {
  const entry = FIELD_ENTRIES.find((each) => each.group === group && each.name === name);
  return entry && { path: entry.path, strict: entry.field.strict, meanings: FIELD_WORDS[entry.path].meanings };
}

export const outputCheckSchema: JsonObject = {
  description: describeField(OUTPUT_CHECK, FIELD_WORDS.outputCheck),
  ...valueSchema(OUTPUT_CHECK),
};

export function createRowSchemas(): JsonObject {
  return perCallSchemas(({ name, path }) => {
    const { perCall = "" } = FIELD_WORDS[path];
    return name === "class" ? perCall : `${perCall} Default: the tool's own value.`;
  });
}

export function createExpectedSchemas(): JsonObject {
  return perCallSchemas(({ name }) =>
    name === "class" ? "The class of the call." : "The flag's value for this call.",
  );
}

function perCallSchemas(describeEntry: (entry: FieldEntry) => string): JsonObject {
  const entries = FIELD_ENTRIES.filter(({ field }) => field.varies === true);
  return Object.fromEntries(
    entries.map((entry) => [entry.name, { description: describeEntry(entry), ...valueSchema(entry.field) }]),
  );
}

function describe({ group, name, path, field }: FieldEntry): string {
  const parts = [describeField(field, FIELD_WORDS[path])];
  const entailing =
    group === "behavior" ? FIELDS.concurrency.class.values.filter((each) => Object.hasOwn(entailedBy(each), name)) : [];
  parts.push(...entailing.map((each) => `Entailed by the class ${each}.`));
  return parts.join(" ");
}

function describeField({ strict }: Field, { description, meanings = {} }: FieldWords): string {
  const words = Object.entries(meanings).map(([value, meaning]) => `\`${value}\`: ${meaning}.`);
  return [description, ...words, `Default: ${String(strict)}.`].join(" ");
}

/** Returns the schema of a stated field: a value, or a condition if the field may vary on its own. */
function statedSchema({ group, field }: FieldEntry): JsonObject {
  const value = valueSchema(field);
  if (group !== "behavior" || field.varies !== true) return value;
  if (value["type"] === "boolean") return { $ref: "#/$defs/BooleanFlag" };
  return {
    anyOf: [value, { $ref: "#/$defs/VaryingFlag" }],
    "x-expected": `${expectedValue(field)}, or one of { when: … }, { unless: … } and { custom: … }`,
  };
}

function valueSchema(field: Field): JsonObject {
  if ("values" in field) {
    return field.values.every((value) => typeof value === "boolean")
      ? { type: "boolean" }
      : { enum: [...field.values] };
  }
  if (!field.unlimited) return { ...field.number };
  return { anyOf: [{ ...field.number }, { const: "unlimited" }], "x-expected": expectedValue(field) };
}
