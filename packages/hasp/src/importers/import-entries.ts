import type { JsonObject, JsonValue } from "@hasp/schema";
import type { Diagnostic, Found, Location } from "../diagnostics/diagnostic.js";
import type { LoadedDocument } from "../model/document.js";
import { createDefinitionStock, type Definition, type Role, type StockSource } from "./definitions/definition-stock.js";
import { followReference } from "./definitions/follow-reference.js";
import { importDiagnostics, type MakeImportDiagnostic } from "./diagnostics.js";
import type { ImportSource } from "./importer.js";
import { isObject } from "./json-values.js";
import type { ImportedSource, ImportedTool } from "./specs/imported-source.js";
import { sharedFileOf } from "./specs/shared-file.js";
import { specOfTool, type SourceTool } from "./specs/source-tool.js";
import { specFileName, specNames } from "./specs/tool-names.js";
import { withObjectRoot } from "./translation/input-root.js";
import type { SchemaDialect } from "./translation/schema-dialect.js";
import { translateSchema } from "./translation/translate-schema.js";

/** One tool of a source before it is read. */
export interface SourceEntry {
  /** The name that its spec should have; `undefined` if there is none, or another entry has it: then it is refused. */
  readonly name: string | undefined;
  /** What a message calls an entry that has no name. */
  readonly label: string;
  readonly pointer: string;
  readonly value: JsonValue;
}

/** What reads one entry is given. */
export interface EntryReader {
  readonly name: string;
  readonly note: MakeImportDiagnostic;
  /** The place of a pointer into the entry. */
  locate(pointer: string): Location;
  /** A schema of the source in the words of a spec; `undefined` if it cannot be said exactly, which is then reported. */
  translate(schema: JsonValue, place: SchemaPlace): JsonValue | undefined;
}

/** Where a schema stands in a source. */
export interface SchemaPlace {
  readonly role: Role;
  /** From the entry, or from the root of `document` where it stands in another. */
  readonly pointer: string;
  readonly document?: LoadedDocument;
}

/** How the entries of one kind of source are read. */
export interface EntrySettings {
  readonly kind: string;
  readonly dialect: SchemaDialect;
  /** Whether `#` in a schema means that schema, or the document in which it stands. */
  readonly references: "own" | "document";
  readonly hidden?: StockSource["hidden"];
  /** The tool that an entry is, or `undefined` if it is none; then `note` was told why. */
  read(entry: SourceEntry, reader: EntryReader): SourceTool | undefined;
}

interface ReadEntry {
  readonly entry: SourceEntry;
  readonly tool: SourceTool;
  readonly needs: ReadonlySet<Definition>;
}

/**
 * Reads the tools of a source one by one: a tool that cannot be said exactly is refused by name, and the rest goes on.
 * Definitions that several of them refer to come out as one shared file.
 */
