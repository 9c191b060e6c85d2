import { isMap, isNode, Pair, parseDocument } from "yaml";
import { attempt, findLineStart, readLineBreak } from "@hasp/base/diagnostics";
import { canonicalText, findValueAt, readStep, toList, toObject } from "@hasp/base/json";
import type { JsonValue } from "@hasp/schema";
import type { Fix } from "@hasp/base/diagnostics";
import type { SourceText } from "../model/document.js";
import { editSpecText } from "../ledger/edit-spec-text.js";
import { nodeAt, removeFromYaml, type ValuePath } from "../text/edit-text.js";
import { parseSource } from "../phases/1-load/index.js";
import { MOVED_KEYS } from "../model/spec-keys.js";
import { commentsIn, readName } from "./modernize-config.js";
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
  if (fix.kind === "move") return moveUnder(fix.to, source, root, found);
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

function moveUnder(
  to: string,
  { uri, text }: SourceText,
  root: JsonValue,
  { path, value }: { readonly path: ValuePath; readonly value: JsonValue },
): FixedSource {
  const [around, name] = [path.slice(0, -1), String(path.at(-1))];
  const rest = replaceValue(root, path, undefined);
  const { [to]: group, ...others } = toObject(
    around.reduce<unknown>((each, step) => readStep(each, String(step)), rest),
  );
  const members = { [name]: value, ...toObject(group) };
  const added = group === undefined ? { path: [to], value: members } : { path: [to, name], value };
  const commented = uri.endsWith(".json") ? text : raiseComments(text, path);
  const edits = [
    { path, value: undefined },
    { path: [...around, ...added.path], value: added.value },
  ];
  return {
    // An alias may need what goes.
    text: attempt(() => editSpecText(uri, commented, edits)),
    value: replaceValue(rest, around, { ...others, [to]: members }),
  };
}

/** Repeats the comments in a value above its key: they stay when it goes. */
function raiseComments(text: string, path: ValuePath): string {
  const holder = nodeAt(parseDocument(text).contents, path.slice(0, -1));
  const pair = isMap(holder) ? holder.items.find((each) => readName(each) === path.at(-1)) : undefined;
  const comments = pair === undefined ? "" : commentsIn(new Pair("", pair.value));
  if (comments === "" || !isNode(pair?.key)) return text;
  const at = findLineStart(text, pair.key.range?.[0] ?? 0);
  const indent = /^[ \t]*/u.exec(text.slice(at))?.[0] ?? "";
  return `${text.slice(0, at)}${comments.replaceAll(/^/gmu, `${indent}#`)}${readLineBreak(text)}${text.slice(at)}`;
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
  const { uri } = source;
  const root = parseSource(source).value?.value;
  const specs = ["", ...toList(toObject(root)["tools"]).map((_tool, index) => `/tools/${index}`)];
  return specs
    .flatMap((spec) => Object.entries(MOVED_KEYS).map(([key, to]) => ({ pointer: `${spec}/${key}`, to })))
    .filter(({ pointer }) => findValueAt(root, pointer) !== undefined)
    .reduce((current, place) => applyFix(current, { kind: "move", uri, ...place }) ?? current, source);
}
