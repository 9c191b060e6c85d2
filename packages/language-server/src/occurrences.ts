import { type FeaturePlace, listFiles } from "./place.js";
import type { FileSpan, LanguageProject } from "./language-project.js";
import { lastToken, namesTool, type ProjectSymbol, findSchemaRoot, findSymbol, resolveTarget } from "./symbols.js";
import { findEntry, escapeRegExp, findNode, stringsIn, readSyntax } from "./syntax.js";
import { escapeToken, parsePointer } from "@hasp/base/json";
import type { SourceText } from "@hasp/compiler";
import { PROMPT_TEXTS } from "@hasp/compiler/model";
import { findRole } from "./document-format.js";

export function findDefinition(place: FeaturePlace): readonly FileSpan[] {
  const { project } = place;
  const symbol = findSymbol(place);
  if (symbol === undefined) return [];
  const declared = findOccurrences(symbol, project).filter(({ isDeclaration }) => isDeclaration);
  if (declared.length > 0 || symbol.kind === "tool") return declared.map(({ span }) => span);
  // A reference to a whole file, or to something without a name.
  const source = project.sources.find(({ uri }) => uri === symbol.uri);
  const node = source && findNode(readSyntax(source, project.cache), parsePointer(symbol.pointer));
  return node === undefined ? [] : [{ uri: symbol.uri, start: node.start, end: node.start }];
}

export function findReferences(
  place: FeaturePlace,
  { includeDeclaration }: { readonly includeDeclaration: boolean },
): readonly FileSpan[] {
  const symbol = findSymbol(place);
  if (symbol === undefined) return [];
  return findOccurrences(symbol, place.project, listFiles(place))
    .filter(({ isDeclaration }) => includeDeclaration || !isDeclaration)
    .map(({ span }) => span);
}

interface Occurrence {
  /** Exactly the characters of the name, as written. */
  readonly span: FileSpan;
  readonly isDeclaration: boolean;
}

/** Finds every place that names a symbol, file by file. `files` may include uncompiled ones. */
export function findOccurrences(
  symbol: ProjectSymbol,
  project: LanguageProject,
  files: readonly SourceText[] = project.sources,
): readonly Occurrence[] {
  return files.flatMap((source) =>
    symbol.kind === "tool"
      ? findTool(source, symbol.name, project)
      : findDefinitionIn(source, symbol.uri, symbol.pointer, project),
  );
}

function findTool(source: SourceText, name: string, project: LanguageProject): readonly Occurrence[] {
  const { uri, text } = source;
  const role = findRole(uri, project);
  // A name is written in one way only, quotes aside; an escape may hide any letter of it.
  if (!text.includes(name)) return [];
  const found: Occurrence[] = [];
  for (const { node, value, pointer } of stringsIn(readSyntax(source, project.cache))) {
    const path = parsePointer(pointer);
    if (value === name && namesTool(role, path)) {
      const span = within(source, node, name);
      if (span !== undefined) found.push({ span, isDeclaration: role === "spec" });
    } else if (PROSE.has(path.at(-1) ?? "")) {
      const mention = new RegExp(`(?<=\`)${escapeRegExp(name)}(?=\`)`, "gu");
      for (const { index } of text.slice(node.start, node.end).matchAll(mention)) {
        const start = node.start + index;
        found.push({ span: { uri, start, end: start + name.length }, isDeclaration: false });
      }
    }
  }
  return found;
}

/** Keys whose texts people or models read, in specs and in other files. */
const PROSE: ReadonlySet<string> = new Set([...PROMPT_TEXTS, "reason", "message"]);

function findDefinitionIn(
  source: SourceText,
  uri: string,
  pointer: string,
  project: LanguageProject,
): readonly Occurrence[] {
  const root = readSyntax(source, project.cache);
  const tokens = parsePointer(pointer);
  const name = lastToken(pointer);
  const found: Occurrence[] = [];
  if (source.uri === uri) {
    const key = findEntry(findNode(root, tokens.slice(0, -1)), name)?.key;
    const span = key && within(source, key, name);
    if (span !== undefined) found.push({ span, isDeclaration: true });
  }
  for (const { node, value, pointer: at } of stringsIn(root)) {
    const path = parsePointer(at);
    if (path.at(-1) !== "$ref") continue;
    const target = resolveTarget(value, source.uri, findSchemaRoot(path));
    if (target?.uri !== uri || !(target.pointer === pointer || target.pointer.startsWith(`${pointer}/`))) continue;
    const span = tokenIn(source, node, pointer, findSchemaRoot(path), source.uri === uri);
    if (span !== undefined) found.push({ span, isDeclaration: false });
  }
  return found;
}

/** Finds the last token of a pointer inside a reference to it, or to something below it. */
function tokenIn(
  source: SourceText,
  { start, end }: { readonly start: number; readonly end: number },
  pointer: string,
  root: string,
  mayBeLocal: boolean,
): FileSpan | undefined {
  const written = source.text.slice(start, end);
  const token = escapeToken(lastToken(pointer));
  const fragments = [pointer, ...(mayBeLocal && pointer.startsWith(`${root}/`) ? [pointer.slice(root.length)] : [])];
  for (const fragment of fragments) {
    const at = written.indexOf(`#${fragment}`);
    if (at === -1) continue;
    const last = start + at + 1 + fragment.length;
    return { uri: source.uri, start: last - token.length, end: last };
  }
  return undefined;
}

/** Finds a name's characters inside a scalar, without its quotes. */
function within(
  { uri, text }: SourceText,
  { start, end }: { readonly start: number; readonly end: number },
  name: string,
): FileSpan | undefined {
  const at = text.slice(start, end).indexOf(name);
  return at === -1 ? undefined : { uri, start: start + at, end: start + at + name.length };
}
