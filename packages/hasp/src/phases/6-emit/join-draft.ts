import type { FileDraft } from "../../emitters/emitter.js";
import type { OutputFile } from "../../model/output.js";

/** The files of the last build by path, as long as somebody keeps them: who watches does. */
const lastFiles = new Map<string, WeakRef<OutputFile>>();
const piecesOf = new WeakMap<OutputFile, readonly string[]>();

/**
 * Makes a file of its pieces. A draft with the same pieces as the last time gives the very same file, so that what is known of
 * it, such as its digest, is not found out again, and whoever compares it with that file sees at once that nothing changed.
 */
export function joinDraft({ path, owner, pieces }: FileDraft): OutputFile {
  const last = lastFiles.get(path)?.deref();
  if (last !== undefined && last.owner === owner && areSame(piecesOf.get(last), pieces)) return last;
  const file: OutputFile = { path, owner, text: pieces.length === 1 ? (pieces[0] ?? "") : pieces.join("") };
  piecesOf.set(file, pieces);
  lastFiles.set(path, new WeakRef(file));
  return file;
}

/** Forgets the files that are not among these: what the last build did not make, the next hardly will. */
export function forgetOthers(files: readonly OutputFile[]): void {
  if (lastFiles.size === files.length) return;
  const paths = new Set(files.map(({ path }) => path));
  for (const path of lastFiles.keys()) if (!paths.has(path)) lastFiles.delete(path);
}

function areSame(left: readonly string[] | undefined, right: readonly string[]): boolean {
  return left !== undefined && left.length === right.length && left.every((piece, index) => piece === right[index]);
}
