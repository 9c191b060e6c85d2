import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import ignore from "ignore";
import { isDynamicPattern } from "tinyglobby";
import { configDiagnostics } from "../config/diagnostics.js";
import { normalisePath } from "../config/paths.js";
import { toPlan, type ProjectPlan } from "../config/to-plan.js";
import type { Diagnostic, Found } from "../diagnostics/diagnostic.js";
import { LEDGER_FOLDER } from "../ledger/ledger-file.js";
import type { SourceText } from "../model/document.js";
import type { CompilePlan } from "../model/plan.js";
import { parseSource } from "../phases/1-load/index.js";
import { isRemote } from "../phases/2-resolve/document-uri.js";
import { rules } from "../rules/index.js";
import { projectDiagnostics } from "./diagnostics.js";
import { findSpecFiles } from "./find-specs.js";
import { findReferencedDocuments } from "./find-references.js";
import { readConfig } from "./read-config.js";
import { today } from "./today.js";
import { createProjectReader, type ProjectReader } from "./read-inside.js";
import { readRemote } from "./read-remote.js";

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
  const { value: project, diagnostics } = await readPlan(root, options);
  if (project === undefined) return refused(diagnostics);

  const found = findSpecs(root, project);
  if (found.value.length === 0) return refused(found.diagnostics);
  const reader = createProjectReader(root, options.previous);
  const specs = readAll(reader, found.value, "spec");
  const shared = await readReferenced(reader, specs, project.remotes);
  const ledgers = readAll(reader, filesIn(root, LEDGER_FOLDER, /\.ya?ml$/u), "ledger");
  const handlerDigests = digestHandlers(root, project.plan.handlersDir, specs);
  return {
    sources: [...specs, ...shared, ...ledgers],
    plan: { ...project.plan, handlerDigests },
    diagnostics: findUnusedOverrides(project.plan, [...specs, ...shared]),
  };
}

/** Paths of all specs of a project, without reading them; `undefined` where the configuration cannot be used. */
export async function findSpecPaths(root: string, options: Pick<ReadProjectOptions, "config"> = {}): Promise<readonly string[] | undefined> {
  const { value: project } = await readPlan(root, options);
  return project === undefined ? undefined : findSpecs(root, project).value;
}

async function readPlan(root: string, options: ReadProjectOptions): Promise<Found<ProjectPlan | undefined>> {
  if (!existsSync(root) || !statSync(root).isDirectory()) {
    return { value: undefined, diagnostics: [projectDiagnostics("no-project", undefined, { root })] };
  }
  const config = await readConfig(root, options.config);
  if (config.value === undefined) return { value: undefined, diagnostics: config.diagnostics };
  return toPlan({
    ...config.value,
    knownRules: rules.map((rule) => rule.id),
    unlocked: options.unlocked ?? false,
    today: options.today ?? today(),
  });
}

/** An override that covers nothing is a misspelt path: what it was to make stricter would be milder than it seems. */
function findUnusedOverrides({ overrides, locations = {} }: CompilePlan, files: readonly SourceText[]): readonly Diagnostic[] {
  const uris = files.map(({ uri }) => uri).filter((uri) => !isRemote(uri));
  return overrides.flatMap(({ path }, index) => {
    const covered = ignore().add(path);
    if (uris.some((uri) => covered.ignores(uri))) return [];
    return [configDiagnostics("unused-override", locations[`/overrides/${index}/path`], { path })];
  });
}

/** Paths of all specs, sorted. */
function findSpecs(root: string, { specs, plan }: ProjectPlan): Found<readonly string[]> {
  const diagnostics: Diagnostic[] = [];
  const patterns: string[] = [];
  for (const [index, entry] of specs.entries()) {
    const path = normalisePath(entry);
    const location = plan.locations?.[`/specs/${index}`];
    if (path === undefined) diagnostics.push(projectDiagnostics("specs-outside", location, { path: entry }));
    else if (isDynamicPattern(entry)) patterns.push(path, `${path}/**`);
    else if (!existsSync(join(root, path)))
      diagnostics.push(projectDiagnostics("specs-not-found", location, { path: entry }));
    else if (statSync(join(root, path)).isDirectory()) patterns.push(path === "" ? "**" : `${escapeGlob(path)}/**`);
    else patterns.push(escapeGlob(path));
  }
  const ignore = ["**/node_modules/**", "**/.git/**", `${plan.outDir}/**`, `${LEDGER_FOLDER}/**`];
  const { paths: value, oddities } = findSpecFiles(root, patterns, ignore);
  diagnostics.push(...oddities.map((oddity) => projectDiagnostics("not-a-file", undefined, oddity)));
  if (value.length === 0 && diagnostics.length === 0) {
    diagnostics.push(projectDiagnostics("no-specs", undefined, { places: specs.map((entry) => `"${entry}"`) }));
  }
  return { value: diagnostics.length === 0 ? value : [], diagnostics };
}

/** Every document that the specs refer to, directly or through others, by path. */
async function readReferenced(
  reader: ProjectReader,
  specs: readonly SourceText[],
  remotes: ReadonlyMap<string, string>,
): Promise<readonly SourceText[]> {
  const known = new Set(specs.map(({ uri }) => uri));
  const shared: SourceText[] = [];
  const waiting = [...specs];
  for (let source = waiting.pop(); source !== undefined; source = waiting.pop()) {
    const document = parseSource(source).value;
    if (document === undefined) continue;
    for (const path of findReferencedDocuments(document.value, source.uri)) {
      if (known.has(path)) continue;
      known.add(path);
      const sha256 = remotes.get(path);
      const read = isRemote(path) ? sha256 && (await readRemote(path, sha256)) : reader.read(path, "shared");
      if (read === undefined || read === "") continue;
      shared.push(read);
      waiting.push(read);
    }
  }
  return shared.toSorted((a, b) => (a.uri < b.uri ? -1 : 1));
}

function readAll(reader: ProjectReader, paths: readonly string[], role: SourceText["role"]): readonly SourceText[] {
  return paths.flatMap((path) => reader.read(path, role) ?? []);
}

/** Digests of the handler files, where a claim may rest on a function in one of them. */
function digestHandlers(root: string, folder: string, specs: readonly SourceText[]): CompilePlan["handlerDigests"] {
  if (!specs.some(({ text }) => text.includes("custom"))) return {};
  return Object.fromEntries(
    filesIn(root, folder, /\.[cm]?[jt]sx?$/u).map((path) => {
      // The digest is of the text, not of how a checkout breaks its lines.
      const text = readFileSync(join(root, path), "utf8").replaceAll("\r\n", "\n");
      return [path, createHash("sha256").update(text).digest("hex")];
    }),
  );
}

/** Paths of the files right in a folder, sorted; none if there is no such folder. */
function filesIn(root: string, folder: string, name: RegExp): readonly string[] {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { withFileTypes: true })
    .filter((entry) => entry.isFile() && name.test(entry.name))
    .map((entry) => `${folder}/${entry.name}`)
    .toSorted();
}

function escapeGlob(path: string): string {
  return path.replaceAll(/[\\*?[\](){}!+@|]/gu, String.raw`\$&`);
}

function refused(diagnostics: readonly Diagnostic[]): Project {
  return { sources: [], plan: undefined, diagnostics };
}
