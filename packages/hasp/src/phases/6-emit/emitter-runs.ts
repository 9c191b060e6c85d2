import type { JsonValue } from "@hasp/schema";
import type { BuildToEmit } from "../../emitters/emitter.js";
import { type FileDraft, fileOfPieces, type OutputFile, piecesOf } from "../../model/output.js";
import { isSameList } from "../../model/same-list.js";
import { isSameJsonText } from "../../model/same-json.js";

/** What one emitter made in a build, and from what. */
export interface EmitterRun {
  readonly build: BuildToEmit;
  /** Its part of each tool, by name. */
  readonly parts: readonly JsonValue[];
  readonly files: readonly OutputFile[];
}

/** The last run of each emitter, as long as somebody keeps one of its files: who watches does. */
const lastRuns = new Map<string, WeakRef<EmitterRun>>();
/** Keeps a run as long as its files. */
const runByFile = new WeakMap<OutputFile, EmitterRun>();

/**
 * The files of one emitter. Where nothing of what it makes them from has changed since the last build they are the same
 * objects, and so is each file that is made of the same pieces: what is known of it, such as its digest, is not found
 * out again, and whoever compares it with that file sees at once that it did not change.
 */
export function emitterFiles(
  emitter: string,
  build: BuildToEmit,
  parts: readonly JsonValue[],
  draft: () => readonly FileDraft[],
): readonly OutputFile[] {
  const last = lastRuns.get(emitter)?.deref();
  if (last?.build === build && areSameParts(last.parts, parts)) return last.files;
  const lastFiles = new Map(last?.files.map((file) => [file.path, file]));
  const files = draft().map((each) => sameFileOrNew(each, lastFiles.get(each.path)));
  const run: EmitterRun = { build, parts, files };
  for (const file of files) runByFile.set(file, run);
  lastRuns.set(emitter, new WeakRef(run));
  return files;
}

/** Whether two lists of parts say the same. */
export function areSameParts(left: readonly JsonValue[], right: readonly JsonValue[]): boolean {
  return isSameList(left, right, isSameJsonText);
}

function sameFileOrNew(draft: FileDraft, last: OutputFile | undefined): OutputFile {
  const isSame = last?.owner === draft.owner && isSameList(piecesOf(last), draft.pieces);
  return isSame ? last : fileOfPieces(draft);
}
