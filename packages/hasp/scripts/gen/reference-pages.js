import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { importInner, root } from "./workspace.js";
import { cell, code, page, table } from "./markdown.js";

/** The types that a host meets first, each with the heading of its section. */
const ENTRIES = [
  ["DispatcherOptions", "`createDispatcher(options)`"],
  ["Dispatcher", "The dispatcher"],
  ["TurnOptions", "`dispatcher.dispatch(calls, options)`"],
  ["ToolCall", "A call"],
  ["ToolResult", "A result"],
  ["ToolError", "The error of a result"],
];

/** Types that have a page or a package of their own. */
const ELSEWHERE = new Set(["Tool", "ToolDefinition", "ToolMetadata", "ToolDialect", "LimitMap", "Codec"]);

/** Prints the types of `@hasp/runtime` with which a host configures and reads a dispatcher, and the texts of refusals. */
export async function runtimePages() {
  const types = await declaredTypes();
  return [
    ["runtime.md", runtimePage(types, await readFile(join(root, "test/runtime/ask-on-a-terminal.ts"), "utf8"))],
    ["refusals.md", await refusalsPage(types)],
  ];
}

/** Prints every text that a model reads in place of a result. */
async function refusalsPage(types) {
  const { failure } = await importInner("runtime", "results/outcome.ts");
  const wordsBefore = (effect) => failure({ phase: "execute", code: "", message: "" }, effect).error.message.trim();
  return page(
    "# Refusals",
    "What a model reads in place of a result, by `error.phase` and `error.code`. Each text says what is wrong, and what to do next. " +
      "A code never changes its meaning. This page is generated from the texts.",
    [
      table(["phase", "code", "text"], await errorRows(types)),
      "`denied` gives the reason of the person, rule or hook that refused the call. Handlers, hooks and tapes fill in `<reason>`. " +
        "The effect, `error.effect`, comes first if the call may have changed something:",
      table(
        ["effect", "words before the text"],
        ["none", "landed", "unknown"].map((effect) => [code(effect), wordsBefore(effect)]),
      ),
    ],
  );
}

function runtimePage(types, terminal) {
  const entries = ENTRIES.filter(([name]) => types.has(name));
  const names = reachableFrom(
    entries.map(([name]) => name),
    types,
  );
  const others = names.filter((name) => !entries.some(([entry]) => entry === name));
  return page(
    "# Runtime API",
    "The parameters and results of `createDispatcher` and `dispatch` of `@hasp/runtime`: every option and every field. " +
      "[Refusals](refusals.md) lists the error codes. [Running calls](../guides/dispatching.md) shows them at work. This page is generated from the types.",
    [
      ...entries.flatMap(([name, heading]) => [`## ${heading}`, ...described(types.get(name), types)]),
      "## Asking a person on a terminal",
      "`permissions.ask` is called for a call that nothing else decided. This one asks whoever sits at the terminal; pass it as " +
        "`createDispatcher({ tools, permissions: { ask: askOnTerminal } })`.",
      `\`\`\`ts\n${terminal.trimEnd()}\n\`\`\``,
      "## Other types",
      ...others.flatMap((name) => [`### \`${name}\``, ...described(types.get(name), types)]),
    ],
  );
}

async function declaredTypes() {
  const { Project } = await import("ts-morph");
  const project = new Project({ useInMemoryFileSystem: false, skipFileDependencyResolution: true });
  project.addSourceFilesAtPaths([
    join(root, "packages/runtime/src/**/*.ts"),
    `!${join(root, "packages/runtime/src/**/*.test*.ts")}`,
  ]);
  return new Map(
    project
      .getSourceFiles()
      .toSorted((left, right) => (left.getFilePath() < right.getFilePath() ? -1 : 1))
      .flatMap((file) =>
        [...file.getInterfaces(), ...file.getTypeAliases()]
          .filter((declaration) => declaration.isExported())
          .map((declaration) => [declaration.getName(), declaration]),
      ),
  );
}

/** Lists the names of all types that these mention, directly or through others, sorted. */
function reachableFrom(names, types) {
  const reached = new Set(names);
  // The set grows while we walk it.
  for (const name of reached) {
    for (const [, mentioned] of (types.get(name)?.getText() ?? "").matchAll(/\b([A-Z]\w+)/gu)) {
      if (types.has(mentioned) && !ELSEWHERE.has(mentioned)) reached.add(mentioned);
    }
  }
  return [...reached].toSorted();
}

