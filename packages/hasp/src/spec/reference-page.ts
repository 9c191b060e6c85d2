import type { JsonObject, JsonValue } from "@hasp/schema";

/** The content of a reference page around its tables. */
export interface ReferencePage {
  readonly title: string;
  readonly introduction: string;
  /** The format's JSON Schema. */
  readonly schema: JsonObject;
  /** Key of its `$defs` from which the tables start. */
  readonly start: string;
}

/** One table: the keys of one object. */
interface Section {
  readonly path: string;
  readonly schema: JsonObject;
}

/** Prints a Markdown page that lists every key of a format with its type and meaning. */
export function printReferencePage({ title, introduction, schema, start }: ReferencePage): string {
  const definitions = objectOf(schema["$defs"]);
  const lines = [`# ${title}`, "", introduction, ""];
  const waiting: Section[] = [{ path: "", schema: objectOf(definitions[start]) }];
  // Keyed by the property map, which is one object however often it is referenced.
  const shown = new Set<JsonValue | undefined>();
  for (let section = waiting.shift(); section !== undefined; section = waiting.shift()) {
    if (shown.has(section.schema["properties"])) continue;
    shown.add(section.schema["properties"]);
    if (section.path !== "") lines.push(`## \`${section.path}\``, "", text(section.schema["description"]), "");
    const required = new Set(listOf(section.schema["required"]));
    lines.push("| key | value | meaning |", "| --- | --- | --- |");
    const fields = Object.entries(objectOf(section.schema["properties"])).map(([key, value]) => ({
      key,
      field: objectOf(value),
    }));
    for (const { key, field } of fields) {
      const name = `\`${key}\`${required.has(key) ? " (required)" : ""}`;
      lines.push(
        `| ${name} | ${cell(takes(field, definitions))} | ${cell(text(field["description"]) + exampleOf(field))} |`,
      );
      // Keys of the same type share one heading.
      const isShared =
        fields.filter((other) => other.field["$ref"] !== undefined && other.field["$ref"] === field["$ref"]).length > 1;
      const last = isShared && section.path !== "" ? "<key>" : key;
      const shared = isShared ? { ...field, description: "" } : field;
      waiting.push(...sectionsIn(shared, section.path === "" ? last : `${section.path}.${last}`, definitions));
    }
    lines.push("");
  }
  return `${lines
    .join("\n")
    .replaceAll(/\n{3,}/gu, "\n\n")
    .trimEnd()}\n`;
}

/** Returns the objects below a field that have their own keys, each with its path in the spec. */
function sectionsIn(field: JsonObject, path: string, definitions: JsonObject): readonly Section[] {
  const schema = follow(field, definitions);
  const nested = [
    ...(schema["properties"] === undefined
      ? []
      : [{ path, schema: { ...schema, description: field["description"] ?? "" } }]),
    ...["anyOf", "oneOf"].flatMap((keyword) =>
      listOf(schema[keyword]).flatMap((each) => sectionsIn(objectOf(each), path, definitions)),
    ),
    ...(schema["items"] === undefined
      ? []
      : sectionsIn({ ...follow(objectOf(schema["items"]), definitions), description: "" }, `${path}[]`, definitions)),
    ...(isSchema(schema["additionalProperties"])
      ? sectionsIn(schema["additionalProperties"], `${path}.<name>`, definitions)
      : []),
    ...(schema["else"] === undefined ? [] : sectionsIn(objectOf(schema["else"]), path, definitions)),
  ];
  return nested;
}

/** Describes the type of a field. */
function takes(field: JsonObject, definitions: JsonObject): string {
  if (field["$ref"] === "#/$defs/JsonSchema") return "a JSON Schema";
  const schema = follow(field, definitions);
  if (schema["const"] !== undefined) return code(schema["const"]);
  if (schema["enum"] !== undefined) return listOf(schema["enum"]).map(code).join(", ");
  if (typeof schema["x-expected"] === "string") return schema["x-expected"];
  if (schema["if"] !== undefined) {
    return [schema["then"], schema["else"]]
      .map((each) => takes({ type: "array", ...objectOf(each) }, definitions))
      .join(", or ");
  }
  const alternatives = listOf(schema["anyOf"]).map((each) => takes(objectOf(each), definitions));
  if (alternatives.length > 0) return [...new Set(alternatives)].join(", or ");
  if (schema["items"] !== undefined) return `a list of: ${takes(objectOf(schema["items"]), definitions)}`;
  const types = [schema["type"] ?? "any"].flat().filter((type) => type !== "null");
  return types.map((type) => TYPE_WORDS[String(type)] ?? String(type)).join(" or ");
}

const TYPE_WORDS: { readonly [type: string]: string } = {
  any: "any value",
  array: "a list",
  boolean: "`true`, `false`",
  integer: "a whole number",
  number: "a number",
  object: "an object",
  string: "a string",
};

function exampleOf(field: JsonObject): string {
  const [example] = listOf(field["examples"]);
  return example === undefined ? "" : ` Example: ${code(example)}`;
}

/** Resolves a `$ref`, keeping the description next to it. */
function follow(field: JsonObject, definitions: JsonObject): JsonObject {
  const ref = field["$ref"];
  if (typeof ref !== "string") return field;
  const target = objectOf(definitions[ref.replace("#/$defs/", "")]);
  return { ...target, ...(field["description"] === undefined ? {} : { description: field["description"] }) };
}

function code(value: JsonValue): string {
  const words = typeof value === "string" ? value : JSON.stringify(value);
  return words.includes("`") ? `\`\` ${words} \`\`` : `\`${words}\``;
}

/** Escapes a string for a table cell: one line, no bare `|`. */
function cell(words: string): string {
  return words.replaceAll("\n", " ").replaceAll("|", String.raw`\|`);
}

function text(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : "";
}

function isSchema(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function objectOf(value: JsonValue | undefined): JsonObject {
  return isSchema(value) ? value : {};
}

function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : [];
}
