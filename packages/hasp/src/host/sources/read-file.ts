import { basename, dirname, resolve } from "node:path";
import type { LoadedDocument } from "../../model/document.js";
import { parseParts, parseSource } from "../../phases/1-load/index.js";
import { isRemote } from "../../phases/2-resolve/document-uri.js";
import { referencedPaths } from "../../phases/2-resolve/linked-documents.js";
import { createProjectReader, isWithin } from "../fs/read-inside.js";
import { readText } from "../fs/read-text.js";
import { slashPath } from "../fs/slash-path.js";
import type { ReadSource } from "./read-source.js";

/**
 * Reads a file and all files to which it refers. Those must stand in the project, or, for a file from elsewhere, in its
 * own folder; nothing is fetched from the network.
 */
export async function readSourceFile(folder: string, file: string): Promise<ReadSource> {
  const path = resolve(folder, file);
  const root = isWithin(folder, path) ? folder : dirname(path);
  const uri = slashPath(root, path);
  const content = await readText(path);
  if ("reason" in content) return content;
  const sources = new Map([[uri, content.text]]);
  // One bad tool of a long list shall not take the others with it.
  const parsed = parseParts({ uri, text: content.text, role: "shared" });
  if (parsed.value === undefined) return { diagnostics: parsed.diagnostics, sources };
  const documents = new Map<string, LoadedDocument | string>([[uri, parsed.value]]);
  const reader = createProjectReader(root);
  const waiting = [parsed.value];
  for (let document = waiting.pop(); document !== undefined; document = waiting.pop()) {
    for (const referenced of referencedPaths(document)) {
      if (documents.has(referenced) || isRemote(referenced)) continue;
      const source = reader.read(referenced, "shared");
      if (source === undefined) continue;
      sources.set(referenced, source.text);
      const { value, diagnostics } = parseSource(source);
      documents.set(
        referenced,
        value ?? source.unreadable ?? `it cannot be read (${diagnostics[0]?.message ?? "it is no JSON or YAML"})`,
      );
      if (value !== undefined) waiting.push(value);
    }
  }
  return { source: { name: basename(path), document: parsed.value, faults: parsed.diagnostics, documents }, sources };
}
