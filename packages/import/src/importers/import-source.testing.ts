import type { JsonObject, JsonValue } from "@hasp/schema";
import type { LoadedDocument } from "@hasp/compiler/model";
import { parseParts, parseSource } from "@hasp/compiler/source";
import type { ImportedConnection, Importer, ImportSource } from "./source/importer.js";

/** The result of importing some files, the first of which is the source. */
export interface ImportedForTest {
  readonly specs: ReadonlyMap<string, JsonObject>;
  readonly shared: JsonObject | undefined;
  readonly refused: readonly string[];
  readonly connections: readonly ImportedConnection[];
  readonly codes: readonly string[];
  readonly diagnostics: readonly {
    readonly code: string;
    readonly tool?: string;
    readonly severity: string;
    readonly message: string;
  }[];
}

export function importFiles(
  importer: Importer,
  files: { readonly [path: string]: JsonValue },
  more: Partial<ImportSource> = {},
): ImportedForTest {
  const documents = new Map(
    Object.entries(files).map(([uri, value]): [string, LoadedDocument] => [uri, documentOf(uri, value)]),
  );
  const [[name, document] = []] = documents;
  if (name === undefined || document === undefined) throw new Error("a source is needed");
  return importSource(importer, { name, document, documents, ...more });
}

/** Imports a text, whose numbers may be ones that JavaScript rounds. */
export function importText(importer: Importer, text: string): ImportedForTest {
  const { value: document, diagnostics: faults } = parseParts({ uri: "source.json", text, role: "shared" });
  if (document === undefined) throw new Error(JSON.stringify(faults));
  return importSource(importer, { name: "source.json", document, faults, documents: new Map() });
}

function importSource(importer: Importer, source: ImportSource): ImportedForTest {
  const { value, diagnostics } = importer.read(source);
  return {
    specs: new Map(value.tools.map((tool) => [tool.name, tool.spec])),
    shared: value.shared?.content,
    refused: value.refused,
    connections: value.connections ?? [],
    codes: diagnostics.map(({ code }) => code),
    diagnostics,
  };
}

function documentOf(uri: string, value: JsonValue): LoadedDocument {
  const { value: document, diagnostics } = parseSource({ uri, text: JSON.stringify(value), role: "shared" });
  if (document === undefined) throw new Error(JSON.stringify(diagnostics));
  return document;
}
