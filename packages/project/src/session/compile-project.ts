import { dropUndefined } from "@hasp/base/json";
import { resolve } from "node:path";
import {
  type CompileResult,
  type CallStoreSetting,
  type OnProgress,
  type Plugins,
  type SourceText,
  type CompilePlan,
  CompileCache,
} from "@hasp/compiler";
import { type Diagnostic, type Found, sortDiagnostics, hasErrors } from "@hasp/base/diagnostics";
import type { ShownClaim } from "@hasp/compiler/claims";
import { type Environment, isSet } from "../environment.js";
import { readText } from "../fs/read-text.js";
import type { CompilerHost } from "../read/host-questions.js";
import { sessionDiagnostics } from "./diagnostics.js";
import { runStepsInThreads } from "./steps-in-threads.js";

/** A project as a command line names it, with what decides how it is read. */
export interface ReadSession {
  readonly root: string;
  /** The name of the configuration in the root, if it is not the usual one. */
  readonly config?: string | undefined;
  readonly environment: Environment;
  /** Decides in place of the configuration whether tokens are counted exactly. */
  readonly isExact?: boolean | undefined;
  readonly onProgress: OnProgress;
  /** Shared by several commands of one run. */
  readonly cache?: CompileCache | undefined;
}

export interface CompiledProject {
  readonly root: string;
  readonly plan: CompilePlan;
  readonly callStore?: CallStoreSetting;
  readonly sources: readonly SourceText[];
  readonly plugins: Plugins;
  readonly result: CompileResult;
  readonly diagnostics: readonly Diagnostic[];
  /** Those of them that do not come from compiling the specs. */
  readonly readingDiagnostics: readonly Diagnostic[];
  /** True if files can be written: there are no errors, or broken tools were left out. */
  readonly canWrite: boolean;
  readonly texts: ReadonlyMap<string, string>;
}

/** A value and findings, with the texts that the findings are in. */
export interface FoundInTexts<Value> extends Found<Value> {
  readonly texts: ReadonlyMap<string, string>;
}

export interface ProjectOptions {
  readonly unlocked?: boolean;
  readonly adapt?: (plan: CompilePlan) => CompilePlan;
  readonly emits?: boolean;
  /** True if the models of all tools are read after the compilation. */
  readonly isReadWhole?: boolean;
  readonly keepGoing?: boolean;
  readonly host?: CompilerHost;
  readonly cache?: CompileCache;
  /** Read and compile only what these tools need. */
  readonly tools?: readonly string[];
}

/** Adapts a plan so that claims may wait for an approval. */
export function withoutApprovals(plan: CompilePlan): CompilePlan {
  return { ...plan, unlocked: true };
}

/** Refuses to continue without approvals where `CI` is set. */
export function refuseUnlocked({ environment }: ReadSession, unlocked: boolean): Diagnostic | undefined {
  return unlocked && isSet(environment["CI"]) ? sessionDiagnostics("unlocked-in-ci") : undefined;
}

/** Reads and compiles a project. Without a value, nothing could be checked, and the findings say why. */
export async function compileProject(
  session: ReadSession,
  {
    unlocked = false,
    adapt = (plan) => plan,
    emits = false,
    isReadWhole = false,
    keepGoing = false,
    host,
    cache: given,
    tools,
  }: ProjectOptions = {},
): Promise<FoundInTexts<CompiledProject | undefined>> {
  const refusal = refuseUnlocked(session, unlocked);
  if (refusal !== undefined) return { value: undefined, diagnostics: [refusal], texts: new Map() };
  const { readProject } = await import("../read/read-project.js");
  const { root, config, onProgress } = session;
  const cache = given ?? session.cache ?? new CompileCache();
  const isExactIn = ({ budgets }: CompilePlan): boolean => session.isExact ?? budgets.exact ?? false;
  const adapted = (plan: CompilePlan): CompilePlan =>
    adapt({ ...plan, budgets: { ...plan.budgets, exact: isExactIn(plan) } });
  const project = await readProject(root, dropUndefined({ unlocked, config, host, tools, cache, onProgress }));
  const texts = new Map(project.sources.map(({ uri, text }) => [uri, text]));
  if (project.plan === undefined) {
    await addMissingTexts(texts, project.diagnostics, root);
    return { value: undefined, diagnostics: project.diagnostics, texts };
  }
  const { compile } = await import("@hasp/compiler");
  const problem = isExactIn(project.plan) ? await missingTokenizer() : undefined;
  if (problem !== undefined) return { value: undefined, diagnostics: [...project.diagnostics, problem], texts };
  const plan = adapted(project.plan);
  const settings = { cache, plugins: project.plugins, onProgress };
  // A thread returns only the saved part of each result; a reader of the whole would have it computed again.
  const isRead = isReadWhole || (emits && (plan.plugins ?? []).some(({ emitters }) => emitters.length > 0));
  const helpers = isRead ? undefined : await runStepsInThreads(project.sources, { ...settings, plan, emits });
  const compiling = compile(project.sources, plan, { ...settings, emits, keepGoing, helpers });
  const result = await compiling.finally(() => helpers?.end());
  const canWrite =
    result.files.length > 0 &&
    !hasErrors(project.diagnostics) &&
    (keepGoing ? result.tools.length > 0 : !hasErrors(result.diagnostics));
  const diagnostics =
    project.diagnostics.length === 0
      ? result.diagnostics
      : sortDiagnostics([...project.diagnostics, ...result.diagnostics]);
  await addMissingTexts(texts, diagnostics, root);
  const value: CompiledProject = {
    root,
    plan,
    ...dropUndefined({ callStore: project.callStore }),
    sources: project.sources,
    plugins: project.plugins,
    result,
    diagnostics,
    readingDiagnostics: project.diagnostics,
    canWrite,
    texts,
  };
  return { value, diagnostics, texts };
}

async function missingTokenizer(): Promise<Diagnostic | undefined> {
  const { TOKENIZER_PACKAGE, findTokenizerProblem } = await import("@hasp/compiler/tokens");
  const reason = findTokenizerProblem();
  return reason === undefined
    ? undefined
    : sessionDiagnostics("no-tokenizer", undefined, { name: TOKENIZER_PACKAGE, reason });
}

/** Reads the configuration, so that findings in it have code frames. */
export async function addMissingTexts(
  texts: Map<string, string>,
  diagnostics: readonly Diagnostic[],
  root: string,
): Promise<void> {
  for (const { location } of diagnostics) {
    if (location === undefined || texts.has(location.uri)) continue;
    const content = await readText(resolve(root, location.uri));
    if ("text" in content) texts.set(location.uri, content.text);
  }
}

export async function listProjectClaims({
  result,
  sources,
  plan,
}: Pick<CompiledProject, "result" | "sources" | "plan">): Promise<readonly ShownClaim[]> {
  const [{ listShownClaims, readApprovals }, { parseSource }] = await Promise.all([
    import("@hasp/compiler/claims"),
    import("@hasp/compiler/source"),
  ]);
  const ledgers = sources.filter(({ role }) => role === "ledger").flatMap((source) => parseSource(source).value ?? []);
  return listShownClaims(result, readApprovals(ledgers, result.tools, plan));
}
