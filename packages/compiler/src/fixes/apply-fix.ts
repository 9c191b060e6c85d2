import { Pair, parseDocument } from "yaml";
import { attempt, findLineStart, readLineBreak } from "@hasp/base/diagnostics";
import { canonicalText, findValueAt, parsePointer, readOwnMember } from "@hasp/base/json";
import type { JsonValue } from "@hasp/schema";
import type { Fix, MoveFix } from "@hasp/base/diagnostics";
import type { LoadedDocument, SourceText } from "../model/document.js";
import { editSpecText } from "../ledger/edit-spec-text.js";
import { nodeAt, removeFromYaml } from "../text/edit-text.js";
import { parseSource } from "../phases/1-load/parse-source.js";
import { commentsIn } from "./modernize-config.js";
import { findValue, removeFromJson, replaceValue, stripInJson, stripInYaml } from "./edit-source.js";

/** Applies a fix, keeping comments and layout. Returns `undefined` unless the result has exactly the expected value. */
export function applyFix(source: SourceText, fix: Fix): SourceText | undefined {
  const before = parseSource(source).value;
  // A byte order mark shifts the offsets that the parser sees.
  if (before === undefined || source.text.startsWith("\uFEFF")) return undefined;
  const change = fix.kind === "move" ? { text: move(fix, source, before) } : changeOf(source, before.value, fix);
  if (change?.text === undefined) return undefined;
  const after: SourceText = { uri: source.uri, role: source.role, text: change.text };
  const read = parseSource(after).value;
  const { value = read?.value } = change;
  return read !== undefined && canonicalText(read.value) === canonicalText(value) ? after : undefined;
}

interface FixedSource {
  readonly text: string | undefined;
  /** The expected value; absent for an edit that proves itself. */
  readonly value?: JsonValue;
}

function changeOf({ uri, text }: SourceText, root: JsonValue, fix: Exclude<Fix, MoveFix>): FixedSource | undefined {
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

/** Moves a value to another key; `undefined` if an alias needs it where it is. Its comments stay there. */
function move(
  { pointer, from, to = "", word }: MoveFix,
  { uri, text }: SourceText,
  { value: root, locate }: LoadedDocument,
): string | undefined {
  const { path: holder = [], value: spec = null } = findValue(root, pointer) ?? {};
  const path = [...holder, ...parsePointer(from)];
  const [group, name = ""] = parsePointer(to);
  const value = word ?? findValueAt(spec, from) ?? null;
  const added =
    group !== undefined && readOwnMember(spec, group) === undefined
      ? { path: [...holder, group], value: { [name]: value } }
      : { path: [...holder, ...parsePointer(to)], value };
  const comments = uri.endsWith(".json") ? "" : commentsIn(new Pair("", nodeAt(parseDocument(text).contents, path)));
  const at = findLineStart(text, locate(pointer + from, "key").range.start.offset);
  const [indent = ""] = /^[ \t]*/u.exec(text.slice(at)) ?? [];
  const raised = comments === "" ? "" : comments.replaceAll(/^/gmu, `${indent}#`) + readLineBreak(text);
  return attempt(() =>
    editSpecText(uri, text.slice(0, at) + raised + text.slice(at), [
      // First, lest its holder be empty in between.
      ...(group === undefined ? [] : [added]),
      { path, value: undefined },
    ]),
  );
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
