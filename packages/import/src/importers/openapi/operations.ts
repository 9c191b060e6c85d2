import type { JsonObject, JsonValue } from "@hasp/schema";
import type { Diagnostic } from "@hasp/base/diagnostics";
import { readOwnMember, toObject, isList, isObject, escapeToken } from "@hasp/base/json";
import { importDiagnostics } from "../source/diagnostics.js";
import type { SourceEntry } from "../entries/source-entry.js";
import type { ImportSource } from "../source/importer.js";
import { readString } from "../source/json-values.js";
import { createToolName, findFreeName } from "../specs/names.js";
import { findObject, type LocatedObject } from "./openapi-document.js";

/** Methods in OpenAPI's order; `query` is new in 3.2. */
const METHODS = ["get", "put", "post", "delete", "options", "head", "patch", "trace", "query"] as const;

export interface OpenapiOperation {
  /** In capitals, except custom methods of OpenAPI 3.2. */
  readonly method: string;
  readonly path: string;
  readonly item: LocatedObject;
  readonly entry: SourceEntry;
}

export function readOperations(
  { document, documents }: ImportSource,
  report: (diagnostic: Diagnostic) => void,
): readonly OpenapiOperation[] {
  const root = document.value;
  const paths = isObject(root) && isObject(root["paths"]) ? root["paths"] : {};
  const found: {
    readonly method: string;
    readonly key: string;
    readonly path: string;
    readonly item: LocatedObject;
    readonly value: JsonObject[string];
    readonly id: string | undefined;
  }[] = [];
  for (const [path, written] of Object.entries(paths)) {
    if (path.startsWith("x-")) continue;
    const item = !path.startsWith("/")
      ? "a path must start with /"
      : findObject({ value: written, document, pointer: `/paths/${escapeToken(path)}` }, documents);
    if (typeof item === "string") {
      report(importDiagnostics("broken-path", document.locate(`/paths/${escapeToken(path)}`), { path, problem: item }));
      continue;
    }
    for (const [method, key, value] of methodsOf(item.value)) {
      const id = isObject(value) ? readString(value["operationId"]) : undefined;
      found.push({ method, key, path, item, value, id });
    }
  }
  const ids = new Set(found.map(({ id }) => id));
  const taken = new Set<string>();
  return found.map(({ method, key, path, item, value, id }) => {
    const label = `${method} ${path}`;
    const pointer = item.pointer + key;
    const isFree = id !== undefined && !taken.has(id);
    const name = isFree
      ? id
      : findFreeName(
          createToolName(`${method.toLowerCase()}${path.replaceAll(/[^A-Za-z0-9]+/gu, "_").replace(/_$/u, "")}`),
          (candidate) => taken.has(candidate) || ids.has(candidate),
        );
    if (id !== undefined && !isFree) {
      report(
        importDiagnostics(
          "operation-id-twice",
          item.document.locate(`${pointer}/operationId`),
          { id, name },
          { tool: name },
        ),
      );
    }
    taken.add(name);
    const words = [`method:${method}`, `method:${method.toLowerCase()}`, ...readTags(value).map((tag) => `tag:${tag}`)];
    return { method, path, item, entry: { name, label, words, pointer, value, document: item.document } };
  });
}

export function readTags(operation: JsonValue): readonly string[] {
  const tags = readOwnMember(operation, "tags");
  return isList(tags) ? [...new Set(tags.flatMap((tag) => readString(tag) ?? []))] : [];
}

function methodsOf(item: JsonObject): readonly (readonly [method: string, key: string, value: JsonValue])[] {
  const fixed = METHODS.flatMap((method): readonly (readonly [string, string, JsonValue])[] => {
    const value = item[method];
    return value === undefined ? [] : [[method.toUpperCase(), `/${method}`, value]];
  });
  const { additionalOperations } = item;
  const additional = Object.entries(toObject(additionalOperations)).map(
    ([method, value]) => [method, `/additionalOperations/${escapeToken(method)}`, value] as const,
  );
  return [...fixed, ...additional];
}
