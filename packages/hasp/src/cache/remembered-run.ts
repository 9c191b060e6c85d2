import type { Diagnostic } from "../diagnostics/diagnostic.js";
import { projectFiles } from "../io/project-files.js";
import type { SealedStore } from "../io/sealed-store.js";
import type { OutputRecord } from "../io/unchanged-outputs.js";
import type { BuildFacts } from "../report/build-facts.js";
import { askAgain, type LoggedFiles } from "./question-log.js";

/** What a run found and made, as far as a run on the same input must say and do the same. */
export interface RunRecord {
  readonly outDir: string;
  readonly diagnostics: readonly Diagnostic[];
  readonly facts: BuildFacts;
  /** The files that the specs call for; none if there was an error, or nobody asked for files. */
  readonly outputs: readonly OutputRecord[];
}

/** A run whose input is still the same, with the texts for its code frames. */
export interface RecalledRun extends RunRecord {
  readonly texts: ReadonlyMap<string, string>;
}

interface Memory extends RunRecord, Pick<LoggedFiles, "log" | "remotes"> {}

/** The run that was remembered for a purpose, if everything that it asked has the same answer now. */
export async function recallRun(store: SealedStore, purpose: string, root: string): Promise<RecalledRun | undefined> {
  const text = store.read(purpose);
  if (text === undefined) return undefined;
  // The seal shows that this very program wrote it, in this form.
  const { log, remotes, ...run } = JSON.parse(text.toString("utf8")) as Memory;
  const texts = await askAgain({ log, remotes }, projectFiles(root));
  return texts === undefined ? undefined : { ...run, texts };
}

/** Keeps a run, unless its answers may differ next time though nothing changes. */
export function rememberRun(store: SealedStore, purpose: string, { log, remotes, isRepeatable }: LoggedFiles, run: RunRecord): void {
  if (!isRepeatable()) return;
  const memory: Memory = { log, remotes, ...run };
  store.write(purpose, JSON.stringify(memory));
}
