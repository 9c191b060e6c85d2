import type { SourceText } from "../../../compiler/src/model/document.js";
import { escapeToken, pointerTokens } from "../../../compiler/src/model/json-pointer.js";
import { keysIn } from "../../../compiler/src/model/spec/keys.js";
import { escapeRegExp } from "../syntax/escape-reg-exp.js";
import type { FileSpan } from "../model/file-span.js";
import { roleOf } from "../formats/document-format.js";
import type { LanguageProject } from "../model/language-project.js";
import { entryOf, nodeAt, stringsIn } from "../syntax/cursor.js";
import { syntaxOf } from "../syntax/syntax-tree.js";
import { lastToken, type ProjectSymbol, rootOf, targetOf } from "./symbol.js";
import { namesTool } from "./tool-names.js";

interface Occurrence {
  /** Exactly the characters of the name, as written. */
  readonly span: FileSpan;
  readonly isDeclaration: boolean;
}

/** Finds every place that names a symbol, file by file. `files` may include uncompiled ones. */
export function occurrencesOf(
  symbol: ProjectSymbol,
  project: LanguageProject,
  files: readonly SourceText[] = project.sources,
): readonly Occurrence[] {
  return files.flatMap((source) =>
    symbol.kind === "tool"
      ? toolIn(source, symbol.name, project)
      : definitionIn(source, symbol.uri, symbol.pointer, project),
  );
}

function toolIn(source: SourceText, name: string, project: LanguageProject): readonly Occurrence[] {
  const { uri, text } = source;
  const role = roleOf(uri, project);
  // A name is written in one way only, quotes aside; an escape may hide any letter of it.
  if (!text.includes(name)) return [];
  const found: Occurrence[] = [];
  for (const { node, value, pointer } of stringsIn(syntaxOf(source, project.cache))) {
    const path = pointerTokens(pointer);
    if (value === name && namesTool(role, path)) {
      const span = within(source, node, name);
      if (span !== undefined) found.push({ span, isDeclaration: role === "spec" });
    } else if (isProse(path)) {
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
const PROSE: ReadonlySet<string> = new Set([...keysIn("prompt"), "reason", "message"]);

function isProse(path: readonly string[]): boolean {
  return PROSE.has(path.at(-1) ?? "");
}

function definitionIn(
  source: SourceText,
  uri: string,
  pointer: string,
  project: LanguageProject,
): readonly Occurrence[] {
  const root = syntaxOf(source, project.cache);
  const tokens = pointerTokens(pointer);
  const name = lastToken(pointer);
  const found: Occurrence[] = [];
  if (source.uri === uri) {
    const key = entryOf(nodeAt(root, tokens.slice(0, -1)), name)?.key;
    const span = key === undefined ? undefined : within(source, key, name);
    if (span !== undefined) found.push({ span, isDeclaration: true });
  }
  for (const { node, value, pointer: at } of stringsIn(root)) {
    const path = pointerTokens(at);
    if (path.at(-1) !== "$ref") continue;
    const target = targetOf(value, source.uri, rootOf(path));
    if (target?.uri !== uri || !(target.pointer === pointer || target.pointer.startsWith(`${pointer}/`))) continue;
    const span = tokenIn(source, node, pointer, rootOf(path), source.uri === uri);
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
