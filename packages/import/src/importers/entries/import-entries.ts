import { dropUndefined } from "@hasp/base/json";
import type { JsonValue } from "@hasp/schema";
import { type Diagnostic, type Found, type Location, hasErrors } from "@hasp/base/diagnostics";
import { MEGABYTE } from "@hasp/compiler/source";
import { toWarnings, createDefinitionStock, type StockSource } from "../translation/definition-stock.js";
import {
  followReference,
  indexFaults,
  isReadable,
  listDefinitionPointers,
  withoutDropped,
} from "../source/documents.js";
import { importDiagnostics, type MakeImportDiagnostic } from "../source/diagnostics.js";
import type { ImportedSource, ImportSource } from "../source/importer.js";
import type { EntryReader, SourceEntry } from "./source-entry.js";
import type { SourceTool } from "../specs/source-tool.js";
import { createSpecNames } from "../specs/names.js";
import type { SchemaDialect } from "../translation/schema-dialect.js";
import { translateSchema } from "../translation/translate-schema.js";
import { writeTools, type Needs, type ReadEntry } from "./write-tools.js";

export interface EntrySettings {
  readonly kind: string;
  readonly dialect: SchemaDialect;
  /** The root of `#`: the schema itself, or the enclosing document. */
  readonly references: "own" | "document";
  readonly hidden?: StockSource["hidden"];
  readonly tags?: StockSource["tags"];
  read(entry: SourceEntry, reader: EntryReader): SourceTool | undefined;
}

/**
 * Reads the tools one by one, and refuses by name those that cannot be expressed exactly. Shared definitions become one
 * file. `ignored` are the pointers of entries that were refused before.
 */
export function importEntries(
  source: ImportSource,
  entries: readonly SourceEntry[],
  settings: EntrySettings,
  ignored: readonly string[] = [],
): Found<ImportedSource> {
  const { document, documents } = source;
  const { kind, dialect, hidden, tags } = settings;
  const faults = indexFaults(source);
  const stock = createDefinitionStock({ documents, dialect, faults, ...dropUndefined({ hidden, tags }) });
  const diagnostics: Diagnostic[] = [];
  const refused: string[] = [];
  const read: ReadEntry[] = [];
  const definitions = settings.references === "document" ? listDefinitionPointers(document) : [];
  const besides = faults.outside([...entries.map(({ pointer }) => pointer), ...ignored, ...definitions]);
  // Faults outside the tools may belong to any of them.
  const refuseAll = (faults: readonly Diagnostic[]): Found<ImportedSource> => ({
    value: { tools: [], refused: entries.map(({ name }) => name) },
    diagnostics: faults,
  });
  if (!besides.every(isReadable)) return refuseAll(besides);
  const { prefix = "", withoutOutputs = false } = source.settings ?? {};
  const names = createSpecNames(entries.map(({ name }) => prefix + name));
  for (const entry of entries) {
    const { name, label, words = [] } = entry;
    if (source.isWanted?.([name, label, names.get(prefix + name) ?? name, ...words]) === false) continue;
    const found: Diagnostic[] = [];
    const needs: Needs = { input: new Set(), output: new Set() };
    const megabytes = Math.ceil(JSON.stringify(entry.value).length / MEGABYTE);
    if (megabytes > 1) {
      found.push(
        importDiagnostics("too-large", (entry.document ?? document).locate(entry.pointer), { tool: name, megabytes }),
      );
    }
    const unread = faults.within(entry.document ?? document, entry.pointer);
    const isRefused = hasErrors(found) || !unread.every(isReadable);
    const tool = isRefused ? undefined : settings.read(entry, readerOf(entry, found, needs));
    found.push(...withoutDropped(unread, found));
    diagnostics.push(...found.map((diagnostic) => ({ ...diagnostic, tool: name })));
    if (tool === undefined || hasErrors(found)) refused.push(name);
    else read.push({ entry, tool, needs });
  }

  const stocked = stock.finish();
  const remaining = withoutDropped(besides, [...diagnostics, ...stocked.diagnostics]);
  if (remaining.length > 0) return refuseAll(remaining);
  const finished = writeTools(read, stocked, { source, kind, names });
  return {
    value: { ...finished.value, refused: [...refused, ...finished.value.refused] },
    diagnostics: [...diagnostics, ...finished.diagnostics],
  };

  function readerOf(entry: SourceEntry, found: Diagnostic[], needs: Needs): EntryReader {
    const home = entry.document ?? document;
    const { name } = entry;
    const note: MakeImportDiagnostic = (...parameters) => {
      const diagnostic = importDiagnostics(...parameters);
      found.push(diagnostic);
      return diagnostic;
    };
    return {
      name,
      note,
      locate: (pointer) => home.locate(entry.pointer + pointer),
      translate(schema, { role, pointer, document: other, dialect: own = dialect }) {
        if (role === "output" && withoutOutputs) return undefined;
        const at = other ?? home;
        const label = role === "input" ? name : `the output of ${name}`;
        const ownFound: Diagnostic[] = [];
        const base = other === undefined ? entry.pointer + pointer : pointer;
        const locate = (inner: string): Location => at.locate(base + inner);
        const isOwn = settings.references === "own";
        const binder = stock.binder(at, base, role, label, (diagnostic) => ownFound.push(diagnostic));
        const translation = translateSchema(schema, {
          tool: label,
          role,
          dialect: own,
          locate,
          isWhole: isOwn,
          reference: (reference, at) => {
            if (!isOwn || !reference.startsWith("#")) return binder.bind(reference, at);
            const problem = problemOfOwn(reference, schema);
            if (problem === undefined) return reference;
            ownFound.push(importDiagnostics("broken-reference", locate(at), { tool: label, reference, problem }));
            return undefined;
          },
          hidden: hidden === undefined ? undefined : (inner) => hidden(inner, at, role),
          tags: tags === undefined ? undefined : (inner) => tags(inner, at, role),
        });
        ownFound.push(...translation.diagnostics);
        found.push(...(role === "input" ? ownFound : toWarnings(ownFound)));
        if (translation.value !== undefined) for (const need of binder.needs) needs[role].add(need);
        return translation.value;
      },
    };
  }

  /** Explains why a reference into its own schema is broken. `hasp check` resolves anchors and ids. */
  function problemOfOwn(reference: string, schema: JsonValue): string | undefined {
    if (reference !== "#" && !reference.startsWith("#/")) return undefined;
    const followed = followReference(reference, { ...document, value: schema }, documents);
    return "problem" in followed ? followed.problem : undefined;
  }
}
