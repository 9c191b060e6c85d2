import ignore from "ignore";
import type { RecordBook } from "../../cache/record-book.js";
import { configDiagnostics } from "../../config/diagnostics.js";
import type { ProjectPlan } from "../../config/to-plan.js";
import type { Diagnostic, Found } from "../../diagnostics/diagnostic.js";
import { LEDGER_FOLDER } from "../../ledger/ledger-file.js";
import type { SourceText } from "../../model/document.js";
import { createMemory } from "../../model/memory.js";
import type { CompilePlan } from "../../model/plan.js";
import { stubTemplatePaths, stubTemplates, type StubTemplates } from "../../templates/stub-templates.js";
import { isRemote } from "../../phases/2-resolve/document-uri.js";
import { projectDiagnostics } from "./diagnostics.js";
import { CODE_ENDINGS, digestHandlers } from "../modules/digest-handlers.js";
import { projectFiles, type ProjectFiles } from "./project-files.js";
import { readPlan } from "./read-plan.js";
import { readReferenced, settleRecords } from "./read-referenced.js";
import { findSpecs } from "./specs-of-project.js";

/** Settings of {@link readProject}; all optional. */
export interface ReadProjectOptions {
  /** Path of the configuration, relative to the root. */
  readonly config?: string;
  /** Go on without approvals. */
  readonly unlocked?: boolean;
  /** Today as `YYYY-MM-DD`; the machine's own date where it is not given. */
  readonly today?: string;
  /** What was read the last time: unchanged texts are given as the same objects and need not be parsed again. */
  readonly previous?: readonly SourceText[];
  /** The world to read from, in place of the disk: for who writes down what was asked. */
  readonly files?: ProjectFiles;
  /** What earlier runs computed from files; each that is read is opened in it. */
  readonly records?: RecordBook;
  /**
   * Works on the specs before anything else is read, and gives the shared files that were read for that, by path. Of the
   * plan, the day and the digests of handlers are not known yet.
   */
  readonly workAhead?: (specs: readonly SourceText[], project: ProjectPlan) => Promise<ReadonlyMap<string, SourceText>>;
}

/** A project as `compile` takes it. */
export interface Project {
  readonly sources: readonly SourceText[];
  /** `undefined` if nothing can be checked; the diagnostics say why. */
  readonly plan: CompilePlan | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Reads everything that compiling a project needs. A spec or shared file that cannot be read or parsed is left for
 * `compile` to report. Where there is no plan, nothing can be checked, and the diagnostics say why.
 */
export async function readProject(root: string, options: ReadProjectOptions = {}): Promise<Project> {
  const files = options.files ?? projectFiles(root, options.previous);
  const { value: project, diagnostics } = await readPlan(root, files, options);
  if (project === undefined) return refused(diagnostics);

  const found = await findSpecs(files, project);
  if (found.value.length === 0) return refused(found.diagnostics);
  const { records } = options;
  const specs = await readAll(files, found.value, "spec");
  const templates = await readStubTemplates(files);
  const readAhead = await options.workAhead?.(specs, {
    ...project,
    plan: { ...project.plan, stubTemplates: templates.value },
  });
  for (const spec of specs) records?.open(spec);
  const shared = await readReferenced(files, specs, project.remotes, records, readAhead);
  const approvals = await findLedgers(files);
  if (approvals.diagnostics.length > 0) return refused(approvals.diagnostics);
  const ledgers = await readAll(files, approvals.value, "ledger", records);
  if (records !== undefined) settleRecords(records, specs, shared);
  // Only approvals end: without any, no day is asked for, and what was found holds on every day.
  const today = options.today ?? (ledgers.length > 0 ? await files.ask("today", null) : project.plan.today);
  // Only a function of a handler is approved with the handler.
  const handlers = specs.some(mayNameFunction) ? await filesIn(files, project.plan.handlersDir, CODE_ENDINGS) : [];
  const handlerDigests = await digestHandlers(files, handlers, project.plan.outDir);
  return {
    sources: [...specs, ...shared, ...ledgers],
    plan: { ...project.plan, today, handlerDigests, stubTemplates: templates.value },
    diagnostics: [...findUnusedOverrides(project.plan, [...specs, ...shared]), ...templates.diagnostics],
  };
}

const namingSoFar = createMemory<SourceText, boolean>();

/**
 * Whether a spec may name a function that its handler must bring. In a quoted text any letter of the word may be
 * escaped, or the word be broken over two lines.
 */
function mayNameFunction(source: SourceText): boolean {
  return namingSoFar.of(source, "", () => /\bcustom\b|\\[xuU\r\n]/u.test(source.text));
}

async function readStubTemplates(files: ProjectFiles): Promise<Found<StubTemplates>> {
  const present = await files.ask("present", stubTemplatePaths);
  return stubTemplates(
    await readAll(
      files,
      present.map(({ path }) => path),
      "config",
    ),
  );
}

/** Paths of all specs of a project, without reading them; `undefined` where the configuration cannot be used. */
export async function findSpecPaths(
  root: string,
  options: Pick<ReadProjectOptions, "config"> = {},
): Promise<readonly string[] | undefined> {
  const files = projectFiles(root);
  const { value: project } = await readPlan(root, files, options);
  return project === undefined ? undefined : (await findSpecs(files, project)).value;
}

/** The configuration of a project with its defaults filled, without a look at its specs. */
export async function readProjectPlan(
  root: string,
  options: Pick<ReadProjectOptions, "config"> = {},
): Promise<Found<ProjectPlan | undefined>> {
  return readPlan(root, projectFiles(root), options);
}

/** An override that covers nothing is a misspelt path: what it was to make stricter would be milder than it seems. */
function findUnusedOverrides(
  { overrides, locations = {} }: CompilePlan,
  files: readonly SourceText[],
): readonly Diagnostic[] {
  const uris = files.map(({ uri }) => uri).filter((uri) => !isRemote(uri));
  return overrides.flatMap(({ path }, index) => {
    const covered = ignore().add(path);
    if (uris.some((uri) => covered.ignores(uri))) return [];
    return [configDiagnostics("unused-override", locations[`/overrides/${index}/path`], { path })];
  });
}

async function readAll(
  files: ProjectFiles,
  paths: readonly string[],
  role: SourceText["role"],
  records?: RecordBook,
): Promise<readonly SourceText[]> {
  const read: SourceText[] = [];
  for (const uri of paths) {
    const source = await files.ask("text", { uri, role });
    if (source === undefined) continue;
    records?.open(source);
    read.push(source);
  }
  return read;
}

/**
 * Paths of all ledger files, sorted. One that is passed over would be an approval that nobody sees, so that it is said.
 */
async function findLedgers(files: ProjectFiles): Promise<Found<readonly string[]>> {
  const { files: names, oddities } = await files.ask("folder", { folder: LEDGER_FOLDER, endings: [".yaml", ".yml"] });
  const diagnostics = oddities.map(({ name, what }) =>
    projectDiagnostics("approval-not-a-file", undefined, {
      path: name === "." ? LEDGER_FOLDER : `${LEDGER_FOLDER}/${name}`,
      what,
    }),
  );
  return { value: names.map((name) => `${LEDGER_FOLDER}/${name}`), diagnostics };
}

/** Paths of the files right in a folder, sorted; none if there is no such folder. */
async function filesIn(files: ProjectFiles, folder: string, endings: readonly string[]): Promise<readonly string[]> {
  return (await files.ask("folder", { folder, endings })).files.map((name) => `${folder}/${name}`);
}

function refused(diagnostics: readonly Diagnostic[]): Project {
  return { sources: [], plan: undefined, diagnostics };
}
