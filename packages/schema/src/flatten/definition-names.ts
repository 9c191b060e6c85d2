import { pointerKeys } from "../json/pointer.js";
import type { SchemaNode } from "../resolve/types.js";

const CONTAINERS = new Set(["$defs", "definitions", "schemas"]);

/** Names what stays in `$defs` as its author did; a number is added only if two names are the same. */
export function definitionNames(): (node: SchemaNode) => string {
  const taken = new Set<string>();
  return (node) => {
    const base = (definitionName(node) ?? nodeName(node)).replaceAll(/[^A-Za-z0-9_.-]+/g, "_");
    let name = base;
    for (let count = 2; taken.has(name); count++) name = `${base}${count}`;
    taken.add(name);
    return name;
  };
}

function definitionName(node: SchemaNode): string | undefined {
  const keys = pointerKeys(node.pointer);
  const container = keys.at(-2);
  if (container !== undefined && CONTAINERS.has(container)) return keys.at(-1);
  const { value } = node;
  if (typeof value !== "object" || value === null) return undefined;
  for (const keyword of ["$anchor", "$dynamicAnchor"]) {
    const name: unknown = Object.hasOwn(value, keyword) ? (value as Record<string, unknown>)[keyword] : undefined;
    if (typeof name === "string" && name !== "") return name;
  }
  return undefined;
}

/** Names a schema by its place: the nearest word of its author's in the pointer, its title, or its file. */
function nodeName(node: SchemaNode): string {
  const word = pointerKeys(node.pointer).findLast(
    (key) => !/^(\d+|properties|items|prefixItems|allOf|anyOf|oneOf|additionalProperties|if|then|else)$/.test(key),
  );
  if (word !== undefined) return word;
  const { value } = node;
  const title: unknown = typeof value === "object" && value !== null && "title" in value ? value.title : undefined;
  if (typeof title === "string" && /^[A-Za-z][\w -]{0,40}$/.test(title)) return title;
  const file = node.document.uri.split("/").at(-1)?.replace(/\..*$/, "") ?? "";
  return node.document.prefix === "" && file !== "" ? file : "Root";
}
