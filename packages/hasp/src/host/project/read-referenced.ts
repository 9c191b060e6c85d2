import type { RecordBook } from "../../cache/record-book.js";
import { digestOfText } from "../../emitters/digest.js";
import type { LoadedDocument, SourceText } from "../../model/document.js";
import { createMemory, keptAsJson } from "../../model/memory.js";
import { parseSource } from "../../phases/1-load/index.js";
import { isRemote } from "../../phases/2-resolve/document-uri.js";
import { findReferences } from "./find-references.js";
import type { ProjectFiles } from "./project-files.js";

const leadsSoFar = createMemory<LoadedDocument, readonly string[]>(keptAsJson("leads to", { isOfFileAlone: true }));

/**
 * Every document that the specs refer to, directly or through others, by path. What was `alreadyRead` is taken as it
 * was.
 */
export async function readReferenced(
  files: ProjectFiles,
  specs: readonly SourceText[],
  remotes: ReadonlyMap<string, string>,
  records: RecordBook | undefined,
  alreadyRead: ReadonlyMap<string, SourceText> = new Map(),
): Promise<readonly SourceText[]> {
  const known = new Set(specs.map(({ uri }) => uri));
  const shared: SourceText[] = [];
  const waiting = [...specs];
  for (let source = waiting.pop(); source !== undefined; source = waiting.pop()) {
    for (const path of leadsOf(source)) {
      if (known.has(path)) continue;
      known.add(path);
      const read = alreadyRead.get(path) ?? (await readDocument(files, path, remotes));
      if (read === undefined) continue;
      records?.open(read);
      shared.push(read);
      waiting.push(read);
    }
  }
  return shared.toSorted((a, b) => (a.uri < b.uri ? -1 : 1));
}

/** The paths of the documents that a file refers to. */
function leadsOf(source: SourceText): readonly string[] {
  const document = parseSource(source).value;
  if (document === undefined) return [];
  return leadsSoFar.of(document, "", () => [...findReferences(document.value, document.uri)]);
}

/** Tells every spec's record what the spec leads to, directly or through others. */
export function settleRecords(records: RecordBook, specs: readonly SourceText[], shared: readonly SourceText[]): void {
  const sources = new Map([...specs, ...shared].map((source) => [source.uri, source]));
  const digests = new Map<string, string>();
  const digestOf = (uri: string): string => {
    const known = digests.get(uri) ?? digestOfText(JSON.stringify([uri, sources.get(uri) ?? null]));
    digests.set(uri, known);
    return known;
  };
  for (const spec of specs) {
    const reached = new Set(leadsOf(spec));
    // A set that grows while it is walked is walked to its new end.
    for (const uri of reached) {
      const source = sources.get(uri);
      for (const path of source === undefined ? [] : leadsOf(source)) reached.add(path);
    }
    records.settle(spec, [...reached].toSorted().map(digestOf).join(" "));
  }
}

async function readDocument(
  files: ProjectFiles,
  path: string,
  remotes: ReadonlyMap<string, string>,
): Promise<SourceText | undefined> {
  if (!isRemote(path)) return files.ask("text", { uri: path, role: "shared" });
  const sha256 = remotes.get(path);
  return sha256 === undefined || sha256 === "" ? undefined : files.ask("remote", { address: path, sha256 });
}
