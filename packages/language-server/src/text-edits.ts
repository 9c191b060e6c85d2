import { readLineBreak, findLineStart } from "@hasp/base/diagnostics";
import { toList, canonicalText, escapeToken } from "@hasp/base/json";
import type { JsonObject, JsonValue } from "@hasp/schema";
import { Document } from "yaml";
import { findReplacement, findValue, replaceValue } from "@hasp/compiler/edit";
import { parseSource } from "@hasp/compiler/source";
import type { SourceText } from "@hasp/compiler";
import { findNode, parseSyntax, type SyntaxNode } from "./syntax.js";
import type { FileChange } from "./language-project.js";

/** Appends to a list of a map, or creates it. `undefined` if the result does not read back as expected. */
export function insertItem(
  source: SourceText,
  holder: readonly string[],
  key: string,
  item: JsonObject,
): string | undefined {
  const pointer = holder.map((token) => `/${escapeToken(token)}`).join("");
  const root = parseSyntax(source.text);
  const map = findNode(root, holder);
  const text = map && inserted(source, map, findNode(map, [key]), key, item);
  const before = parseSource(source).value?.value;
  const after = text === undefined ? undefined : parseSource({ ...source, text }).value?.value;
  if (before === undefined || after === undefined) return undefined;
  const found = findValue(before, pointer);
  const list = found && (found.value as JsonObject)[key];
  const wanted: JsonValue = [...toList(list), item];
  const expected = replaceValue(before, found?.path ?? [], { ...(found?.value as JsonObject), [key]: wanted });
  return canonicalText(expected) === canonicalText(after) ? text : undefined;
}

function inserted(
  { text, uri }: SourceText,
  map: SyntaxNode,
  list: SyntaxNode | undefined,
  key: string,
  item: JsonObject,
): string {
  const isJson = uri.toLowerCase().endsWith(".json");
  const written = isJson ? JSON.stringify(item) : flowText(item);
  const lineBreak = readLineBreak(text);
  const at = (offset: number, insertion: string): string => text.slice(0, offset) + insertion + text.slice(offset);
  const isFlow = (node: SyntaxNode): boolean => /[[{]/u.test(text.charAt(node.start));
  if (list?.kind === "list" && isFlow(list)) {
    const last = list.items.at(-1);
    return last === undefined ? at(list.start + 1, written) : at(last.end, `, ${written}`);
  }
  if (list?.kind === "list") {
    return at(endOfLine(text, list.end), `${lineBreak}${indentationAt(text, list.start)}- ${written}`);
  }
  const name = isJson ? JSON.stringify(key) : key;
  if (isFlow(map)) {
    const last = map.kind === "map" ? map.entries.at(-1) : undefined;
    return last === undefined
      ? at(map.start + 1, `${name}: [${written}]`)
      : at(last.value.end, `, ${name}: [${written}]`);
  }
  const indentation = indentationAt(text, map.start);
  return at(endOfLine(text, map.end), `${lineBreak}${indentation}${name}:${lineBreak}${indentation}  - ${written}`);
}

function flowText(item: JsonObject): string {
  const document = new Document(item);
  document.contents = document.createNode(item, { flow: true });
  return document
    .toString({ lineWidth: 0, flowCollectionPadding: true, collectionStyle: "flow" })
    .replace(/(?<!\s)\s*\n\s*/gu, " ")
    .trim();
}

function indentationAt(text: string, offset: number): string {
  const start = findLineStart(text, offset);
  return " ".repeat(offset - start);
}

/** Finds the end of the last line with content before an offset. */
function endOfLine(text: string, offset: number): number {
  const end = text.slice(0, offset).trimEnd().length;
  const lineEnd = /\r?\n|$/u.exec(text.slice(end))?.index ?? 0;
  return end + lineEnd;
}

/** Finds the smallest change that turns one text into another. */
export function findTextChange({ uri, text }: SourceText, after: string): FileChange {
  const { start, end, text: replacement } = findReplacement(text, after);
  return { kind: "replace", span: { uri, start, end }, text: replacement };
}
