import { findLineStart } from "@hasp/base/diagnostics";
import { canonicalText } from "@hasp/base/json";
import type { JsonValue } from "@hasp/schema";
import type { Fix } from "@hasp/base/diagnostics";
import type { SourceText } from "../model/document.js";
import { removeFromYaml } from "../text/edit-text.js";
import { parseSource } from "../phases/1-load/index.js";
import { findValue, removeFromJson, replaceValue, stripInJson, stripInYaml } from "./edit-source.js";

/** Applies a fix, keeping comments and layout. Returns `undefined` unless the result has exactly the expected value. */
export function applyFix(source: SourceText, fix: Fix): SourceText | undefined {
  const before = parseSource(source).value;
  // A byte order mark shifts the offsets that the parser sees.
  if (before === undefined || source.text.startsWith("\uFEFF")) return undefined;
  const change = changeOf(source, before.value, fix);
  if (change?.text === undefined) return undefined;
  const after: SourceText = { uri: source.uri, role: source.role, text: change.text };
  const read = parseSource(after).value;
  return read !== undefined && canonicalText(read.value) === canonicalText(change.value) ? after : undefined;
}

interface FixedSource {
  readonly text: string | undefined;
  readonly value: JsonValue;
}

function changeOf({ uri, text }: SourceText, root: JsonValue, fix: Fix): FixedSource | undefined {
  if (fix.kind === "comment") return { text: withoutComment(text, fix.start, fix.end), value: root };
  const isJson = uri.toLowerCase().endsWith(".json");
  const found = findValue(root, fix.pointer);
  if (found === undefined || fix.pointer === "") return undefined;
  const { path, value } = found;
  if (fix.kind === "remove") {
    return { text: (isJson ? removeFromJson : removeFromYaml)(text, path), value: replaceValue(root, path, undefined) };
  }
  if (typeof value !== "string") return undefined;
  const stripped = fix.characters.reduce((rest, character) => rest.replaceAll(character, ""), value);
  return {
    text: (isJson ? stripInJson : stripInYaml)(text, path, fix.characters),
    value: replaceValue(root, path, stripped),
  };
}

/** Removes a comment with its line, or with the white space before it. */
function withoutComment(text: string, start: number, end: number): string {
  const lineStart = findLineStart(text, start);
  const lineEnd = text.indexOf("\n", end);
  if (text.slice(lineStart, start).trim() === "") {
    return text.slice(0, lineStart) + (lineEnd === -1 ? "" : text.slice(lineEnd + 1));
  }
  return text.slice(0, start).trimEnd() + text.slice(end);
}
