import type { RecordBook } from "../cache/record-book.js";
import { digestOfText } from "../emitters/digest.js";
import type { LoadedDocument, SourceText } from "../model/document.js";
import { createMemory, keptAsJson } from "../model/memory.js";
import { parseSource } from "../phases/1-load/index.js";
import { isRemote } from "../phases/2-resolve/document-uri.js";
import { findReferences } from "./find-references.js";
import type { ProjectFiles } from "./project-files.js";

/** Where one file leads. Plain data. */
interface Leads {
  /** The files that it refers to, by path. */
  readonly paths: readonly string[];
  /** As in `FoundReferences`. */
  readonly hasIds: boolean;
}

const NOWHERE: Leads = { paths: [], hasIds: false };

const leadsSoFar = createMemory<LoadedDocument, Leads>(keptAsJson("leads to", { isOfFileAlone: true }));

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
    for (const path of leadsOf(source).paths) {
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

function leadsOf(source: SourceText): Leads {
  const document = parseSource(source).value;
  if (document === undefined) return NOWHERE;
  return leadsSoFar.of(document, "", () => {
    const { paths, hasIds } = findReferences(document.value, document.uri);
    return { paths: [...paths], hasIds };
  });
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
    const first = leadsOf(spec);
    const reached = new Set(first.paths);
    let { hasIds } = first;
    for (const uri of reached) {
      const source = sources.get(uri);
      const next = source === undefined ? NOWHERE : leadsOf(source);
      for (const path of next.paths) reached.add(path);
      hasIds ||= next.hasIds;
    }
    // With an `$id` around it, a reference may mean whatever file another spec has led to.
    const uris = hasIds ? [...reached, ...sources.keys()] : [...reached];
    records.settle(spec, [...new Set(uris)].toSorted().map(digestOf).join(" "));
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
