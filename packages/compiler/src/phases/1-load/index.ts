import { sha256 } from "../../../../runtime/src/json/sha256.js";
import type { JsonValue } from "@hasp/schema";
import type { Diagnostic, Found } from "../../diagnostics/diagnostic.js";
import type { LoadedDocument, SourceText } from "../../model/document.js";
import { CompileCache, lazily, type Step } from "../../context/compile-cache.js";
import { ignoreProgress, type OnProgress } from "../../diagnostics/progress.js";
import { type Parsed, parseSource } from "./parse-source.js";

export { parseParts, parseSource } from "./parse-source.js";

export interface LoadOptions {
  readonly cache?: CompileCache;
  readonly onProgress?: OnProgress;
}

/** Parses the files of a project and drops unreadable ones. */
export function load(
  sources: readonly SourceText[],
  { cache = new CompileCache(), onProgress = ignoreProgress }: LoadOptions = {},
): Found<readonly LoadedDocument[]> {
  const value: LoadedDocument[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const [index, source] of sources.entries()) {
    onProgress("Parsing files", index, sources.length);
    const parsed = loadSource(source, cache);
    diagnostics.push(...parsed.diagnostics);
    if (parsed.value !== undefined) value.push(parsed.value);
  }
  return { value, diagnostics };
}

/** Parses one file, unless the cache has it: `$ref`s are followed before {@link load} runs. */
export function loadSource(source: SourceText, cache: CompileCache): Parsed {
  return cache.run(parsing, source, digestOfSource(source));
}

/** Matches a possible YAML anchor. Aliased values are the same objects, which JSON cannot represent. */
const ANCHOR = /&[^\s&]/u;

const parsing: Step<SourceText, Parsed, readonly [JsonValue]> = {
  name: "parsed",
  run: parseSource,
  save: ({ value, diagnostics }, { text }) =>
    value === undefined || diagnostics.length > 0 || ANCHOR.test(text) ? undefined : [value.value],
  restore: ([value], { uri, role, text }, parse) => {
    const parsed = (): LoadedDocument => {
      const document = parse().value;
      if (document === undefined) throw new Error(`${uri} parsed before but cannot be parsed now.`);
      return document;
    };
    return { value: lazily({ uri, role, text, value }, { locate: true }, parsed), diagnostics: [] };
  },
};

export function digestOfSource({ uri, role, text, unreadable }: SourceText): string {
  return sha256(JSON.stringify([uri, role, unreadable]) + text);
}
