import type { JsonObject, JsonValue } from "@hasp/schema";
import type { Diagnostic, Found } from "../diagnostics/diagnostic.js";
import { isList, isObject } from "../model/json-kind.js";
import { importDiagnostics } from "./source/diagnostics.js";
import { importEntries } from "./entries/import-entries.js";
import type { Importer } from "./importer.js";
import type { ImportSource } from "./source/import-source.js";
import { textOf } from "./source/json-values.js";
import { hiddenProperties } from "./openapi/hidden-properties.js";
import { dialectOf, hasKnownSchemas } from "./openapi/openapi-document.js";
import { operationsOf, type Operation } from "./openapi/operations.js";
import { requestOf } from "./openapi/request.js";
import { outputOf } from "./openapi/response.js";
import { securitySchemesOf } from "./openapi/security.js";
import type { ImportedSource } from "./specs/imported-source.js";

/**
 * Reads an OpenAPI document, 3.0 or 3.1: each operation becomes a tool, and the properties of its method (RFC 9110,
 * 9.2) become suggestions only.
 */
export const importOpenapi: Importer = { reads: "file", read: readOpenapi };

function readOpenapi(source: ImportSource): Found<ImportedSource> {
  const { document, documents } = source;
  const refused = (diagnostic: Diagnostic): Found<ImportedSource> => ({
    value: { tools: [], refused: [] },
    diagnostics: [diagnostic],
  });
  const dialect = dialectOf(document.value);
  if (dialect === undefined) {
    return refused(importDiagnostics("openapi-version", document.locate(""), versionOf(document.value)));
  }
  if (!hasKnownSchemas(document.value)) {
    return refused(importDiagnostics("openapi-dialect", document.locate("/jsonSchemaDialect"), undefined));
  }
  const found: Diagnostic[] = [];
  const operations = operationsOf(source, (diagnostic) => found.push(diagnostic));
  if (operations.length === 0 && found.length === 0) {
    return refused(importDiagnostics("no-operations", document.locate("/paths"), undefined));
  }
  const schemes = securitySchemesOf(source);
  const byEntry = new Map(operations.map((operation) => [operation.entry, operation]));
  const { value, diagnostics } = importEntries(source, [...byEntry.keys()], {
    kind: "openapi",
    dialect,
    references: "document",
    hidden: hiddenProperties(documents),
    read(entry, reader) {
      const operation = byEntry.get(entry);
      const request = operation === undefined ? undefined : requestOf(operation, source, schemes, reader);
      if (operation === undefined || request === undefined || !isObject(entry.value)) return undefined;
      const { summary, description, tags, deprecated } = entry.value;
      return {
        // Method and path identify an operation; its id may be missing or change.
        name: entry.label,
        title: summary,
        description: textOf(description) ?? summary,
        tags: isList(tags) ? [...new Set(tags.flatMap((tag) => textOf(tag) ?? []))] : undefined,
        input: request.input,
        output: outputOf(operation, source, reader),
        suggested: promiseOf(operation),
        rest: { ...extensionsOf(entry.value), ...(deprecated === true ? { deprecated } : {}) },
        facts: { request: request.facts },
      };
    },
  });
  return { value, diagnostics: [...found, ...diagnostics] };
}

/** Returns what HTTP defines for a method, as spec fields. */
function promiseOf({ method }: Operation): JsonObject | undefined {
  if (method === "get" || method === "head" || method === "options" || method === "trace") {
    return { from: "method", class: "READ_ONLY" };
  }
  return method === "put" || method === "delete" ? { from: "method", isIdempotent: true } : undefined;
}

function extensionsOf(operation: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(operation).filter(([key]) => key.startsWith("x-")));
}

function versionOf(document: JsonValue): UnreadVersion {
  const { openapi, swagger } = isObject(document) ? document : {};
  if (openapi !== undefined) return { variant: "other", version: `OpenAPI ${String(openapi)}` };
  return swagger === undefined ? { variant: "none" } : { variant: "swagger", version: `Swagger ${String(swagger)}` };
}

type UnreadVersion = { readonly variant: "none" } | { readonly variant: "swagger" | "other"; readonly version: string };
