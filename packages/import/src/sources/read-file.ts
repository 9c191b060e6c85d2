import type { JsonValue } from "@hasp/schema";
import { basename, dirname, resolve } from "node:path";
import { type LoadedDocument, listReferencedPaths } from "@hasp/compiler/model";
import { parseParts, parseSource } from "@hasp/compiler/source";
import { createProjectReader, isWithin, readText, toSlashPath, locateOwnFile } from "@hasp/project";
import { askChild, describeLapse, plainEnvironment } from "@hasp/project/modules";
import type { ReadSource } from "../importers/source/importer.js";
import type { FileInfo } from "@apidevtools/json-schema-ref-parser";
import { pathToFileURL } from "node:url";
import { existsSync } from "node:fs";
import type { ExportsMessage } from "./schema-exports.js";

export async function readSourceFile(folder: string, file: string): Promise<ReadSource> {
  const path = resolve(folder, file);
  const root = isWithin(folder, path) ? folder : dirname(path);
  const uri = toSlashPath(root, path);
  const content = await readText(path);
  if ("reason" in content) return content;
  const sources = new Map([[uri, content.text]]);
  // One bad tool must not invalidate the others of a long list.
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
  if (listReferencedPaths(parsed.value).length > 0) await crawlReferences(uri, parsed.value.value, read);
  return { source: { name: basename(path), document: parsed.value, faults: parsed.diagnostics, documents }, sources };
}

/** A placeholder for the folder to which paths are relative; never fetched. */
const BASE = "https://import.invalid/";

/**
 * Follows the references of a document of several files. Calls `read` for each file once, by its path, and skips
 * missing ones; never touches the network or the rest of the disk.
 */
async function crawlReferences(
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

/** Reads the exported schemas of a user's module in a process with limited environment and time. */
export async function readSchemaModule(
  folder: string,
  file: string,
  { seconds, environment }: { readonly seconds: number; readonly environment: Readonly<Record<string, string>> },
): Promise<ReadSource> {
  const path = resolve(folder, file);
  if (!existsSync(path)) return { reason: "there is no such file" };
  const program = locateOwnFile("dist/sources/export-schemas-child.js");
  const reply = await askChild<string, ExportsMessage>(program, pathToFileURL(path).href, {
    seconds,
    cwd: dirname(path),
    environment: { ...plainEnvironment(), ...environment },
    keepsOutput: true,
  });
  if ("lapse" in reply) return { reason: `it ${describeLapse(reply.lapse, { late: "was not imported" })}` };
  const { answer } = reply;
  if ("problem" in answer) return { reason: answer.problem };
  const name = isWithin(folder, path) ? toSlashPath(folder, path) : basename(path);
  const uri = `${name}.json`;
  const text = JSON.stringify({ module: name, tools: answer.tools }, undefined, 2);
  const sources = new Map([[uri, text]]);
  const { value: document, diagnostics } = parseSource({ uri, text, role: "shared" });
  if (document === undefined) return { diagnostics, sources };
  return { source: { name: basename(path), document, documents: new Map([[uri, document]]) }, sources };
}
