import type { JsonValue } from "@hasp/schema";
import { parsePointer, findValueAt } from "@hasp/base/json";
import { resolveReference, listDeclaredTools } from "@hasp/compiler/model";
import { type SourceRole, loadSource } from "@hasp/compiler";
import { type FeaturePlace, type PlaceSyntax, readPlace } from "./place.js";
import type { FileSpan, LanguageProject } from "./language-project.js";
import { findRole } from "./document-format.js";
import { readString } from "./syntax.js";

/** Something with one name that appears in several places. */
export type ProjectSymbol =
  | { readonly kind: "tool"; readonly name: string; readonly span: FileSpan }
  /** A referenced value; its name is the last token of the pointer. */
  | { readonly kind: "definition"; readonly uri: string; readonly pointer: string; readonly span: FileSpan };

export function findSymbol(place: FeaturePlace): ProjectSymbol | undefined {
  const syntax = readPlace(place);
  return (
    referenceAt(place, syntax) ?? definitionAt(place, syntax) ?? toolNameAt(place, syntax) ?? mentionAt(place, syntax)
  );
}

function referenceAt({ document }: FeaturePlace, { part, path, node, span }: PlaceSyntax): ProjectSymbol | undefined {
  const reference = path.at(-1) === "$ref" && part === "value" ? readString(node) : undefined;
  if (reference === undefined) return undefined;
  const target = resolveTarget(reference, document.uri, findSchemaRoot(path));
  return target && { kind: "definition", ...target, span: { uri: document.uri, ...span } };
}

/** Resolves a reference to a file and pointer; `root` is the schema whose own definitions `#` means. */
export function resolveTarget(
  reference: string,
  from: string,
  root: string,
): { readonly uri: string; readonly pointer: string } | undefined {
  const target = resolveReference(reference, from);
  if (target.kind !== "document" && target.kind !== "local") return undefined;
  const { fragment } = target;
  if (fragment === undefined || /^[^/]/u.test(fragment)) return undefined;
  return target.kind === "local" ? { uri: from, pointer: root + fragment } : { uri: target.path, pointer: fragment };
}

/** Returns the spec's schema around a path: `/input`, `/tools/3/output`; `""` in a file of definitions. */
export function findSchemaRoot(path: readonly string[]): string {
  const depth = path[0] === "tools" ? 3 : 1;
  return ["input", "output"].includes(path[depth - 1] ?? "") ? `/${path.slice(0, depth).join("/")}` : "";
}

function definitionAt(
  { document }: FeaturePlace,
  { part, pointer, path, span }: PlaceSyntax,
): ProjectSymbol | undefined {
  const isDefinition = part === "key" && ["$defs", "definitions"].includes(path.at(-2) ?? "");
  return isDefinition
    ? { kind: "definition", uri: document.uri, pointer, span: { uri: document.uri, ...span } }
    : undefined;
}

function toolNameAt(
  { document, project }: FeaturePlace,
  { part, path, node, span }: PlaceSyntax,
): ProjectSymbol | undefined {
  const name = readString(node);
  if (part !== "value" || name === undefined || !namesTool(findRole(document.uri, project), path)) return undefined;
  return isTool(name, project) ? { kind: "tool", name, span: { uri: document.uri, ...span } } : undefined;
}

/** Finds a tool's name in backticks inside a text. */
function mentionAt(
  { document, project, offset }: FeaturePlace,
  { node, part }: PlaceSyntax,
): ProjectSymbol | undefined {
  if (part !== "value" || readString(node) === undefined) return undefined;
  const before = /`([A-Za-z0-9_-]*)$/u.exec(document.text.slice(node.start, offset))?.[1];
  const after = /^([A-Za-z0-9_-]*)`/u.exec(document.text.slice(offset, node.end))?.[1];
  if (before === undefined || after === undefined) return undefined;
  const name = before + after;
  const start = offset - before.length;
  return isTool(name, project)
    ? { kind: "tool", name, span: { uri: document.uri, start, end: start + name.length } }
    : undefined;
}

export function isTool(name: string, project: LanguageProject): boolean {
  return listToolNames(project).includes(name);
}

/** Lists the declared tools, including those with errors. */
export function listToolNames({ sources, cache }: LanguageProject): readonly string[] {
  const documents = sources.flatMap((source) => loadSource(source, cache).value ?? []);
  return listDeclaredTools(documents).map(({ name }) => name);
}

export function findValue(uri: string, pointer: string, { sources, cache }: LanguageProject): JsonValue | undefined {
  const source = sources.find((each) => each.uri === uri);
  const document = source && loadSource(source, cache).value;
  return document && findValueAt(document.value, pointer);
}

export function lastToken(pointer: string): string {
  return parsePointer(pointer).at(-1) ?? "";
}

/** Paths that name a tool, by the file's role; `*` stands for any one key. */
const TOOL_NAMES: { readonly [role in SourceRole]: readonly string[] } = {
  spec: ["name", "tools/*/name"],
  policy: ["deny/*", "rules/*/tool", "tests/*/tool"],
  config: ["toolsets/*/include/*", "toolsets/*/exclude/*", "findings/*/in"],
  ledger: [],
  shared: [],
};

export function namesTool(role: SourceRole, path: readonly string[]): boolean {
  return TOOL_NAMES[role].some((pattern) => {
    const tokens = pattern.split("/");
    return tokens.length === path.length && tokens.every((token, index) => token === "*" || token === path[index]);
  });
}
