import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { importInner } from "./import-built.js";
import { code, page, table } from "./markdown.js";
import { root } from "./root.js";

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

/** Prints the types of `@hasp/runtime` with which a host configures and reads a dispatcher. */
export async function runtimePage() {
  const types = await declaredTypes();
  const entries = ENTRIES.filter(([name]) => types.has(name));
  const names = reachableFrom(
    entries.map(([name]) => name),
    types,
  );
  const others = names.filter((name) => !entries.some(([entry]) => entry === name));
  return page(
    "# Runtime API",
    "The parameters and results of `createDispatcher` and `dispatch` of `@hasp/runtime`: every option, every field and every error " +
      "code. [Running calls](../guides/dispatching.md) shows them at work. This page is generated from the types.",
    [
      ...entries.flatMap(([name, heading]) => [`## ${heading}`, ...described(types.get(name), types)]),
      "## Error codes",
      "`error.phase` and `error.code` of a result, and what the model reads. A code never changes its meaning.",
      table(["phase", "code", "message"], await errorRows(types)),
      "## Asking a person on a terminal",
      "`permissions.ask` is called for a call that nothing else decided. This one asks whoever sits at the terminal; pass it as " +
        "`createDispatcher({ tools, permissions: { ask: askOnTerminal } })`.",
      `\`\`\`ts\n${(await readFile(join(root, "test/runtime/ask-on-a-terminal.ts"), "utf8")).trimEnd()}\n\`\`\``,
      "## Other types",
      ...others.flatMap((name) => [`### \`${name}\``, ...described(types.get(name), types)]),
    ],
  );
}

/** Reads the exported types of the runtime's sources, by name. */
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
  const keys = types.get("CallErrorParameters").getProperties();
  return keys.map((property) => {
    const key = JSON.parse(property.getName());
    const { phase, code: name, message } = callError(key, namedParameters(property.getTypeNode()));
    return [code(phase), code(name), message.replaceAll(/\s+/gu, " ")];
  });
}

/** Names parameters in a message: `<tool>`. */
function namedParameters(type) {
  const lists = new Set([...type.getText().matchAll(/(\w+): readonly string\[\]/gu)].map(([, name]) => name));
  return new Proxy({}, { get: (_target, name) => (lists.has(name) ? [`<${name}>`] : `<${String(name)}>`) });
}
