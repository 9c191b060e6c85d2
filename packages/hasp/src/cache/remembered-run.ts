import type { Diagnostic } from "../diagnostics/diagnostic.js";
import type { FileStamps } from "../host/fs/file-stamps.js";
import { projectFiles } from "../host/project/project-files.js";
import { createProjectReader } from "../host/fs/read-inside.js";
import type { SealedStore } from "../host/cache/sealed-store.js";
import { TextsOnDemand } from "../host/cache/texts-on-demand.js";
import type { OutputRecord } from "../host/output/unchanged-outputs.js";
import type { CompilePlan } from "../model/plan.js";
import type { BuildFacts } from "../views/build-facts.js";
import { askAgain, type LoggedFiles, type QuestionLog } from "./question-log.js";

/** What a run found and made, as far as a run on the same input must say and do the same. */
export interface RunRecord {
  readonly plan: Pick<CompilePlan, "outDir" | "handlersDir" | "context">;
  /** The names of the tools of each toolset. */
  readonly toolsets: readonly { readonly name: string; readonly tools: readonly string[] }[];
  readonly diagnostics: readonly Diagnostic[];
  readonly facts: BuildFacts;
  /** The files that the specs call for; none if there was an error, or nobody asked for files. */
  readonly outputs: readonly OutputRecord[];
}

/** A run whose input is still the same. */
export interface RecalledRun extends RunRecord {
  /** The texts for its code frames. */
  readonly texts: TextsOnDemand;
  /** Its questions, as they were asked again just now. */
  readonly questions: QuestionLog;
  /** Whether what was just learnt about its input saves work the next time. */
  readonly hasNewStamps: boolean;
}

interface Memory extends RunRecord, QuestionLog {}

/** A run as it was remembered, whatever has changed since. */
export interface RememberedRun extends RunRecord {
  readonly questions: QuestionLog;
}

/** The run that was remembered for a purpose. */
export function readRun(store: SealedStore, purpose: string): RememberedRun | undefined {
  const text = store.read(purpose);
  if (text === undefined) return undefined;
  // The seal shows that this very program wrote it, in this form.
  const { log, remotes, ...run } = JSON.parse(text.toString("utf8")) as Memory;
  return { ...run, questions: { log, remotes } };
}

/**
 * A remembered run, if everything that it asked has the same answer now. Without `stamps`, every file is read for that.
 */
export async function recallRun(
  { questions, ...run }: RememberedRun,
  root: string,
  stamps?: FileStamps,
): Promise<RecalledRun | undefined> {
  const { log, remotes } = questions;
  const same = await askAgain({ log, remotes }, projectFiles(root), stamps);
  if (same === undefined) return undefined;
  const { texts, unread, hasNewStamps } = same;
  const reader = createProjectReader(root);
  return {
    ...run,
    texts: new TextsOnDemand(texts, unread, (path) => reader.read(path, "shared")?.text),
    questions: { log: same.log, remotes },
    hasNewStamps,
  };
}

/** Keeps a run, unless its answers may differ next time though nothing changes. */
export function rememberRun(store: SealedStore, purpose: string, files: LoggedFiles, run: RunRecord): void {
  if (files.isRepeatable()) keep(store, purpose, files, run);
}

/** Keeps a recalled run with what was learnt about its files, so that the next run need not read them. */
export function rememberAgain(store: SealedStore, purpose: string, { questions, ...run }: RecalledRun): void {
  keep(store, purpose, questions, run);
}

function keep(
  store: SealedStore,
  purpose: string,
  { log, remotes }: QuestionLog,
  { plan, toolsets, diagnostics, facts, outputs }: RunRecord,
): void {
  const memory: Memory = { log, remotes, plan, toolsets, diagnostics, facts, outputs };
  store.write(purpose, JSON.stringify(memory));
}
