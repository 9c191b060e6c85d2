import { isAbsolute, resolve } from "node:path";
import { createChanges } from "../data/finding.js";
import type { Changes } from "../model.js";
import { dropUndefined } from "@hasp/base/json";
import { identifyFinding, type ReviewedFinding } from "@hasp/report";
import { type Diagnostic, isError } from "@hasp/base/diagnostics";
import type { ApprovalProof } from "@hasp/compiler/model";
import { compile, CompileCache, type OnProgress } from "@hasp/compiler";
import {
  compareCosts,
  compareVersions,
  compileVersion,
  diffDiagnostics,
  findList,
  type ListCost,
  type Version,
} from "@hasp/compiler/diff";
import { completePlan } from "@hasp/compiler/model";
import { isFolder } from "@hasp/project";
import { builtInPlugins } from "@hasp/project/built-in";
import {
  CONFIG_NAMES,
  copySnapshot,
  findAllConfigs,
  type NoSnapshot,
  createCompilerHost,
  listAuthors,
  readInputs,
  type RepositoryOnDisk,
  readProject,
} from "@hasp/project/read";
import type { CompiledProject, ReadSession } from "@hasp/project/session";

function isLoosening(finding: Diagnostic): boolean {
  return findList(finding) === "loosens";
}

type Base = (Version & { readonly standing: ReadonlySet<string> }) | { readonly refusal: Diagnostic };

/**
 * Reads another version of the project: a git ref, or a folder. Only a path names a folder, since a change could add a
 * folder with the name of a missing ref.
 */
async function readBase(base: string, comparing: Comparing): Promise<Base> {
  const { session, folder: from, below = "" } = comparing;
  const folder = resolve(from, base, below);
  if (isAbsolute(base) || /^\.{1,2}(?:[/\\]|$)/u.test(base)) {
    if (isFolder(folder)) return versionIn(folder, base, comparing);
    return { refusal: diffDiagnostics("base-unreadable", undefined, { base, reason: "there is no such folder." }) };
  }
  const snapshot = copySnapshot(session.root, base);
  if (!("folder" in snapshot)) return { refusal: refusalOf(base, snapshot, isFolder(folder)) };
  try {
    return await versionIn(snapshot.folder, base, comparing, snapshot.repository);
  } finally {
    snapshot.remove();
  }
}

function refusalOf(ref: string, snapshot: NoSnapshot, hasFolder: boolean): Diagnostic {
  const variant = hasFolder ? "folder" : "no-folder";
  switch (snapshot.problem) {
    case "no-repository":
      return diffDiagnostics("no-repository", undefined, { variant, ref });
    case "no-commits":
    case "ref-ambiguous":
      return diffDiagnostics(snapshot.problem, undefined, { ref });
    case "git-failed":
      return diffDiagnostics("git-failed", undefined, { reason: snapshot.reason });
    case "ref-not-found":
      return diffDiagnostics("ref-not-found", undefined, { variant, ref, command: snapshot.command });
  }
}

