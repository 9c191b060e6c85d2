import { importInner } from "./import-built.js";

export async function referencePages() {
  const [{ toolSpecSchema }, { policySchema }, { haspConfigSchema }] = await Promise.all([
    importInner("compiler", "spec/tool-spec-schema.ts"),
    importInner("compiler", "spec/policy-schema.ts"),
    importInner("compiler", "spec/hasp-config-schema.ts"),
  ]);
  const described = {
    "spec.md": {
      title: "The spec",
      introduction:
        "One tool per file: `*.tool.yaml`, `*.tool.yml` or `*.tool.json`. A `*.tools.yaml` file contains `hasp: 1` and a list `tools`. " +
        "Omitted fields have their strict values; milder values are claims that a reviewer must approve. " +
        "This page is generated from the format itself, which editors read as `schema/tool-spec.schema.json`.",
      schema: toolSpecSchema,
      start: "Tool",
    },
    "policy.md": {
      title: "The policy",
      introduction:
        "A policy says which calls of a toolset run, are put to a person or are refused. A toolset names its file in `hasp.config.yaml` as `policy`. " +
        "Rules that allow, and the mode `accept-writes`, are claims that a reviewer must approve. " +
        "This page is generated from the format itself, which editors read as `schema/policy.schema.json`.",
      schema: policySchema,
      start: "Policy",
    },
    "configuration.md": {
      title: "The configuration",
      introduction:
        "`hasp.config.yaml`, `.json`, `.mjs` or `.ts` in the project root; without one, the defaults apply. " +
        "All paths are relative to the file, with forward slashes. " +
        "This page is generated from the format itself, which editors read as `schema/hasp-config.schema.json`.",
      schema: haspConfigSchema,
      start: "Config",
    },
  };
  return Object.entries(described).map(([file, page]) => [file, printReferencePage(page)]);
}

/** Prints a page that lists every key of a format; the tables begin with the key `start` of the schema's `$defs`. */
function printReferencePage({ title, introduction, schema, start }) {
  const definitions = objectOf(schema.$defs);
  const lines = [`# ${title}`, "", introduction, ""];
  const waiting = [{ path: "", schema: objectOf(definitions[start]) }];
  // By property map, which is one object however often it is referenced.
  const shown = new Set();
  for (let section = waiting.shift(); section !== undefined; section = waiting.shift()) {
    if (shown.has(section.schema.properties)) continue;
    shown.add(section.schema.properties);
    if (section.path !== "") lines.push(`## \`${section.path}\``, "", text(section.schema.description), "");
    const required = new Set(listOf(section.schema.required));
    lines.push("| key | value | meaning |", "| --- | --- | --- |");
    const fields = Object.entries(objectOf(section.schema.properties)).map(([key, value]) => ({
      key,
      field: objectOf(value),
    }));
    for (const { key, field } of fields) {
      const name = `\`${key}\`${required.has(key) ? " (required)" : ""}`;
      lines.push(
        `| ${name} | ${cell(takes(field, definitions))} | ${cell(text(field.description) + exampleOf(field))} |`,
      );
      // Keys of the same type share one heading.
      const isShared =
        fields.filter((other) => other.field.$ref !== undefined && other.field.$ref === field.$ref).length > 1;
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

/** Lists the objects below a field that have keys of their own, each with its path in the spec. */
function sectionsIn(field, path, definitions) {
  const schema = follow(field, definitions);
  const nested = [
    ...(schema.properties === undefined ? [] : [{ path, schema: { ...schema, description: field.description ?? "" } }]),
    ...["anyOf", "oneOf"].flatMap((keyword) =>
      listOf(schema[keyword]).flatMap((each) => sectionsIn(objectOf(each), path, definitions)),
    ),
    ...(schema.items === undefined
      ? []
      : sectionsIn({ ...follow(objectOf(schema.items), definitions), description: "" }, `${path}[]`, definitions)),
    ...(isSchema(schema.additionalProperties)
      ? sectionsIn(schema.additionalProperties, `${path}.<name>`, definitions)
      : []),
    ...(schema.else === undefined ? [] : sectionsIn(objectOf(schema.else), path, definitions)),
  ];
  return nested;
}

/** Describes the type of a field. */
function takes(field, definitions) {
  if (field.$ref === "#/$defs/JsonSchema") return "a JSON Schema";
  const schema = follow(field, definitions);
  if (schema.const !== undefined) return code(schema.const);
  if (schema.enum !== undefined) return listOf(schema.enum).map(code).join(", ");
  if (typeof schema["x-expected"] === "string") return schema["x-expected"];
  if (schema.if !== undefined) {
    return [schema.then, schema.else]
      .map((each) => takes({ type: "array", ...objectOf(each) }, definitions))
      .join(", or ");
  }
  const alternatives = listOf(schema.anyOf).map((each) => takes(objectOf(each), definitions));
  if (alternatives.length > 0) return [...new Set(alternatives)].join(", or ");
  if (schema.items !== undefined) return `a list of: ${takes(objectOf(schema.items), definitions)}`;
  const types = [schema.type ?? "any"].flat().filter((type) => type !== "null");
  return types.map((type) => TYPE_WORDS[String(type)] ?? String(type)).join(" or ");
}

const TYPE_WORDS = {
  any: "any value",
  array: "a list",
  boolean: "`true`, `false`",
  integer: "a whole number",
  number: "a number",
  object: "an object",
  string: "a string",
};

function exampleOf(field) {
  const [example] = listOf(field.examples);
  return example === undefined ? "" : ` Example: ${code(example)}`;
}

/** Resolves a `$ref`, keeping the description next to it. */
function follow(field, definitions) {
  const ref = field.$ref;
  if (typeof ref !== "string") return field;
  const target = objectOf(definitions[ref.replace("#/$defs/", "")]);
  return { ...target, ...(field.description === undefined ? {} : { description: field.description }) };
}

function code(value) {
  const words = typeof value === "string" ? value : JSON.stringify(value);
  return words.includes("`") ? `\`\` ${words} \`\`` : `\`${words}\``;
}

function cell(words) {
  return words.replaceAll("\n", " ").replaceAll("|", String.raw`\|`);
}

function text(value) {
  return typeof value === "string" ? value : "";
}

function isSchema(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function objectOf(value) {
  return isSchema(value) ? value : {};
}

function listOf(value) {
  return Array.isArray(value) ? value : [];
}
