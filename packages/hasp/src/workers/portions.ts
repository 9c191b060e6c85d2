import type { RecordBook } from "../cache/record-book.js";
import type { ProjectFiles } from "../host/project/project-files.js";
import { readReferenced, settleRecords } from "../host/project/read-referenced.js";
import type { SourceText } from "../model/document.js";
import type { CompilePlan } from "../model/plan.js";
import { compilePortion, type Wanted } from "./compile-portion.js";

/** Work that several threads share. Plain data, which goes from thread to thread. */
export interface SharedWork extends Wanted {
  readonly root: string;
  readonly specs: readonly SourceText[];
  readonly plan: CompilePlan;
  readonly remotes: ReadonlyMap<string, string>;
  /** One number: how many portions have been taken. */
  readonly taken: Int32Array<SharedArrayBuffer>;
}

/** Small enough that nobody waits long for who took the last one. */
const SPECS_IN_PORTION = 20;

/** How many portions there are. */
export function portionsOf(specs: readonly SourceText[]): number {
  return Math.ceil(specs.length / SPECS_IN_PORTION);
}

/**
 * Takes one portion after the other until none is left, and gives how many that were. `bookFor` is asked at the start of
 * each for the book that gets its records, and `finish` is called at its end. Shared files that were read are added to
 * `shared`, and what is there already is not read again.
 */
export async function workOnPortions(
  { specs, plan, remotes, taken, ...wanted }: SharedWork,
  files: ProjectFiles,
  shared: Map<string, SourceText>,
  bookFor: () => RecordBook,
  finish: (book: RecordBook) => void = () => undefined,
): Promise<number> {
  let done = 0;
  for (;;) {
    const start = Atomics.add(taken, 0, 1) * SPECS_IN_PORTION;
    if (start >= specs.length) return done;
    const portion = specs.slice(start, start + SPECS_IN_PORTION);
    const book = bookFor();
    for (const spec of portion) book.open(spec);
    const reached = await readReferenced(files, portion, remotes, undefined, shared);
    for (const source of reached) shared.set(source.uri, source);
    settleRecords(book, portion, reached);
    compilePortion([...portion, ...reached], plan, wanted);
    finish(book);
    done += 1;
  }
}
