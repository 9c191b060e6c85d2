import { findLineStart } from "@hasp/base/diagnostics";
import { canonicalText, findValueAt, toObject } from "@hasp/base/json";
import type { JsonValue } from "@hasp/schema";
import type { Fix, MoveFix } from "@hasp/base/diagnostics";
import type { SourceText } from "../model/document.js";
import { editSpecText } from "../ledger/edit-spec-text.js";
import { raiseComments, removeFromYaml } from "../text/edit-text.js";
import { parseSource } from "../phases/1-load/index.js";
import { findMove, MOVED_KEYS } from "../spec/moved-keys.js";
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

function changeOf(source: SourceText, root: JsonValue, fix: Fix): FixedSource | undefined {
  const { uri, text } = source;
  if (fix.kind === "comment") return { text: withoutComment(text, fix.start, fix.end), value: root };
  const isJson = uri.toLowerCase().endsWith(".json");
  const found = findValue(root, fix.pointer);
  if (found === undefined || fix.pointer === "") return undefined;
  if (fix.kind === "move") return moveIntoGroup(source, root, fix);
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

function moveIntoGroup({ uri, text }: SourceText, root: JsonValue, { pointer, to: [group, name] }: MoveFix): FixedSource {
  const { path = [], value = null } = findValue(root, pointer) ?? {};
  const around = path.slice(0, -1);
  const rest = replaceValue(root, path, undefined);
  const holder = toObject(findValueAt(rest, pointer.slice(0, pointer.lastIndexOf("/"))));
  const members = { ...toObject(holder[group]), [name]: value };
  const added = holder[group] === undefined ? { path: [group], value: members } : { path: [group, name], value };
  return {
    text: editSpecText(uri, uri.endsWith(".json") ? text : raiseComments(text, path), [
      { path, value: undefined },
      { path: [...around, ...added.path], value: added.value },
    ]),
    value: replaceValue(rest, around, { ...holder, [group]: members }),
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

/** Rewrites a file of specs with keys of earlier versions. */
export function modernizeSpecs(source: SourceText): SourceText {
  const root = parseSource(source).value?.value;
  const tools = toObject(root)["tools"];
  const specs = Array.isArray(tools) ? tools.map((_tool, index) => `/tools/${index}`) : [""];
  const keys = specs.flatMap((spec) => Object.keys(MOVED_KEYS).map((key) => [spec, key] as const));
  return keys.reduce((current, [spec, key]) => {
    const to = findMove(findValueAt(root, spec) as JsonValue, key);
    const { uri } = source;
    return (to && applyFix(current, { kind: "move", uri, pointer: `${spec}/${key}`, to })) ?? current;
  }, source);
}
