import type { JsonValue } from "@hasp/schema";
import { basename, dirname, resolve } from "node:path";
import type { LoadedDocument } from "../../../compiler/src/model/document.js";
import { parseParts, parseSource } from "../../../compiler/src/phases/1-load/index.js";
import { referencedPaths } from "../../../compiler/src/model/document-references.js";
import { createProjectReader, isWithin } from "../../../project/src/fs/read-inside.js";
import { readText } from "../../../project/src/fs/read-text.js";
import { slashPath } from "../../../project/src/fs/slash-path.js";
import type { ReadSource } from "../importers/source/importer.js";
import type { FileInfo } from "@apidevtools/json-schema-ref-parser";

export async function readSourceFile(folder: string, file: string): Promise<ReadSource> {
  const path = resolve(folder, file);
  const root = isWithin(folder, path) ? folder : dirname(path);
  const uri = slashPath(root, path);
  const content = await readText(path);
  if ("reason" in content) return content;
  const sources = new Map([[uri, content.text]]);
  // One bad tool of a long list must not take the others with it.
  const parsed = parseParts({ uri, text: content.text, role: "shared" });
  if (parsed.value === undefined) return { diagnostics: parsed.diagnostics, sources };
  const reader = createProjectReader(root);
  const documents = new Map<string, LoadedDocument | string>([[uri, parsed.value]]);
  const read = (referenced: string): JsonValue | undefined => {
    const known = documents.get(referenced);
    if (known !== undefined) return typeof known === "string" ? undefined : known.value;
    if (!isWithin(dirname(uri), referenced)) {
      documents.set(referenced, "it is outside the document's folder, and an import reads nothing there");
      return undefined;
    }
    const source = reader.read(referenced, "shared");
    if (source === undefined) return undefined;
    sources.set(referenced, source.text);
    const { value, diagnostics } = parseSource(source);
    documents.set(
      referenced,
      value ?? source.unreadable ?? `it cannot be read (${diagnostics[0]?.message ?? "it is neither JSON nor YAML"})`,
    );
    return value?.value;
  };
  if (referencedPaths(parsed.value).length > 0) await crawlReferences(uri, parsed.value.value, read);
  return { source: { name: basename(path), document: parsed.value, faults: parsed.diagnostics, documents }, sources };
}

/** Stands for the folder to which paths are relative; never fetched. */
const BASE = "https://import.invalid/";

/**
 * Follows the references of a document of several files. Calls `read` for each file once, by its path, and skips
 * missing ones; never touches the network or the rest of the disk.
 */
export async function crawlReferences(
  uri: string,
  value: JsonValue,
  read: (path: string) => JsonValue | undefined,
): Promise<void> {
  const own = {
    order: 1,
    canRead: true,
    read: ({ url }: FileInfo): string => {
      const found = url.startsWith(BASE) ? read(decodeURIComponent(url.slice(BASE.length))) : undefined;
      if (found === undefined) throw new Error(`${url} is not read.`);
      return JSON.stringify(found);
    },
  };
  // Slow to load, and most documents are one file.
  const { $RefParser } = await import("@apidevtools/json-schema-ref-parser");
  try {
    await new $RefParser().resolve(
      BASE + uri.split("/").map(encodeURIComponent).join("/"),
      structuredClone(value) as object,
      {
        continueOnError: true,
        resolve: { file: false, http: false, own },
        parse: { yaml: false, text: false, binary: false, json: { order: 1, canParse: true, allowEmpty: true } },
      },
    );
  } catch {
    // The reference that needs the file reports it.
  }
}
