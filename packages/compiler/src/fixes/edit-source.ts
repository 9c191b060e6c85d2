import { isScalar, parseDocument } from "yaml";
import { findNodeAtLocation, type Node as JsonNode, parseTree } from "jsonc-parser";
import type { JsonValue } from "@hasp/schema";
import { isList, readOwnMember, isObject, parsePointer } from "@hasp/base/json";
import { nodeAt, type ValuePath } from "../text/edit-text.js";

export function stripInYaml(text: string, path: ValuePath, characters: readonly string[]): string | undefined {
  const node = nodeAt(parseDocument(text).contents, path);
  if (!isScalar(node) || typeof node.value !== "string" || node.range == null) return undefined;
  const [start, end] = node.range;
  const written = withoutCharacters(
    text.slice(start, end),
    characters,
    node.type === "QUOTE_DOUBLE" ? "yaml" : "plain",
  );
  return text.slice(0, start) + written + text.slice(end);
}

export function removeFromJson(text: string, path: ValuePath): string | undefined {
  const found = jsonNodeAt(text, path);
  const entry = found?.parent?.type === "property" ? found.parent : found;
  const entries = entry?.parent?.children ?? [];
  if (entry?.parent === undefined) return undefined;
  const index = entries.indexOf(entry);
  const [previous, next] = [entries[index - 1], entries[index + 1]];
  if (next !== undefined) return text.slice(0, entry.offset) + text.slice(next.offset);
  if (previous !== undefined) return text.slice(0, jsonEnd(previous)) + text.slice(jsonEnd(entry));
  return text.slice(0, entry.parent.offset + 1) + text.slice(jsonEnd(entry.parent) - 1);
}

export function stripInJson(text: string, path: ValuePath, characters: readonly string[]): string | undefined {
  const node = jsonNodeAt(text, path);
  if (node?.type !== "string") return undefined;
  return (
    text.slice(0, node.offset) +
    withoutCharacters(text.slice(node.offset, jsonEnd(node)), characters, "json") +
    text.slice(jsonEnd(node))
  );
}

function jsonNodeAt(text: string, path: ValuePath): JsonNode | undefined {
  const root = parseTree(text);
  return root && findNodeAtLocation(root, [...path]);
}

function jsonEnd({ offset, length }: JsonNode): number {
  return offset + length;
}

/** A way to write text. Escapes such as `\u200b` have a meaning only in JSON and in YAML's double quotes (`yaml`). */
type Writing = "json" | "yaml" | "plain";

function withoutCharacters(written: string, characters: readonly string[], writing: Writing): string {
  const stripped = characters.reduce((text, character) => text.replaceAll(character, ""), written);
  if (writing === "plain") return stripped;
  const codePoints = new Set(characters.map((character) => character.codePointAt(0)));
  // Read from the left, so that the second half of `\\` starts no escape.
  return stripped.replaceAll(ESCAPES[writing], (escape: string) => (codePoints.has(codePointOf(escape)) ? "" : escape));
}

const ESCAPES: Readonly<Record<"json" | "yaml", RegExp>> = {
  json: /\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\[^u]/gu,
  yaml: /\\x[0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\U[0-9a-fA-F]{8}|\\[^]/gu,
};

/** Returns the code point of an escape; a JSON surrogate pair is one character. */
function codePointOf(escape: string): number | undefined {
  const units = [...escape.matchAll(/\\[xuU]([0-9a-fA-F]+)/gu)].map(([, digits = ""]) => Number.parseInt(digits, 16));
  const [first, second] = units;
  return first === undefined || second === undefined ? first : String.fromCharCode(first, second).codePointAt(0);
}

export function findValue(
  root: JsonValue,
  pointer: string,
): { readonly path: ValuePath; readonly value: JsonValue } | undefined {
  const path: (string | number)[] = [];
  let value: JsonValue | undefined = root;
  for (const key of parsePointer(pointer)) {
    if (isList(value) && /^(?:0|[1-9]\d*)$/u.test(key)) {
      path.push(Number(key));
      value = value[Number(key)];
    } else {
      path.push(key);
      value = readOwnMember(value, key);
    }
    if (value === undefined) return undefined;
  }
  return { path, value };
}

export function replaceValue(root: JsonValue, path: ValuePath, replacement: JsonValue | undefined): JsonValue {
  const [step, ...rest] = path;
  if (step === undefined) return replacement ?? null;
  const isLast = rest.length === 0;
  if (Array.isArray(root)) {
    const items = root as readonly JsonValue[];
    return items.flatMap((item, index) => {
      if (index !== step) return [item];
      return isLast ? (replacement === undefined ? [] : [replacement]) : [replaceValue(item, rest, replacement)];
    });
  }
  if (!isObject(root)) return root;
  return Object.fromEntries(
    Object.entries(root).flatMap(([key, item]): readonly (readonly [string, JsonValue])[] => {
      if (key !== step) return [[key, item]];
      if (!isLast) return [[key, replaceValue(item, rest, replacement)]];
      return replacement === undefined ? [] : [[key, replacement]];
    }),
  );
}