export function importEntries(source: ImportSource, entries: readonly SourceEntry[], settings: EntrySettings): Found<ImportedSource> {
  const { document, documents } = source;
  const { kind, dialect, hidden } = settings;
  const stock = createDefinitionStock({ documents, dialect, ...(hidden === undefined ? {} : { hidden }) });
  const diagnostics: Diagnostic[] = [];
  const refused: string[] = [];
  const read: ReadEntry[] = [];
  for (const entry of entries) {
    const { name } = entry;
    const found: Diagnostic[] = [];
    const needs = new Set<Definition>();
    const tool = name === undefined ? undefined : settings.read(entry, readerOf(entry, name, found, needs));
    diagnostics.push(...found.map((diagnostic) => (name === undefined ? diagnostic : { ...diagnostic, tool: name })));
    if (tool === undefined || found.some(({ severity }) => severity === "error")) refused.push(name ?? entry.label);
    else read.push({ entry, tool, needs });
  }

  const finished = stock.finish();
  diagnostics.push(...finished.diagnostics);
  const isComplete = ({ needs }: ReadEntry): boolean => finished.value.missing(needs) === undefined;
  const shared = sharedFileOf(kind, source.name, finished.value.definitionsFor(read.filter(isComplete).flatMap(({ needs }) => [...needs])));
  const settle = (schema: JsonValue): JsonValue => finished.value.settle(schema, `./${shared?.fileName ?? ""}`);
  const names = specNames(entries.map(({ name }) => name));
  const files = new Set<string>();
  const tools: ImportedTool[] = [];
  for (const { entry, tool, needs } of read) {
    const missing = finished.value.missing(needs);
    const label = entry.name ?? entry.label;
    if (missing !== undefined) {
      diagnostics.push(importDiagnostics("needs-missing", document.locate(entry.pointer), { tool: label, definition: missing.authored }, { tool: label }));
      refused.push(label);
      continue;
    }
    const name = names.get(label) ?? label;
    const fileName = specFileName(name, (candidate) => files.has(candidate));
    files.add(fileName.slice(0, -".tool.yaml".length).toLowerCase());
    const settled: SourceTool = { ...tool, input: settle(tool.input), output: tool.output === undefined ? undefined : settle(tool.output) };
    const spec = specOfTool(settled, { kind, name, wanted: label, fileName, locate: (pointer) => document.locate(entry.pointer + pointer) });
    diagnostics.push(...spec.diagnostics);
    tools.push(spec.value);
  }
  return { value: { tools, refused, ...(shared === undefined ? {} : { shared }) }, diagnostics };

  function readerOf(entry: SourceEntry, name: string, found: Diagnostic[], needs: Set<Definition>): EntryReader {
    const note: MakeImportDiagnostic = (...parameters) => {
      const diagnostic = importDiagnostics(...parameters);
      found.push(diagnostic);
      return diagnostic;
    };
    return {
      name,
      note,
      locate: (pointer) => document.locate(entry.pointer + pointer),
      translate(schema, { role, pointer, document: other }) {
        const at = other ?? document;
        const base = other === undefined ? entry.pointer + pointer : pointer;
        const locate = (inner: string): Location => at.locate(base + inner);
        const isWhole = settings.references === "own";
        const binder = stock.binder(at, base, role, name, (diagnostic) => found.push(diagnostic));
        const translation = translateSchema(schema, {
          tool: name,
          role,
          dialect,
          locate,
          isWhole,
          reference: (reference, place) => {
            if (!isWhole || !reference.startsWith("#")) return binder.bind(reference, place);
            return checkOwn(reference, schema, () => locate(place)) ? reference : undefined;
          },
          hidden: hidden === undefined ? undefined : (inner) => hidden(inner, at, role),
        });
        found.push(...translation.diagnostics);
        for (const need of binder.needs) needs.add(need);
        return translation.value;
      },
    };

    /** Whether a reference leads to somewhere in the schema itself. Names may be declared anywhere; `hasp check` finds them. */
    function checkOwn(reference: string, schema: JsonValue, at: () => Location): boolean {
      if (reference !== "#" && !reference.startsWith("#/")) return true;
      const followed = followReference(reference, { ...document, value: schema }, documents);
      if (!("problem" in followed)) return true;
      note("broken-reference", at(), { tool: name, reference, problem: followed.problem });
      return false;
    }
  }
}

/** The input of a tool: what {@link EntryReader.translate} gives, with the word that arguments are an object. */
export function translateInput(schema: JsonValue, pointer: string, { name, note, locate, translate }: EntryReader): JsonValue | undefined {
  const input = translate(schema, { role: "input", pointer });
  return input === undefined ? undefined : withObjectRoot(input, { tool: name, note, location: locate(pointer) });
}

/** What stands in an entry beside the keys that an importer reads. */
export function restOf(value: JsonObject, read: ReadonlySet<string>): JsonObject {
  return Object.fromEntries(Object.entries(value).filter(([key]) => !read.has(key)));
}

/** The entries of a list of tools, each named by its own key; the second of one name has none. */
export function namedEntries(list: readonly JsonValue[], pointer: string, note: (diagnostic: Diagnostic) => void, document: LoadedDocument): readonly SourceEntry[] {
  const seen = new Set<string>();
  return list.map((value, index) => {
    const at = `${pointer}/${index}`;
    const name = isObject(value) && typeof value["name"] === "string" && value["name"] !== "" ? value["name"] : undefined;
    if (name === undefined) note(importDiagnostics("not-a-tool", document.locate(at), undefined));
    else if (seen.has(name)) note(importDiagnostics("name-twice", document.locate(`${at}/name`), { name }));
    else {
      seen.add(name);
      return { name, label: name, pointer: at, value };
    }
    return { name: undefined, label: name ?? `entry ${index}`, pointer: at, value };
  });
}
