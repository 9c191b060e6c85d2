import { logged } from "../cache/question-log.js";
import { createRecordBook, type RecordBook } from "../cache/record-book.js";
import { type RecalledRun, recallRun, rememberRun } from "../cache/remembered-run.js";
import { digestOfFile } from "../emitters/digest.js";
import { type ProjectFiles, projectFiles } from "../io/project-files.js";
import { openSealedStore, type SealedStore } from "../io/sealed-store.js";
import { once } from "../model/memory.js";
import { buildFacts } from "../report/build-facts.js";
import type { Command } from "commander";
import type { Invocation } from "./command.js";
import { addMissingTexts, type CompiledProject, projectPlace } from "./project.js";

/** The option of commands that remember their runs. */
export interface CacheOption {
  /** `false` for `--no-cache`. */
  readonly cache?: boolean;
}

/** Adds `--no-cache` to a command. */
export function declareCacheOption(command: Command): Command {
  return command.option("--no-cache", "do everything anew; neither use nor keep what earlier runs found");
}

/** What one command remembers of its last run with the same settings. */
export interface RunMemory {
  /** The world to read from, so that it is known what was asked; `undefined` where nothing is remembered. */
  readonly files: ProjectFiles | undefined;
  /** What earlier runs computed file by file; `undefined` where nothing is remembered. It is read when first asked for. */
  readonly records: RecordBook | undefined;
  /** The last run, if its input is still the same. */
  recall(): Promise<RecalledRun | undefined>;
  /** Keeps this run for the next one. To be called once its files are on disk. */
  remember(project: CompiledProject): void;
}

/** What the records of files are kept for: any command, whatever its options. */
const RECORDS = "records";
const CHANGES = "changed records";

const noMemory: RunMemory = { files: undefined, records: undefined, recall: async () => undefined, remember: () => undefined };

/** Options that change how findings are shown, or what is done with files, and not what is found. */
const SHOWING: ReadonlySet<string> = new Set(["cache", "config", "cwd", "dryRun", "failOn", "format", "maxWarnings", "output", "quiet"]);

/** The memory of a command. Whatever option is not known to change nothing is taken to change what is found. */
export function openRunMemory(invocation: Invocation<CacheOption>, command: string): RunMemory {
  const { root, config } = projectPlace(invocation);
  const store = invocation.options.cache === false ? undefined : openSealedStore(root, invocation.terminal.environment);
  if (store === undefined) return noMemory;
  const settings = Object.entries(invocation.options).filter(([name]) => !SHOWING.has(name)).toSorted();
  const purpose = JSON.stringify([command, config ?? null, settings]);
  const files = logged(projectFiles(root, invocation.shared?.sources));
  const records = once(() => readRecords(store));
  return {
    files,
    get records() {
      return records();
    },
    async recall() {
      const run = await recallRun(store, purpose, root);
      if (run === undefined) return undefined;
      const texts = new Map(run.texts);
      await addMissingTexts(texts, run.diagnostics, root);
      return { ...run, texts };
    },
    remember({ result, diagnostics, plan }) {
      const outputs = result.files.map((file) => ({ path: file.path, owner: file.owner, digest: digestOfFile(file) }));
      rememberRun(store, purpose, files, { outDir: plan.outDir, diagnostics, facts: buildFacts(result), outputs });
      const { main, changes } = records().pack();
      if (main !== undefined) store.write(RECORDS, main);
      if (changes !== undefined) store.write(CHANGES, changes);
    },
  };
}

function readRecords(store: SealedStore): RecordBook {
  const [main, changes] = [store.read(RECORDS), store.read(CHANGES)];
  return createRecordBook({ ...(main === undefined ? {} : { main }), ...(changes === undefined ? {} : { changes }) });
}