async function versionIn(
  folder: string,
  base: string,
  { session, checksBase = false }: Comparing,
  repository?: RepositoryOnDisk,
): Promise<Base> {
  const { config, onProgress: report, cache = new CompileCache(), isExact } = session;
  const onProgress: OnProgress = (phase, done, total) => report(`${base}: ${phase}`, done, total);
  const host = createCompilerHost(folder, repository);
  const isUsual = config === undefined || CONFIG_NAMES.some((name) => name === config);
  const present = await host.ask("present", isUsual ? CONFIG_NAMES : [config]);
  // Where only configurations with other names exist, the default settings would read the specs of those.
  const isAbsent = present.length === 0 && (config !== undefined || findAllConfigs(folder).length > 0);
  const project = isAbsent
    ? { sources: [], plan: completePlan({}), plugins: builtInPlugins, diagnostics: [], callStore: undefined }
    : await readProject(folder, {
        unlocked: true,
        isEarlier: true,
        config: isUsual ? undefined : config,
        host,
        cache,
        onProgress,
      });
  if (project.plan === undefined) {
    const reason = project.diagnostics
      .map(({ message }) => message)
      .join(" ")
      .replaceAll(folder, base);
    return { refusal: diffDiagnostics("base-unreadable", undefined, { base, reason }) };
  }
  const { sources, callStore, plugins } = project;
  const exact = isExact ?? project.plan.budgets.exact ?? false;
  // The plan as checks adapt it: both then share the results of each tool.
  const plan = { ...project.plan, budgets: { ...project.plan.budgets, exact } };
  const { value } = await compileVersion({ sources, plan, callStore }, plugins, onProgress, cache);
  const manifest = await host.ask("text", { uri: `${plan.outDir}/manifest.json`, role: "config" });
  const found = checksBase ? await compile(sources, plan, { emits: false, plugins, cache }) : undefined;
  const standing = new Set(found?.diagnostics.map(identifyFinding));
  return { ...value, standing, recorded: readInputs(manifest?.text ?? "") };
}

interface Comparing {
  readonly session: ReadSession;
  /** The folder in which a base that is a path is named. */
  readonly folder: string;
  /** The path from that folder to the project, which a base that is a path holds there too. */
  readonly below?: string;
  /** True to check the base, too, to know which findings it has. */
  readonly checksBase?: boolean | undefined;
}

interface ChangesSince {
  readonly changes: Changes;
  readonly problems: readonly Diagnostic[];
  /** Undefined if nothing was compared. */
  readonly compared?: VersionDifference;
}

interface VersionDifference {
  /** Those of what loosens name who last changed the file. */
  readonly diagnostics: readonly ReviewedFinding[];
  readonly costs: readonly ListCost[];
  /** The findings of the base as {@link identifyFinding} tells them apart, if it was checked. */
  readonly standing: ReadonlySet<string>;
  /** The proof that the base demands of an approval: that somebody has seen it. */
  readonly proof: ApprovalProof | undefined;
}

export async function findChangesSince(
  base: string,
  project: CompiledProject,
  comparing: Comparing,
): Promise<ChangesSince> {
  const compared = await compareWith(base, project, comparing);
  if ("refusal" in compared) {
    const { message, help } = compared.refusal;
    const refusal = help === undefined ? message : `${message} ${help}`;
    return { changes: { base, refusal }, problems: [compared.refusal] };
  }
  if ("errors" in compared) {
    const refusal = "The specs have errors and cannot be compared; `hasp check` lists them.";
    return { changes: { base, refusal }, problems: compared.errors };
  }
  return { changes: createChanges(compared.diagnostics, compared.costs, base), problems: [], compared };
}

type VersionComparison =
  | VersionDifference
  | { readonly refusal: Diagnostic }
  | { readonly errors: readonly Diagnostic[] };

export async function compareWith(
  base: string,
  {
    sources,
    plan,
    callStore,
    plugins,
    readingDiagnostics,
  }: Pick<CompiledProject, "sources" | "plan" | "callStore" | "plugins" | "readingDiagnostics">,
  comparing: Comparing,
): Promise<VersionComparison> {
  const { onProgress: report, root, cache } = comparing.session;
  const now = await compileVersion({ sources, plan, callStore }, plugins, report, cache);
  const errors = [...readingDiagnostics, ...now.diagnostics].filter(isError);
  if (errors.length > 0) return { errors };
  const before = await readBase(base, comparing);
  if ("refusal" in before) return before;
  report("Comparing tools", 0, now.value.tools.length);
  const diagnostics = compareVersions(before, now.value, base);
  const authors = diagnostics.some(isLoosening) ? listAuthors(root, base) : undefined;
  return {
    diagnostics: diagnostics.map((each) =>
      isLoosening(each) ? dropUndefined({ ...each, by: authors?.get(each.location?.uri ?? "") }) : each,
    ),
    costs: compareCosts(before, now.value),
    standing: before.standing,
    proof: before.plan.approvals?.verify,
  };
}
