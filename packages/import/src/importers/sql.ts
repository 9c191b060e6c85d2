import type { JsonObject } from "@hasp/schema";
import { findSuggestions, type Diagnostic, type Found } from "@hasp/base/diagnostics";
import { cleanName, createConnectionName, createToolName, findFreeName } from "./specs/names.js";
import { importEntries } from "./entries/import-entries.js";
import type { SourceEntry } from "./entries/source-entry.js";
import type { ImportedConnection, ImportedSource, Importer, ImportSource } from "./source/importer.js";
import { importDiagnostics } from "./source/diagnostics.js";
import type { Catalogue, Relation } from "./sql/catalogue.js";
import { isUnsafe, readColumns } from "./sql/columns.js";
import { createRelationTools, type RelationTool } from "./sql/relation-tools.js";
import { JSON_SCHEMA } from "./translation/schema-dialect.js";

/**
 * Reads a Postgres database's tables and views: creates tools that list and get rows and, if wanted, insert, update and
 * delete one. The effects of statements become suggestions.
 */
export const importSql: Importer = { reads: "database", read: readTables };

function readTables(source: ImportSource): Found<ImportedSource> {
  // Our own reader has written the document.
  const catalogue = source.document.value as unknown as Catalogue;
  const diagnostics: Diagnostic[] = schemaFindings(catalogue);
  const { prefix = "", withoutOutputs = false, connectionName } = source.settings ?? {};
  const tools = new Map<SourceEntry, RelationTool>();
  const connection = connectionOf(catalogue, connectionName);

  const named = (name: string): string => createToolName(prefix + name);
  const labels = new Set<string>();
  const taken = new Set<string>();
  for (const [index, relation] of catalogue.relations.entries()) {
    const label = findFreeName(labelOf(relation, catalogue), (name) => labels.has(name));
    labels.add(label);
    const address = `${relation.schema}.${relation.name}`;
    const { found, ...made } = relationTools(relation, catalogue, { label, address, named });
    const wanted = made.tools.map((tool): SourceEntry => {
      const name = findFreeName(createToolName(tool.name), (candidate) => taken.has(candidate));
      taken.add(name);
      const words = [relation.name, address];
      const entry = { name, label: `${tool.operation} ${address}`, words, pointer: `/relations/${index}`, value: {} };
      tools.set(entry, tool);
      return entry;
    });
    const isWanted = [...wanted.flatMap(({ name, label: own }) => [name, own]), relation.name, address];
    if (source.isWanted?.(isWanted) !== false) diagnostics.push(...found);
  }
  if (tools.size === 0) {
    const { role, schemas } = catalogue;
    diagnostics.push(importDiagnostics("no-relations", undefined, { role, schemas }));
    return { value: { tools: [], refused: [] }, diagnostics };
  }
  const imported = importEntries(source, [...tools.keys()], {
    kind: "sql",
    dialect: JSON_SCHEMA,
    references: "own",
    read(entry) {
      const tool = tools.get(entry);
      if (tool === undefined) return undefined;
      const { title, description, input, output, statement, suggested } = tool;
      const handler: JsonObject = { sql: { connection: connection.name, statement } };
      const answer = withoutOutputs ? undefined : output;
      return { name: entry.label, title, description, input, output: answer, handler, suggested };
    },
  });
  return {
    value: { ...imported.value, connections: [connection] },
    diagnostics: [...diagnostics, ...imported.diagnostics],
  };
}

function relationTools(
  relation: Relation,
  { role, types, writes }: Catalogue,
  { label, address, named }: { readonly label: string; readonly address: string; named(name: string): string },
): { readonly tools: readonly RelationTool[]; readonly found: readonly Diagnostic[] } {
  const about = { role, relation: address };
  if (!relation.isReadable) return { tools: [], found: [importDiagnostics("relation-denied", undefined, about)] };
  const found: Diagnostic[] = [];
  const hidden = relation.columns.filter(({ canRead }) => !canRead).map(({ name }) => name);
  if (hidden.length > 0) found.push(importDiagnostics("columns-denied", undefined, { ...about, columns: hidden }));
  for (const { name } of relation.columns.filter((column) => column.canRead && isUnsafe(column.name))) {
    const reason = "every JavaScript object inherits a member of this name";
    found.push(importDiagnostics("column-left-out", undefined, { column: name, relation: address, reason }));
  }
  const columns = readColumns(relation, types);
  if (columns.length === 0) {
    found.push(importDiagnostics("relation-empty", undefined, { relation: address }));
    return { tools: [], found };
  }
  const { tools, filterable, noInsert } = createRelationTools(relation, columns, { label, writes, named });
  if (relation.kind === "table" && relation.key.length === 0) {
    found.push(importDiagnostics("no-key", undefined, { relation: address }));
  }
  if (filterable !== undefined) {
    found.push(importDiagnostics("filters-left-out", undefined, { relation: address, count: filterable }));
  }
  if (noInsert !== undefined) {
    found.push(importDiagnostics("no-insert", undefined, { relation: address, reason: noInsert }));
  }
  return { tools, found };
}

function schemaFindings({ role, isPrivileged, schemas, usable }: Catalogue): Diagnostic[] {
  const unknown = schemas
    .filter((schema) => !usable.includes(schema))
    .map((schema) =>
      importDiagnostics("unknown-schema", undefined, { schema, role, nearest: findSuggestions(schema, usable) }),
    );
  return isPrivileged ? [...unknown, importDiagnostics("privileged-role", undefined, { role })] : unknown;
}

/** Names a relation, with its schema unless that is the default or the only one. */
function labelOf({ schema, name }: Relation, { schemas }: Catalogue): string {
  const words = schema === "public" || schemas.length === 1 ? name : `${schema}_${name}`;
  const label = cleanName(words, /[^A-Za-z0-9_]+/gu);
  return label === "" ? "table" : label;
}

function connectionOf(
  { database, variable, role }: Catalogue,
  name: string = createConnectionName(database, "database"),
): ImportedConnection {
  return {
    name,
    settings: { sql: { url: { env: variable } } },
    comments: [],
    variables: [
      { name: variable, holds: `the address of the database, for the role "${role}" or one that may do less` },
    ],
  };
}
