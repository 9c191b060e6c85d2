import type { TextSpan } from "../../../compiler/src/diagnostics/place-in-text.js";
import { escapeToken } from "../../../compiler/src/model/json-pointer.js";
import type { SyntaxEntry, SyntaxNode } from "./syntax-tree.js";

/** The key or the value at an offset. */
export interface Cursor {
  readonly part: "key" | "value";
  /** JSON Pointer of the value, or of the value that the key belongs to. */
  readonly pointer: string;
  readonly span: TextSpan;
  readonly node: SyntaxNode;
  readonly around: readonly SyntaxNode[];
}

/** Finds the node at an offset; a map or list is found between its members. */
export function cursorAt(root: SyntaxNode, offset: number): Cursor {
  let node = root;
  let pointer = "";
  const around: SyntaxNode[] = [];
  for (;;) {
    const step = stepInto(node, offset);
    if (step === undefined) return { part: "value", pointer, span: node, node, around };
    around.push(node);
    pointer += `/${escapeToken(step.token)}`;
    node = step.node;
    if (step.key !== undefined) return { part: "key", pointer, span: step.key, node, around };
  }
}

interface Step {
  readonly token: string;
  readonly node: SyntaxNode;
  /** Set if the offset is in the key. */
  readonly key?: TextSpan;
}

function stepInto(node: SyntaxNode, offset: number): Step | undefined {
  if (node.kind === "list") {
    const index = node.items.findLastIndex((item) => holds(item, offset));
    const item = node.items[index];
    return item === undefined ? undefined : { token: String(index), node: item };
  }
  if (node.kind === "scalar") return undefined;
  for (const { key, value } of node.entries) {
    if (holds(key, offset)) return { token: key.name, node: value, key };
    if (holds(value, offset)) return { token: key.name, node: value };
  }
  return undefined;
}

function holds({ start, end }: TextSpan, offset: number): boolean {
  return start <= offset && offset <= end && start < end;
}

export function nodeAt(root: SyntaxNode, tokens: readonly string[]): SyntaxNode | undefined {
  let node: SyntaxNode | undefined = root;
  for (const token of tokens) {
    if (node?.kind === "map") node = entryOf(node, token)?.value;
    else node = node?.kind === "list" ? node.items[Number(token)] : undefined;
  }
  return node;
}

export function entryOf(node: SyntaxNode | undefined, name: string): SyntaxEntry | undefined {
  return node?.kind === "map" ? node.entries.find(({ key }) => key.name === name) : undefined;
}

export function stringOf(node: SyntaxNode | undefined): string | undefined {
  return node?.kind === "scalar" && typeof node.value === "string" ? node.value : undefined;
}

export function* stringsIn(
  node: SyntaxNode,
  pointer = "",
): Generator<{ readonly pointer: string; readonly node: SyntaxNode; readonly value: string }> {
  if (node.kind === "map") {
    for (const { key, value } of node.entries) yield* stringsIn(value, `${pointer}/${escapeToken(key.name)}`);
  } else if (node.kind === "list") {
    for (const [index, item] of node.items.entries()) yield* stringsIn(item, `${pointer}/${index}`);
  } else if (typeof node.value === "string") yield { pointer, node, value: node.value };
}
