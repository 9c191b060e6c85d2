import type { JsonObject, JsonValue } from "@hasp/schema";
import type { Diagnostic, Found } from "@hasp/base/diagnostics";
import { pickMembers, dropUndefined, toObject, isObject, indexBy } from "@hasp/base/json";
import { importDiagnostics } from "./source/diagnostics.js";
import { importEntries } from "./entries/import-entries.js";
import { type ImportedSource, type Importer, type ImportSource, readSourceName } from "./source/importer.js";
import { readString } from "./source/json-values.js";
import { isAddressUnknown, normalizeBaseUrl, planConnections } from "./openapi/connections.js";
import { createHiddenProperties, createTagFinder, findDialect, hasKnownSchemas } from "./openapi/openapi-document.js";
import { readOperations, readTags } from "./openapi/operations.js";
import { readRequest } from "./openapi/request.js";
import { readSecuritySchemes } from "./openapi/security.js";

/** An importer of OpenAPI 3.0 to 3.2. Operations become tools; method properties (RFC 9110, 9.2), suggestions. */
export const importOpenapi: Importer = { reads: "file", read: readOpenapi };

function readOpenapi(source: ImportSource): Found<ImportedSource> {
  const { document, documents } = source;
  const refused = (diagnostic: Diagnostic): Found<ImportedSource> => ({
    value: { tools: [], refused: [] },
    diagnostics: [diagnostic],
  });
  const dialect = findDialect(document.value, source.settings);
  if (dialect === undefined) {
    return refused(importDiagnostics("openapi-version", document.locate(""), versionOf(document.value)));
  }
  if (!hasKnownSchemas(document.value)) {
    return refused(importDiagnostics("openapi-dialect", document.locate("/jsonSchemaDialect")));
  }
  const found: Diagnostic[] = [];
  const operations = readOperations(source, (diagnostic) => found.push(diagnostic));
  const { baseUrl } = source.settings ?? {};
  if (baseUrl !== undefined && normalizeBaseUrl(baseUrl) === undefined) {
    return refused(importDiagnostics("bad-base-url", undefined, { address: baseUrl }));
  }
  if (operations.length === 0 && found.length === 0) {
    return refused(importDiagnostics("no-operations", document.locate("/paths")));
  }
  const schemes = readSecuritySchemes(source);
  const plan = planConnections(operations, source, schemes);
  const byEntry = indexBy(operations, ({ entry }) => entry);
  const hidden = createHiddenProperties(documents);
  const { value, diagnostics } = importEntries(source, [...byEntry.keys()], {
    kind: "openapi",
    dialect,
    references: "document",
    hidden,
    tags: createTagFinder(documents, hidden),
    read(entry, reader) {
      const operation = byEntry.get(entry);
      if (operation === undefined) return undefined;
      const request = readRequest(operation, plan.nameOf(operation), source, schemes, reader);
      if (request === undefined || !isObject(entry.value)) return undefined;
      const { summary, description, deprecated } = entry.value;
      const tags = readTags(entry.value);
      return {
        // Method and path identify an operation; its id may be missing or change.
        name: entry.label,
        title: summary,
        description: readString(description) ?? summary,
        tags: tags.length === 0 ? undefined : tags,
        ...request,
        // Detects a document that moves its service or changes its security: the configuration keeps those of the import.
        facts: dropUndefined({ server: plan.statedServer(operation), security: plan.statedSecurity(operation) }),
        rest: { ...extensionsOf(entry.value), ...(deprecated === true ? { deprecated } : {}) },
      };
    },
  });
  const imported = new Set(value.tools.map(readSourceName));
  const called = operations.filter(({ entry }) => imported.has(entry.label));
  const connections = plan.connectionsOf(called);
  found.push(
    ...plan.leftOut(called).map(({ name, locate }) => importDiagnostics("scheme-left-out", locate(), { scheme: name })),
  );
  if (connections.some(({ settings, unreachable }) => isAddressUnknown(settings) && unreachable === undefined)) {
    found.push(importDiagnostics("no-server", document.locate("/servers")));
  }
  return { value: { ...value, connections }, diagnostics: [...found, ...diagnostics] };
}

function extensionsOf(operation: JsonObject): JsonObject {
  return pickMembers(operation, (key) => key.startsWith("x-"));
}

function versionOf(document: JsonValue): UnreadVersion {
  const { openapi, swagger } = toObject(document);
  if (openapi !== undefined) return { variant: "other", version: `OpenAPI ${String(openapi)}` };
  return swagger === undefined ? { variant: "none" } : { variant: "swagger", version: `Swagger ${String(swagger)}` };
}

type UnreadVersion = { readonly variant: "none" } | { readonly variant: "swagger" | "other"; readonly version: string };
