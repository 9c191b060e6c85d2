import type { JsonObject } from "@hasp/schema";
import type { Diagnostic } from "../../diagnostics/diagnostic.js";
import { isObject } from "../../model/json-kind.js";
import { escapeToken } from "../../model/json-pointer.js";
import { importDiagnostics } from "../source/diagnostics.js";
import type { SourceEntry } from "../entries/source-entry.js";
import type { ImportSource } from "../source/import-source.js";
import { textOf } from "../source/json-values.js";
import { freeName, validToolName } from "../specs/tool-names.js";
import { objectAt, type LocatedObject } from "./openapi-document.js";

/** The methods of OpenAPI, in the order in which it lists them. */
export const METHODS = ["get", "put", "post", "delete", "options", "head", "patch", "trace"] as const;

/** A method on a path. */
export interface Operation {
  readonly method: (typeof METHODS)[number];
  readonly path: string;
  readonly item: LocatedObject;
  readonly entry: SourceEntry;
}

/** Returns every operation of a document with the name for its spec: its `operationId`, or its method and path. */
export function operationsOf(
  { document, documents }: ImportSource,
  report: (diagnostic: Diagnostic) => void,
): readonly Operation[] {
  const root = document.value;
  const paths = isObject(root) && isObject(root["paths"]) ? root["paths"] : {};
  const found: {
    readonly method: Operation["method"];
    readonly path: string;
    readonly item: LocatedObject;
    readonly value: JsonObject[string];
    readonly id: string | undefined;
  }[] = [];
  for (const [path, written] of Object.entries(paths)) {
    if (path.startsWith("x-")) continue;
    const item = !path.startsWith("/")
      ? "a path must start with /"
      : objectAt({ value: written, document, pointer: `/paths/${escapeToken(path)}` }, documents);
    if (typeof item === "string") {
      report(importDiagnostics("broken-path", document.locate(`/paths/${escapeToken(path)}`), { path, problem: item }));
      continue;
    }
    for (const method of METHODS) {
      const value = item.value[method];
      if (value !== undefined) {
        found.push({ method, path, item, value, id: isObject(value) ? textOf(value["operationId"]) : undefined });
      }
    }
  }
  const ids = new Set(found.map(({ id }) => id));
  const taken = new Set<string>();
  return found.map(({ method, path, item, value, id }) => {
    const label = `${method.toUpperCase()} ${path}`;
    const pointer = `${item.pointer}/${method}`;
    const isFree = id !== undefined && !taken.has(id);
    const name = isFree
      ? id
      : freeName(
          validToolName(`${method}${path.replaceAll(/[^A-Za-z0-9]+/gu, "_").replace(/_$/u, "")}`),
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
    return { method, path, item, entry: { name, label, pointer, value, document: item.document } };
  });
}