function described(declaration, types) {
  const doc = docOf(declaration);
  const base = (declaration.getExtends?.() ?? []).map((type) => code(oneLine(type.getText())));
  const intro = [doc, base.length === 0 ? "" : `Also has what ${base.join(" and ")} has.`].filter(
    (text) => text !== "",
  );
  const members = declaration.getMembers?.();
  if (members === undefined) {
    return [...intro, `\`\`\`ts\n${declaration.getText().replace(/^\/\*\*[\s\S]*?\*\/\s*/u, "")}\n\`\`\``];
  }
  return [
    ...intro,
    table(
      ["name", "type", "description"],
      members.map((member) => [code(nameOf(member)), code(typeOf(member)), docOf(member) || docOfType(member, types)]),
    ),
  ];
}

function nameOf(member) {
  const name = member.getName?.() ?? oneLine(member.getText());
  return member.hasQuestionToken?.() === true ? `${name}?` : name;
}

function typeOf(member) {
  const parameters = member.getParameters?.();
  const result = member.getReturnTypeNode?.() ?? member.getTypeNode?.();
  const text = oneLine(result?.getText() ?? "unknown").replace(/ \| undefined$/u, "");
  if (parameters === undefined) return text;
  return `(${parameters.map((parameter) => oneLine(parameter.getText())).join(", ")}) => ${text}`;
}

/** Finds the description of a member's type, for a member without one of its own. */
function docOfType(member, types) {
  const [, mentioned] = /\b([A-Z]\w+)/u.exec(typeOf(member)) ?? [];
  const type = types.get(mentioned);
  return type === undefined || ELSEWHERE.has(mentioned) ? "" : docOf(type);
}

function docOf(declaration) {
  return (declaration.getJsDocs?.() ?? [])
    .map((doc) => oneLine(doc.getDescription()))
    .join(" ")
    .replaceAll(/\{@link ([^}]+)\}/gu, "`$1`")
    .trim();
}

function oneLine(text) {
  return text
    .replaceAll(/\/\*\*?[\s\S]*?\*\//gu, "")
    .replaceAll(/\s+/gu, " ")
    .replace(/^ ?\| /u, "")
    .replaceAll("( | ", "(")
    .trim();
}

async function errorRows(types) {
  const { callError } = await importInner("runtime", "results/call-errors.ts");
  const declared = types.get("CallErrorParameters");
  const rows = declared
    .getType()
    .getProperties()
    .flatMap((property) => {
      const type = property.getTypeAtLocation(declared);
      // A handler states the whole text itself.
      if (type.getProperty("text") !== undefined) return [];
      return [callError(property.getName(), namedParameters(type))];
    });
  const phases = Array.from(
    types
      .get("Phase")
      .getText()
      .matchAll(/"([\w-]+)"/gu),
    ([, phase]) => phase,
  );
  return rows
    .toSorted((one, other) => phases.indexOf(one.phase) - phases.indexOf(other.phase))
    .map(({ phase, code: name, message }) => [code(phase), code(name), message.replaceAll(/\s+/gu, " ")]);
}

/** Names parameters in a message: `<tool>`. */
function namedParameters(type) {
  const isList = (part) => part.getDeclarations().some((node) => node.getType().isReadonlyArray());
  const lists = new Set(
    type
      .getProperties()
      .filter(isList)
      .map((part) => part.getName()),
  );
  return new Proxy({}, { get: (_target, name) => (lists.has(name) ? [`<${name}>`] : `<${String(name)}>`) });
}

export async function referencePages() {
  const [{ haspConfigSchema, toolSpecSchema }, { policySchema }] = await Promise.all([
    importInner("project", "config/formats.ts"),
    importInner("compiler", "spec/policy-schema.ts"),
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

function takes(field, definitions) {
  if (field.$ref === "#/$defs/JsonSchema") return "a JSON Schema";
  const schema = follow(field, definitions);
  if (schema.const !== undefined) return jsonCode(schema.const);
  if (schema.enum !== undefined) return listOf(schema.enum).map(jsonCode).join(", ");
  if (typeof schema["x-expected"] === "string") return schema["x-expected"];
  if (schema.if !== undefined) {
    const type = schema.properties === undefined ? "array" : "object";
    return [schema.then, schema.else].map((each) => takes({ type, ...objectOf(each) }, definitions)).join(", or ");
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
  return example === undefined ? "" : ` Example: ${jsonCode(example)}`;
}

/** Resolves a `$ref`, keeping the description next to it. */
function follow(field, definitions) {
  const ref = field.$ref;
  if (typeof ref !== "string") return field;
  const target = objectOf(definitions[ref.replace("#/$defs/", "")]);
  return { ...target, ...(field.description === undefined ? {} : { description: field.description }) };
}

function jsonCode(value) {
  return code(typeof value === "string" ? value : JSON.stringify(value));
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
