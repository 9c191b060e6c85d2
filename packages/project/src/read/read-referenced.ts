import type { SourceText } from "../../../compiler/src/model/document.js";
import type { CompileCache } from "../../../compiler/src/context/compile-cache.js";
import { loadSource } from "../../../compiler/src/phases/1-load/index.js";
import { isRemote } from "../../../compiler/src/model/document-uri.js";
import { referencedPaths } from "../../../compiler/src/model/linked-documents.js";
import type { CompilerHost } from "./compiler-host.js";
import { ignoreProgress, type OnProgress } from "../../../compiler/src/diagnostics/progress.js";

/** Reads every document that the specs refer to, directly or through others, sorted by path. */
export async function readReferenced(
  host: CompilerHost,
  specs: readonly SourceText[],
  remotes: ReadonlyMap<string, string>,
  cache: CompileCache,
  onProgress: OnProgress = ignoreProgress,
): Promise<readonly SourceText[]> {
  const known = new Set(specs.map(({ uri }) => uri));
  const shared: SourceText[] = [];
  const waiting = [...specs];
  for (let source = waiting.pop(); source !== undefined; source = waiting.pop()) {
    onProgress("Parsing files", known.size - waiting.length - 1, known.size);
    const document = loadSource(source, cache).value;
    for (const path of document === undefined ? [] : referencedPaths(document)) {
      if (known.has(path)) continue;
      known.add(path);
      const read = await readDocument(host, path, remotes);
      if (read === undefined) continue;
      shared.push(read);
      waiting.push(read);
    }
  }
  return shared.toSorted((a, b) => (a.uri < b.uri ? -1 : 1));
}

async function readDocument(
  host: CompilerHost,
  path: string,
  remotes: ReadonlyMap<string, string>,
): Promise<SourceText | undefined> {
  if (!isRemote(path)) return host.ask("text", { uri: path, role: "shared" });
  const sha256 = remotes.get(path);
  return sha256 === undefined || sha256 === "" ? undefined : host.ask("remote", { address: path, sha256 });
}
