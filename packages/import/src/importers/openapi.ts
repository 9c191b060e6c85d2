import type { JsonObject, JsonValue } from "@hasp/schema";
import type { Diagnostic, Found } from "../../../compiler/src/diagnostics/diagnostic.js";
import { isObject } from "../../../compiler/src/model/json-kind.js";
import { importDiagnostics } from "./source/diagnostics.js";
import { importEntries } from "./entries/import-entries.js";
import type { Importer } from "./importer.js";
import type { ImportSource } from "./source/import-source.js";
import { objectOf, textOf } from "./source/json-values.js";
import { isAddressUnknown, planConnections } from "./openapi/connections.js";
import { hiddenProperties } from "./openapi/hidden-properties.js";
import { dialectOf, hasKnownSchemas } from "./openapi/openapi-document.js";
import { operationsOf, tagsOf, type Operation } from "./openapi/operations.js";
import { requestOf } from "./openapi/request.js";
import { securitySchemesOf } from "./openapi/security.js";
import { plainBaseUrl } from "./openapi/servers.js";
import { nameAtSource, type ImportedSource } from "./specs/imported-source.js";

/**
 * Reads OpenAPI 3.0 to 3.2: each operation becomes a tool; properties of its method (RFC 9110, 9.2) become suggestions.
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
  const { baseUrl } = source.settings ?? {};
  if (baseUrl !== undefined && plainBaseUrl(baseUrl) === undefined) {
    return refused(importDiagnostics("bad-base-url", undefined, { address: baseUrl }));
  }
  if (operations.length === 0 && found.length === 0) {
    return refused(importDiagnostics("no-operations", document.locate("/paths"), undefined));
  }
  const schemes = securitySchemesOf(source);
  const plan = planConnections(operations, source, schemes);
  const byEntry = new Map(operations.map((operation) => [operation.entry, operation]));
  const { value, diagnostics } = importEntries(source, [...byEntry.keys()], {
    kind: "openapi",
    dialect,
    references: "document",
    hidden: hiddenProperties(documents),
    read(entry, reader) {
      const operation = byEntry.get(entry);
      if (operation === undefined) return undefined;
      const request = requestOf(operation, plan.nameOf(operation), source, schemes, reader);
      if (request === undefined || !isObject(entry.value)) return undefined;
      const { summary, description, deprecated } = entry.value;
      const tags = tagsOf(entry.value);
      return {
        // Method and path identify an operation; its id may be missing or change.
        name: entry.label,
        title: summary,
        description: textOf(description) ?? summary,
        tags: tags.length === 0 ? undefined : tags,
        ...request,
        // Detects a document that moves its service: the configuration keeps the address of the import.
        facts: objectOf([["server", plan.statedServer(operation)]]),
        suggested: promiseOf(operation),
        rest: { ...extensionsOf(entry.value), ...(deprecated === true ? { deprecated } : {}) },
      };
    },
  });
  const imported = new Set(value.tools.map(nameAtSource));
  const called = operations.filter(({ entry }) => imported.has(entry.label));
  const connections = plan.connectionsOf(called);
  found.push(
    ...plan.leftOut(called).map(({ name, locate }) => importDiagnostics("scheme-left-out", locate(), { scheme: name })),
  );
  if (connections.some(({ settings }) => isAddressUnknown(settings))) {
    found.push(importDiagnostics("no-server", document.locate("/servers"), undefined));
  }
  return { value: { ...value, connections }, diagnostics: [...found, ...diagnostics] };
}

/** Returns what HTTP defines for a method, as spec fields. */
function promiseOf({ method }: Operation): JsonObject | undefined {
  if (SAFE_METHODS.has(method)) return { from: "method", class: "READ_ONLY" };
  return method === "PUT" || method === "DELETE" ? { from: "method", isIdempotent: true } : undefined;
}

const SAFE_METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS", "TRACE", "QUERY"]);

function extensionsOf(operation: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(operation).filter(([key]) => key.startsWith("x-")));
}

function versionOf(document: JsonValue): UnreadVersion {
  const { openapi, swagger } = isObject(document) ? document : {};
  if (openapi !== undefined) return { variant: "other", version: `OpenAPI ${String(openapi)}` };
  return swagger === undefined ? { variant: "none" } : { variant: "swagger", version: `Swagger ${String(swagger)}` };
}

type UnreadVersion = { readonly variant: "none" } | { readonly variant: "swagger" | "other"; readonly version: string };
