import { findNodeAtLocation, parseTree, type Node } from "jsonc-parser";
import { withoutCharacters } from "./strip-text.js";
import type { ValuePath } from "./value-path.js";

export function removeFromJson(text: string, path: ValuePath): string | undefined {
  const found = nodeAt(text, path);
  const entry = found?.parent?.type === "property" ? found.parent : found;
  const entries = entry?.parent?.children ?? [];
  if (entry?.parent === undefined) return undefined;
  const index = entries.indexOf(entry);
  const [previous, next] = [entries[index - 1], entries[index + 1]];
  if (next !== undefined) return text.slice(0, entry.offset) + text.slice(next.offset);
  if (previous !== undefined) return text.slice(0, endOf(previous)) + text.slice(endOf(entry));
  return text.slice(0, entry.parent.offset + 1) + text.slice(endOf(entry.parent) - 1);
}

export function stripInJson(text: string, path: ValuePath, characters: readonly string[]): string | undefined {
  const node = nodeAt(text, path);
  if (node?.type !== "string") return undefined;
  return (
    text.slice(0, node.offset) +
    withoutCharacters(text.slice(node.offset, endOf(node)), characters, "json") +
    text.slice(endOf(node))
  );
}

function nodeAt(text: string, path: ValuePath): Node | undefined {
  const root = parseTree(text);
  return root === undefined ? undefined : findNodeAtLocation(root, [...path]);
}

function endOf({ offset, length }: Node): number {
  return offset + length;
}
