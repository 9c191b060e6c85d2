import ignore from "ignore";
import { isDynamicPattern } from "tinyglobby";
import type { RecordBook } from "../cache/record-book.js";
import { configDiagnostics } from "../config/diagnostics.js";
import { normalisePath } from "../config/paths.js";
import type { ProjectPlan } from "../config/to-plan.js";
import type { Diagnostic, Found } from "../diagnostics/diagnostic.js";
import { digestOfText } from "../emitters/digest.js";
import { LEDGER_FOLDER } from "../ledger/ledger-file.js";
import type { LoadedDocument, SourceText } from "../model/document.js";
import { createMemory, keptAsJson } from "../model/memory.js";
import type { CompilePlan } from "../model/plan.js";
import { parseSource } from "../phases/1-load/index.js";
import { stubTemplatePaths, stubTemplates, type StubTemplates } from "../templates/stub-templates.js";
import { isRemote } from "../phases/2-resolve/document-uri.js";
import { projectDiagnostics } from "./diagnostics.js";
import { CODE_ENDINGS, digestHandlers } from "./digest-handlers.js";
import { findReferences } from "./find-references.js";
import { projectFiles, type ProjectFiles } from "./project-files.js";
import { readPlan } from "./read-plan.js";

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
  const specs = await readAll(files, found.value, "spec", records);
  const shared = await readReferenced(files, specs, project.remotes, records);
  const approvals = await findLedgers(files);
  if (approvals.diagnostics.length > 0) return refused(approvals.diagnostics);
  const ledgers = await readAll(files, approvals.value, "ledger", records);
  if (records !== undefined) settleRecords(records, specs, shared);
  // Only approvals end: without any, no day is asked for, and what was found holds on every day.
  const today = options.today ?? (ledgers.length > 0 ? await files.ask("today", null) : project.plan.today);
  // Only a function of a handler is approved with the handler.
  const handlers = specs.some(mayNameFunction) ? await filesIn(files, project.plan.handlersDir, CODE_ENDINGS) : [];
  const handlerDigests = await digestHandlers(files, handlers, project.plan.outDir);
  const templates = await readStubTemplates(files);
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

/** Paths of all specs, sorted. */
async function findSpecs(files: ProjectFiles, { specs, plan }: ProjectPlan): Promise<Found<readonly string[]>> {
  const diagnostics: Diagnostic[] = [];
  const patterns: string[] = [];
  const entries = specs.map((entry, index) => ({
    entry,
    path: normalisePath(entry),
    location: plan.locations?.[`/specs/${index}`],
  }));
  const isFixed = (entry: string): boolean => !isDynamicPattern(entry);
  const fixed = entries.flatMap(({ entry, path }) => (path !== undefined && isFixed(entry) ? [path] : []));
  const present = new Map((await files.ask("present", fixed)).map(({ path, isFolder }) => [path, isFolder]));
  for (const { entry, path, location } of entries) {
    if (path === undefined) diagnostics.push(projectDiagnostics("specs-outside", location, { path: entry }));
    else if (!isFixed(entry)) patterns.push(path, `${path}/**`);
    else if (!present.has(path)) diagnostics.push(projectDiagnostics("specs-not-found", location, { path: entry }));
    else if (present.get(path) === true) patterns.push(path === "" ? "**" : `${escapeGlob(path)}/**`);
    else patterns.push(escapeGlob(path));
  }
  const ignore = ["**/node_modules/**", "**/.git/**", `${plan.outDir}/**`, `${LEDGER_FOLDER}/**`];
  const { paths: value, oddities } = await files.ask("specs", { patterns, ignore });
  diagnostics.push(...oddities.map((oddity) => projectDiagnostics("not-a-file", undefined, oddity)));
  if (value.length === 0 && diagnostics.length === 0) {
    diagnostics.push(
      projectDiagnostics("no-specs", entries[0]?.location, { places: specs.map((entry) => `"${entry}"`) }),
    );
  }
  return { value: diagnostics.length === 0 ? value : [], diagnostics };
}

/** Where one file leads. Plain data. */
interface Leads {
  /** The files that it refers to, by path. */
  readonly paths: readonly string[];
  /** As in `FoundReferences`. */
  readonly hasIds: boolean;
}

const NOWHERE: Leads = { paths: [], hasIds: false };

const leadsSoFar = createMemory<LoadedDocument, Leads>(keptAsJson("leads to", { isOfFileAlone: true }));

/** Every document that the specs refer to, directly or through others, by path. */
async function readReferenced(
  files: ProjectFiles,
  specs: readonly SourceText[],
  remotes: ReadonlyMap<string, string>,
  records: RecordBook | undefined,
): Promise<readonly SourceText[]> {
  const known = new Set(specs.map(({ uri }) => uri));
  const shared: SourceText[] = [];
  const waiting = [...specs];
  for (let source = waiting.pop(); source !== undefined; source = waiting.pop()) {
    for (const path of leadsOf(source).paths) {
      if (known.has(path)) continue;
      known.add(path);
      const read = await readDocument(files, path, remotes);
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
function settleRecords(records: RecordBook, specs: readonly SourceText[], shared: readonly SourceText[]): void {
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

function escapeGlob(path: string): string {
  return path.replaceAll(/[\\*?[\](){}!+@|]/gu, String.raw`\$&`);
}

function refused(diagnostics: readonly Diagnostic[]): Project {
  return { sources: [], plan: undefined, diagnostics };
}
