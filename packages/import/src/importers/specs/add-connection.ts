import { readLineBreak, findLineStart } from "@hasp/base/diagnostics";
import { isMap, isNode, isScalar, parseDocument, type YAMLMap } from "yaml";
import { canonicalText, isObject, readOwnMember } from "@hasp/base/json";
import type { JsonObject, JsonValue } from "@hasp/schema";
import { printUnchecked } from "./print-spec.js";
import { listAddresses } from "@hasp/compiler/handlers";
import type { Connections } from "@hasp/compiler/model";
import { editSpecText } from "@hasp/compiler/claims";
import { parseSource } from "@hasp/compiler/source";

export interface NewConnection {
  readonly name: string;
  readonly settings: Connections[string];
  /** Lines of comments above it, in YAML. */
  readonly comments?: readonly string[];
}

export type AddedConnection =
  | { readonly kind: "added"; readonly text: string }
  | { readonly kind: "present"; readonly isSame: boolean; readonly isSameKind: boolean }
  | { readonly kind: "refused" };

/** A host that never exists (RFC 2606), where a source states no address, or none that a build accepts. */
export const UNKNOWN_BASE_URL = "https://service.invalid";

/** Adds a connection to a YAML or JSON configuration. Keeps comments and layout. A new file has no `text`. */
export function addConnection(uri: string, text: string | undefined, connection: NewConnection): AddedConnection {
  const before = readConfig(uri, text ?? (uri.endsWith(".json") ? "{}\n" : ""));
  if (before === undefined) return { kind: "refused" };
  const { name, settings } = connection;
  const connections = before["connections"];
  const present = isObject(connections) ? readOwnMember(connections, name) : undefined;
  if (present !== undefined) {
    const isSameKind = Object.keys(settings).every((kind) => readOwnMember(present, kind) !== undefined);
    return { kind: "present", isSame: includes(present, settings), isSameKind };
  }
  if (connections !== undefined && connections !== null && !isObject(connections)) return { kind: "refused" };
  const wanted = canonicalText({ ...before, connections: { ...connections, [name]: settings } });
  for (const added of candidates(uri, text ?? "", connection, connections ?? undefined)) {
    const after = readConfig(uri, added);
    if (after !== undefined && canonicalText(after) === wanted) return { kind: "added", text: added };
  }
  return { kind: "refused" };
}

function readConfig(uri: string, text: string): JsonObject | undefined {
  const { value, diagnostics } = parseSource({ uri, role: "config", text });
  if (value === undefined || diagnostics.length > 0) return undefined;
  if (value.value === null) return {};
  return isObject(value.value) ? value.value : undefined;
}

/** Edits to try, the smallest first. */
function* candidates(
  uri: string,
  text: string,
  connection: NewConnection,
  connections: JsonObject | undefined,
): Generator<string> {
  const { name, settings } = connection;
  if (!uri.endsWith(".json")) {
    const block = connections === undefined ? appended(text, connection) : inserted(text, connection);
    if (block !== undefined) yield block;
  }
  const edit: { readonly path: readonly string[]; readonly value: JsonValue } =
    connections === undefined
      ? { path: ["connections"], value: { [name]: settings } }
      : { path: ["connections", name], value: settings };
  yield editSpecText(uri, text === "" ? "{}\n" : text, [edit]);
}

function appended(text: string, connection: NewConnection): string {
  const lineBreak = readLineBreak(text);
  const gap = text === "" || text.endsWith("\n") ? "" : lineBreak;
  return [text, gap, `connections:${lineBreak}`, blockOf(connection, 2, lineBreak)].join("");
}

/** Inserts the connection first in a section in block style. */
function inserted(text: string, connection: NewConnection): string | undefined {
  const root = parseDocument(text).contents;
  const section = isMap(root) ? root.items.find(({ key }) => isScalar(key) && key.value === "connections") : undefined;
  const column = isMap(section?.value) ? columnOfItems(text, section.value) : undefined;
  if (section === undefined || column === undefined || !isNode(section.key)) return undefined;
  const lineEnd = text.indexOf("\n", section.key.range?.[1] ?? 0) + 1;
  if (lineEnd === 0) return undefined;
  return text.slice(0, lineEnd) + blockOf(connection, column, readLineBreak(text)) + text.slice(lineEnd);
}

function columnOfItems(text: string, map: YAMLMap): number | undefined {
  const [first] = map.items;
  const start = isNode(first?.key) ? first.key.range?.[0] : undefined;
  if (map.flow === true || start === undefined) return undefined;
  return start - findLineStart(text, start);
}

function blockOf({ name, settings, comments = [] }: NewConnection, column: number, lineBreak: string): string {
  const lines = printUnchecked({ [name]: settings }, comments)
    .trimEnd()
    .split("\n");
  return lines.map((line) => `${" ".repeat(line === "" ? 0 : column)}${line}${lineBreak}`).join("");
}

/** True if a connection has the imported settings; the author may have added others, and an address that was unknown. */
function includes(present: JsonValue, settings: JsonObject): boolean {
  return Object.entries(settings).every(([kind, wanted]) => {
    const own = readOwnMember(present, kind);
    if (!isObject(own) || !isObject(wanted)) return canonicalText(own ?? null) === canonicalText(wanted);
    return Object.entries(wanted).every(
      ([name, value]) =>
        canonicalText(own[name] ?? null) === canonicalText(value) ||
        (name === "baseUrl" && (value === UNKNOWN_BASE_URL || listAddresses(own[name]).includes(String(value)))),
    );
  });
}
