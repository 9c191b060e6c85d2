import { readdir, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { printVisibleText, printThrown } from "@hasp/base/diagnostics";
import { parseParts, parseSource } from "@hasp/compiler/source";
import { readText, toSlashPath } from "@hasp/project";
import { readSourceFile } from "./read-file.js";
import type { ReadSource } from "../importers/source/importer.js";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import type { JsonObject, JsonValue } from "@hasp/schema";
import type { LoadedDocument } from "@hasp/compiler/model";
import { isObject, readOwnMember } from "@hasp/base/json";

interface OpenapiLocation {
  readonly folder: string;
  /** The project that provides the converter of Swagger 2.0. */
  readonly root: string;
  readonly seconds: number;
}

/** Reads the named OpenAPI documents: a file, every document of a folder, or an address. */
export async function readOpenapi(named: string, place: OpenapiLocation): Promise<readonly ReadSource[]> {
  if (/^https?:\/\//iu.test(named)) return [await readAddress(named, place)];
  const path = resolve(place.folder, named);
  const isFolder = await stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (!isFolder) return [await converted(await readSourceFile(place.folder, named), place)];
  const files = await documentsIn(path);
  if (files.length === 0) return [{ reason: "no file in this folder is an OpenAPI document" }];
  return Promise.all(
    files.map(async (file): Promise<ReadSource> => {
      const read = await converted(await readSourceFile(place.folder, join(path, file)), place);
      // Two folders may have files of one name.
      return "source" in read ? { ...read, source: { ...read.source, name: file } } : read;
    }),
  );
}

async function readAddress(named: string, place: OpenapiLocation): Promise<ReadSource> {
  if (!URL.canParse(named)) return { reason: "it is not an address" };
  const { fetchDocument } = await import("./fetch.js");
  const fetched = await fetchDocument(named, place.seconds);
  if ("reason" in fetched) return fetched;
  const uri = printVisibleText(named);
  const sources = new Map([[uri, fetched.text]]);
  const { value: document, diagnostics } = parseParts({ uri, text: fetched.text, role: "shared" });
  if (document === undefined) return { diagnostics, sources };
  const name = nameOfAddress(new URL(named));
  const documents = new Map([[uri, document]]);
  const source = { name, document, address: fetched.address, faults: diagnostics, documents };
  return converted({ source, sources }, place);
}

/** Names the file, or the host if many documents share the file's name. */
function nameOfAddress({ hostname, pathname }: URL): string {
  const file = decodeURIComponent(pathname.split("/").at(-1) ?? "");
  const isGeneral = /^(?:|open-?api|swagger|api|api-docs|spec|index|v?\d+)(?:\.\w+)?$/iu.test(file);
  return isGeneral ? `${hostname}.json` : file;
}

async function converted(read: ReadSource, { root }: OpenapiLocation): Promise<ReadSource> {
  if (!("source" in read)) return read;
  const { source } = read;
  const document = await convertSwagger(source.document, root);
  if ("reason" in document) return document;
  const documents = new Map([...source.documents, [document.uri, document] as const]);
  return document === source.document ? read : { ...read, source: { ...source, document, documents } };
}

/** Finds files below a folder that begin like OpenAPI or Swagger documents, in order. */
async function documentsIn(folder: string): Promise<readonly string[]> {
  const found: string[] = [];
  for (const file of (await readdir(folder, { recursive: true })).toSorted()) {
    if (!/\.(?:json|ya?ml)$/iu.test(file) || file.includes("node_modules")) continue;
    const content = await readText(join(folder, file));
    if ("text" in content && /^[{ \t]*["']?(?:openapi|swagger)["']?\s*:/mu.test(content.text)) {
      found.push(toSlashPath(folder, join(folder, file)));
    }
  }
  return found;
}

type Convert = (document: unknown, options: object) => Promise<{ readonly openapi: JsonValue }>;

/**
 * Converts Swagger 2.0 to OpenAPI 3.0 with the project's `swagger2openapi`; returns other documents unchanged.
 * Locations stay those of the original. Returns a sentence without its full stop if conversion fails.
 */
async function convertSwagger(
  document: LoadedDocument,
  root: string,
): Promise<LoadedDocument | { readonly reason: string }> {
  if (!isObject(document.value) || document.value["swagger"] !== "2.0") return document;
  const convert = await loadConverter(root);
  if (convert === undefined) {
    return {
      reason:
        "it is Swagger 2.0, which the package swagger2openapi converts; run `npm install --save-dev swagger2openapi`",
    };
  }
  try {
    // Fetches nothing: references to other files stay as they are.
    const options = { patch: true, warnOnly: true, resolve: false, resolveInternal: false };
    const { openapi } = await convert(structuredClone(document.value), options);
    const text = JSON.stringify(withoutTraces(openapi));
    const { value } = parseSource({ uri: document.uri, text, role: "shared" });
    if (value === undefined) return { reason: "the output of swagger2openapi cannot be read" };
    return { ...value, locate: (pointer, part) => document.locate(pointerInSwagger(pointer), part) };
  } catch (error) {
    return { reason: `swagger2openapi cannot convert it (${printThrown(error)})` };
  }
}

async function loadConverter(root: string): Promise<Convert | undefined> {
  for (const from of [join(root, "package.json"), import.meta.url]) {
    try {
      const path = createRequire(from).resolve("swagger2openapi");
      const module = (await import(pathToFileURL(path).href)) as { readonly default?: unknown };
      return readOwnMember(module.default ?? module, "convertObj") as Convert | undefined;
    } catch {}
  }
  return undefined;
}

function withoutTraces(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(withoutTraces);
  if (!isObject(value)) return value;
  const entries = Object.entries(value).filter(([key]) => !key.startsWith("x-s2o-"));
  return Object.fromEntries(entries.map(([key, inner]) => [key, withoutTraces(inner)])) satisfies JsonObject;
}

function pointerInSwagger(pointer: string): string {
  return pointer
    .replace(/^\/components\/schemas(?=\/|$)/u, "/definitions")
    .replace(/^\/components\/securitySchemes(?=\/|$)/u, "/securityDefinitions")
    .replace(/^\/components\/(?=parameters|responses)/u, "/")
    .replace(/^\/servers.*/u, "/host");
}
