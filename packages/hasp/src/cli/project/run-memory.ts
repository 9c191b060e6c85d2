import { logged } from "../../cache/question-log.js";
import { createRecordBook, type RecordBook } from "../../cache/record-book.js";
import {
  type RecalledRun,
  type RunRecord,
  readRun,
  recallRun,
  rememberAgain,
  rememberRun,
} from "../../cache/remembered-run.js";
import { digestOfFile } from "../../emitters/digest.js";
import { fileStamps } from "../../host/fs/file-stamps.js";
import { type ProjectFiles, projectFiles } from "../../host/project/project-files.js";
import { openSealedStore, type SealedStore } from "../../host/cache/sealed-store.js";
import {
  type OutputRecord,
  type StandingOutputs,
  reportIfUnchanged,
  withStamp,
} from "../../host/output/unchanged-outputs.js";
import { interruptedManifests } from "../../host/output/temp-files.js";
import { once } from "../../model/memory.js";
import { buildFacts } from "../../views/build-facts.js";
import type { Command } from "commander";
import type { Invocation } from "../shell/command.js";
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
  /**
   * What earlier runs computed file by file; `undefined` where nothing is remembered. It is read when first asked for.
   */
  readonly records: RecordBook | undefined;
  /** The last run, if its input is still the same. */
  recall(): Promise<RecalledRun | undefined>;
  /**
   * The digest of a file of the last run's, if it is known to stand there unchanged; once `recall` has looked for that
   * run.
   */
  digestAt(path: string): string | undefined;
  /** The files of a recalled run, if all of them still stand as it made them. */
  standing(run: RecalledRun): StandingOutputs | undefined;
  /** Keeps a recalled run once more, if what was learnt about its files saves the next run work. */
  rememberAgain(run: RecalledRun, standing?: StandingOutputs): void;
  /**
   * Keeps this run for the next one. To be called once its files are on disk, as `areWritten` says that they are. Gives
   * what was kept.
   */
  remember(project: CompiledProject, options?: { readonly areWritten: boolean }): RunRecord;
  /** Keeps what was computed file by file, and nothing else of the run. */
  rememberRecords(): void;
}

/** Settings of {@link openRunMemory}. */
export interface RunMemoryOptions {
  /** Whether what was read is always read again: for a run that compares contents, whatever else speaks for them. */
  readonly comparesContents?: boolean;
  /** `false` for a run that computes less than others do: what they computed must not seem to be needed no more. */
  readonly keepsRecords?: boolean;
}

/** What the records of files are kept for: any command, whatever its options. */
const RECORDS = "records";
const CHANGES = "changed records";

const noMemory: RunMemory = {
  files: undefined,
  records: undefined,
  recall: async () => undefined,
  digestAt: () => undefined,
  standing: () => undefined,
  rememberAgain: () => undefined,
  remember: (project) => recordOf(project, (output) => output),
  rememberRecords: () => undefined,
};

/** Options that change how findings are shown, or what is done with files, and not what is found. */
const SHOWING: ReadonlySet<string> = new Set([
  "cache",
  "config",
  "cwd",
  "dryRun",
  "failOn",
  "format",
  "maxWarnings",
  "output",
  "quiet",
]);

/** The memory of a command. Whatever option is not known to change nothing is taken to change what is found. */
export function openRunMemory(
  invocation: Invocation<CacheOption>,
  command: string,
  { comparesContents = false, keepsRecords = true }: RunMemoryOptions = {},
): RunMemory {
  const { root, config } = projectPlace(invocation);
  const store = invocation.options.cache === false ? undefined : openSealedStore(root, invocation.terminal.environment);
  if (store === undefined) return noMemory;
  const settings = Object.entries(invocation.options)
    .filter(([name]) => !SHOWING.has(name))
    .toSorted();
  const purpose = JSON.stringify([command, config ?? null, settings]);
  const stamps = comparesContents ? undefined : fileStamps(root);
  const files = logged(projectFiles(root, invocation.shared?.sources), stamps);
  let outputs: ReadonlyMap<string, OutputRecord> = new Map();
  const unchanged = new Map<string, OutputRecord>();
  const records = once(() => readRecords(store));
  const rememberRecords = (): void => {
    const { main, changes } = records().pack();
    if (main !== undefined) store.write(RECORDS, main);
    if (changes !== undefined) store.write(CHANGES, changes);
  };
  return {
    files,
    get records() {
      return records();
    },
    async recall() {
      const last = readRun(store, purpose);
      if (last === undefined) return undefined;
      outputs = new Map(last.outputs.map((output) => [output.path, output]));
      const run = await recallRun(last, root, stamps);
      if (run !== undefined) await addMissingTexts(run.texts, run.diagnostics, root);
      return run;
    },
    digestAt(path) {
      const output = outputs.get(path);
      if (output === undefined || stamps?.isUnchanged(path, output.stamp) !== true) return undefined;
      unchanged.set(path, output);
      return output.digest;
    },
    standing: (run) =>
      // What a killed build left is for a build to take away.
      interruptedManifests(root, `${run.plan.outDir}/manifest.json`).length > 0
        ? undefined
        : reportIfUnchanged(run.outputs, root, stamps),
    rememberAgain(run, standing) {
      if (run.hasNewStamps || standing?.hasNewStamps === true) {
        rememberAgain(store, purpose, { ...run, outputs: standing?.outputs ?? run.outputs });
      }
    },
    remember(project, { areWritten } = { areWritten: false }) {
      const stamped = (output: OutputRecord): OutputRecord => {
        const known = unchanged.get(output.path);
        // Where it was changed meanwhile, the stamp is no longer its own, and it is read the next time.
        return known?.digest === output.digest ? known : withStamp(output, stamps);
      };
      const record = recordOf(project, areWritten ? stamped : (output) => output);
      rememberRun(store, purpose, files, record);
      if (keepsRecords) rememberRecords();
      return record;
    },
    rememberRecords,
  };
}

/** What is kept of a run. */
function recordOf(
  { result, diagnostics, plan }: CompiledProject,
  stamped: (output: OutputRecord) => OutputRecord,
): RunRecord {
  const { outDir, handlersDir, context } = plan;
  return {
    plan: { outDir, handlersDir, ...(context === undefined ? {} : { context }) },
    toolsets: result.toolsets.map(({ name, tools }) => ({ name, tools: tools.map((tool) => tool.name) })),
    diagnostics,
    facts: buildFacts(result),
    outputs: result.files.map((file) => stamped({ path: file.path, owner: file.owner, digest: digestOfFile(file) })),
  };
}

function readRecords(store: SealedStore): RecordBook {
  const [main, changes] = [store.read(RECORDS), store.read(CHANGES)];
  return createRecordBook({ ...(main === undefined ? {} : { main }), ...(changes === undefined ? {} : { changes }) });
}
