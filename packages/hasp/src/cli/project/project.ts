import { basename, resolve } from "node:path";
import type { CompileResult, CallStoreSetting, Plugins, SourceText, CompilePlan } from "@hasp/compiler";
import { CompileCache } from "@hasp/compiler/model";
import { type Diagnostic, sortDiagnostics, hasErrors } from "@hasp/base/diagnostics";
import { once } from "@hasp/base/json";
import type { ShownClaim } from "@hasp/compiler/claims";
import { readText } from "@hasp/project";
import type { CompilerHost } from "@hasp/project/read";
import type { BuildFacts } from "@hasp/report";
import { type CommandResult, type Invocation, refuse } from "../shell/command.js";
import { cliDiagnostics } from "../shell/diagnostics.js";
import { isSet } from "../shell/terminal.js";

export interface CompiledProject {
  readonly root: string;
  readonly plan: CompilePlan;
  readonly callStore?: CallStoreSetting;
  readonly sources: readonly SourceText[];
  readonly plugins?: Plugins;
  readonly result: CompileResult;
  readonly facts: BuildFacts;
  readonly diagnostics: readonly Diagnostic[];
  /** Those of them that do not come from compiling the specs. */
  readonly readingDiagnostics: readonly Diagnostic[];
  /** True if files can be written: there are no errors, or broken tools were left out. */
  readonly canWrite: boolean;
  readonly texts: ReadonlyMap<string, string>;
}

interface ProjectOptions {
  readonly unlocked?: boolean;
  readonly adapt?: (plan: CompilePlan) => CompilePlan;
  readonly emits?: boolean;
  readonly keepGoing?: boolean;
  readonly host?: CompilerHost;
  readonly cache?: CompileCache;
  /** Read and compile only what these tools need. */
  readonly tools?: readonly string[];
}

interface ProjectLocation {
  readonly root: string;
  readonly config?: string;
}

export function locateProject({ root, options, terminal }: Invocation): ProjectLocation {
  const config = options.config ?? terminal.environment["HASP_CONFIG"];
  return { root, ...(config === undefined ? {} : { config: basename(config) }) };
}

export function refuseUnlocked({ terminal }: Invocation, unlocked: boolean): CommandResult | undefined {
  if (!unlocked || !isSet(terminal.environment["CI"])) return undefined;
  return refuse(cliDiagnostics("unlocked-in-ci", undefined, undefined));
}

/** Reads and compiles the project of an invocation, or explains why it cannot. */
export async function compileProject(
  invocation: Invocation,
  {
    unlocked = false,
    adapt = (plan) => plan,
    emits = false,
    keepGoing = false,
    host,
    cache: given,
    tools,
  }: ProjectOptions = {},
): Promise<CompiledProject | CommandResult> {
  const refusal = refuseUnlocked(invocation, unlocked);
  if (refusal !== undefined) return refusal;
  const { readProject } = await import("@hasp/project/read");
  const { root, config } = locateProject(invocation);
  const cache = given ?? invocation.cache ?? new CompileCache();
  const isExactIn = ({ budgets }: CompilePlan): boolean => invocation.options.exact ?? budgets.exact ?? false;
  const adapted = (plan: CompilePlan): CompilePlan =>
    adapt({ ...plan, budgets: { ...plan.budgets, exact: isExactIn(plan) } });
  const project = await readProject(root, {
    unlocked,
    ...(config === undefined ? {} : { config }),
    ...(host === undefined ? {} : { host }),
    ...(tools === undefined ? {} : { tools }),
    cache,
    onProgress: invocation.terminal.progress.report,
  });
  const texts = new Map(project.sources.map(({ uri, text }) => [uri, text]));
  if (project.plan === undefined) {
    await addMissingTexts(texts, project.diagnostics, root);
    return { diagnostics: project.diagnostics, sources: texts, root, state: "unchecked" };
  }
  const [{ compile }, { buildFacts }] = await Promise.all([import("@hasp/compiler"), import("@hasp/report")]);
  const problem = isExactIn(project.plan) ? await missingTokenizer() : undefined;
  if (problem !== undefined) {
    return { diagnostics: [...project.diagnostics, problem], sources: texts, root, state: "unchecked" };
  }
  const plan = adapted(project.plan);
  const result = await compile(project.sources, plan, {
    emits,
    cache,
    keepGoing,
    ...(project.plugins === undefined ? {} : { plugins: project.plugins }),
    onProgress: invocation.terminal.progress.report,
  });
  const canWrite =
    result.files.length > 0 &&
    !hasErrors(project.diagnostics) &&
    (keepGoing ? result.tools.length > 0 : !hasErrors(result.diagnostics));
  const diagnostics =
    project.diagnostics.length === 0
      ? result.diagnostics
      : sortDiagnostics([...project.diagnostics, ...result.diagnostics]);
  await addMissingTexts(texts, diagnostics, root);
  const facts = once(() => buildFacts(result, plan, { tokens: emits }));
  return {
    root,
    plan,
    ...(project.callStore === undefined ? {} : { callStore: project.callStore }),
    sources: project.sources,
    ...(project.plugins === undefined ? {} : { plugins: project.plugins }),
    result,
    get facts() {
      return facts();
    },
    diagnostics,
    readingDiagnostics: project.diagnostics,
    canWrite,
    texts,
  };
}

async function missingTokenizer(): Promise<Diagnostic | undefined> {
  const { TOKENIZER_PACKAGE, findTokenizerProblem } = await import("@hasp/compiler/tokens");
  const reason = findTokenizerProblem();
  return reason === undefined
    ? undefined
    : cliDiagnostics("no-tokenizer", undefined, { name: TOKENIZER_PACKAGE, reason });
}

export function isCompiled(project: CompiledProject | CommandResult): project is CompiledProject {
  return "result" in project;
}

interface GrowingTexts {
  has(path: string): boolean;
  set(path: string, text: string): unknown;
}

/** Reads the configuration, so that findings in it have code frames. */
export async function addMissingTexts(
  texts: GrowingTexts,
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
