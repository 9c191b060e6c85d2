import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { JsonObject, JsonValue } from "@hasp/schema";
import { thrownText } from "../../../compiler/src/diagnostics/thrown-text.js";
import type { LoadedDocument } from "../../../compiler/src/model/document.js";
import { isObject } from "../../../compiler/src/model/json-kind.js";
import { ownMember } from "../../../compiler/src/model/own.js";
import { parseSource } from "../../../compiler/src/phases/1-load/index.js";

type Convert = (document: unknown, options: object) => Promise<{ readonly openapi: JsonValue }>;

/**
 * Converts Swagger 2.0 to OpenAPI 3.0 with the project's `swagger2openapi`; returns other documents unchanged.
 * Locations stay those of the original. Returns a sentence without its full stop if conversion fails.
 */
export async function convertSwagger(
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
    return { reason: `swagger2openapi cannot convert it (${thrownText(error)})` };
  }
}

async function loadConverter(root: string): Promise<Convert | undefined> {
  for (const from of [join(root, "package.json"), import.meta.url]) {
    try {
      const path = createRequire(from).resolve("swagger2openapi");
      const module = (await import(pathToFileURL(path).href)) as { readonly default?: unknown };
      return ownMember(module.default ?? module, "convertObj") as Convert | undefined;
    } catch {
      // Not installed.
    }
  }
  return undefined;
}

/** Removes the converter's notes about itself. */
function withoutTraces(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(withoutTraces);
  if (!isObject(value)) return value;
  const entries = Object.entries(value).filter(([key]) => !key.startsWith("x-s2o-"));
  return Object.fromEntries(entries.map(([key, inner]) => [key, withoutTraces(inner)])) satisfies JsonObject;
}

/** Maps a pointer to its place before the conversion. */
function pointerInSwagger(pointer: string): string {
  return pointer
    .replace(/^\/components\/schemas(?=\/|$)/u, "/definitions")
    .replace(/^\/components\/securitySchemes(?=\/|$)/u, "/securityDefinitions")
    .replace(/^\/components\/(?=parameters|responses)/u, "/")
    .replace(/^\/servers.*/u, "/host");
}
