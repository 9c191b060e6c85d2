import { resolve } from "node:path";
import { InvalidArgumentError } from "commander";
import { suggestionsFor } from "../../diagnostics/closest.js";
import type { Diagnostic } from "../../diagnostics/diagnostic.js";
import { insideProject } from "../../host/fs/inside-project.js";
import { today } from "../../host/fs/today.js";
import { makeUserFile, removeUserFile } from "../../host/output/user-files.js";
import { isDay } from "../../ledger/ledger-file.js";
import type { FileEdit, PendingClaim } from "../../ledger/index.js";
import type { LoadedDocument, SourceText } from "../../model/document.js";
import type { FlatTool } from "../../model/tool.js";
import { visibleText } from "../../reporters/visible-text.js";
import { pluralize } from "../../reporters/words.js";
import { askAboutClaims } from "../shell/ask-about-claims.js";
import type { CommandModule, Invocation, CommandResult } from "../shell/command.js";
import { cliDiagnostics } from "../shell/diagnostics.js";
import type { CompiledProject } from "../project/project.js";
import { compileProject, isCompiled } from "../project/project.js";
import type { Terminal } from "../shell/terminal.js";
import { isSet } from "../shell/terminal.js";

interface ApproveOptions {
  readonly reason?: string;
  readonly expires?: string;
  readonly suggested?: boolean;
  readonly yes?: boolean;
  readonly prune?: boolean;
}

/**
 * `hasp approve`: shows each claim that waits for a reviewer, with an input that benefits from it, and writes the
 * ledger.
 */
export const approve: CommandModule = {
  configure(command) {
    command
      .argument("[tools...]", "approve only claims of these tools")
      .option("--reason <text>", "why it is safe, for readers of the ledger")
      .option("--expires <day>", "the last day on which the approval is valid, such as 2027-01-31", day)
      .option("--suggested", "first turn an importer's suggestions into claims of the spec")
      .option("--yes", "do not ask about each claim; requires the names of the tools")
      .option("--prune", "remove entries whose claim or tool is gone");
  },
  run: async (invocation) => runApprove(invocation as Invocation<ApproveOptions>),
};

function day(text: string): string {
  if (!isDay(text)) throw new InvalidArgumentError("Expected a day such as 2027-01-31.");
  if (text < today()) {
    throw new InvalidArgumentError(`That day has passed: today is ${today()}.`);
  }
  return text;
}

async function runApprove(invocation: Invocation<ApproveOptions>): Promise<CommandResult> {
  const { options, words, terminal } = invocation;
  const isPruneOnly = options.prune === true && options.reason === undefined && options.suggested !== true;
  const refusal = isPruneOnly ? undefined : refusalOf(invocation);
  if (refusal !== undefined) return { diagnostics: [refusal], couldNotCheck: true };

  const project = await compileProject(invocation, { adapt: (plan) => ({ ...plan, unlocked: true }) });
  if (!isCompiled(project)) return project;
  const { result, root, texts } = project;
  const common = { sources: texts, root };
  const errors = project.diagnostics
    // A claim that no approval can cover is a warning for `--unlocked`, but cannot be approved.
    .map((each): Diagnostic => (each.code === "ledger/cannot-cover" ? { ...each, severity: "error" } : each))
    .filter(
      ({ severity, tool }) =>
        severity === "error" && (tool === undefined || words.length === 0 || words.includes(tool)),
    );
  const names = [...result.tools, ...result.policies].map(({ name }) => name);
  const unknown = words.filter((word) => !names.includes(word) && !errors.some(({ tool }) => tool === word));
  if (unknown.length > 0) {
    const findings = unknown.map((name) =>
      cliDiagnostics("unknown-tool", undefined, { name, nearest: suggestionsFor(name, names) }),
    );
    return { ...common, diagnostics: findings, couldNotCheck: true };
  }
  // A project with errors cannot be approved.
  if (errors.length > 0) return { ...common, diagnostics: errors };

  const approval: Approval = {
    project,
    options,
    terminal,
    isNamed: (tool) => words.length === 0 || words.includes(tool),
  };
  const pruned = options.prune === true ? await prune(project) : NOTHING;
  const ledgers = await ledgerDocuments(project, pruned.edits);
  const approved = isPruneOnly
    ? NOTHING
    : await (options.suggested === true ? approveSuggestions : approveWaiting)(approval, ledgers);
  if (approved.errors !== undefined) return { ...common, diagnostics: approved.errors };
  const edits = [...pruned.edits, ...approved.edits];
  const diagnostics = await applyWritePlan(edits, root);
  return {
    ...common,
    diagnostics,
    summary: { written: diagnostics.length > 0 ? [] : edits.map(({ path }) => path) },
    // An approval that was not written does not count.
    text: diagnostics.length > 0 ? "" : `${[...pruned.lines, ...approved.lines].map(visibleText).join("\n")}\n`,
    couldNotCheck: diagnostics.length > 0,
  };
}

interface Approval {
  readonly project: CompiledProject;
  readonly options: ApproveOptions;
  readonly terminal: Terminal;
  isNamed(tool: string): boolean;
}

/** The files to write and the lines to print, or why nothing is written. */
interface Result {
  readonly edits: readonly FileEdit[];
  readonly lines: readonly string[];
  readonly errors?: readonly Diagnostic[];
}

const NOTHING: Result = { edits: [], lines: [] };

async function prune(project: CompiledProject): Promise<Result> {
  const { pruneLedger } = await import("../../ledger/index.js");
  const { policyClaims } = await import("../../policies/index.js");
  const claims = new Map([
    ...project.result.tools.map(({ name, relaxations }) => [name, relaxations.map(({ claim }) => claim)] as const),
    ...project.result.policies.map((policy) => [policy.name, policyClaims(policy)] as const),
  ]);
  const { files, removed } = pruneLedger(claims, await ledgerDocuments(project));
  const lines = removed.map(({ tool, claim }) => `  ${tool}: ${claim}`);
  return { edits: files, lines: [`${pluralize(removed.length, "entry", "entries")} removed.`, ...lines] };
}

/** Approves claims of the specs. */
async function approveWaiting(
  { project, options, terminal, isNamed }: Approval,
  ledgers: readonly LoadedDocument[],
): Promise<Result> {
  const [{ pendingClaims }, { pendingPolicyClaims }] = await Promise.all([
    import("../../ledger/index.js"),
    import("../../policies/index.js"),
  ]);
  const { result, plan } = project;
  const waiting = [
    ...pendingClaims(result.tools, ledgers, plan),
    ...pendingPolicyClaims(result.policies, ledgers, plan),
  ].filter(({ tool }) => isNamed(tool));
  const claims = options.yes === true ? waiting : await askAboutClaims(waiting, project.texts, terminal);
  return entered(claims, waiting.length, ledgers, options);
}

/** Moves what importers suggested into the specs and approves it, tool by tool all or nothing. */
async function approveSuggestions(
  { project, options, terminal, isNamed }: Approval,
  ledgers: readonly LoadedDocument[],
): Promise<Result> {
  const { pendingClaims } = await import("../../ledger/index.js");
  const named = project.result.tools.filter(({ name }) => isNamed(name));
  const candidate = await withSuggestions(project, named);
  const waiting = pendingClaims(candidate.tools, ledgers, project.plan).filter(({ tool, claim }) =>
    candidate.moved.has(`${tool} ${claim}`),
  );
  const answers = options.yes === true ? waiting : await askAboutClaims(waiting, candidate.texts, terminal);
  // A claim that was declined must not be in a spec.
  const refused = new Set(waiting.filter((claim) => !answers.includes(claim)).map(({ tool }) => tool));
  const { edits, errors } = await withSuggestions(
    project,
    named.filter(({ name }) => !refused.has(name)),
  );
  if (errors.length > 0) return { ...NOTHING, errors };
  const result = await entered(
    answers.filter(({ tool }) => !refused.has(tool)),
    waiting.length,
    ledgers,
    options,
  );
  const left = [...refused].map((tool) => `${tool}: left as it is, since not all of its suggestions were approved.`);
  return { edits: [...edits, ...result.edits], lines: [...result.lines, ...left] };
}

async function entered(
  claims: readonly PendingClaim[],
  waiting: number,
  ledgers: readonly LoadedDocument[],
  { reason = "", expires }: ApproveOptions,
): Promise<Result> {
  const { approve: enter } = await import("../../ledger/index.js");
  const verdict =
    waiting === 0 ? "No claim waits for an approval." : `${claims.length} of ${pluralize(waiting, "claim")} approved.`;
  return {
    edits: enter({ claims, ledgers, reason, ...(expires === undefined ? {} : { expires }) }),
    lines: [verdict, ...claims.map(({ tool, claim }) => `  ${tool}: ${claim}`)],
  };
}

/** Compiles the project with the suggestions for these tools applied; writes nothing. */
async function withSuggestions(
  project: CompiledProject,
  tools: readonly FlatTool[],
): Promise<{
  readonly edits: readonly FileEdit[];
  readonly tools: readonly FlatTool[];
  readonly texts: ReadonlyMap<string, string>;
  /** The claims that were moved into a spec, each as `tool claim`. */
  readonly moved: ReadonlySet<string>;
  readonly errors: readonly Diagnostic[];
}> {
  const { approveSuggested } = await import("../../ledger/index.js");
  const { compile } = await import("../../compile.js");
  const { files: edits, claims } = approveSuggested(tools);
  const edited = new Map(edits.map(({ path, text }) => [path, text]));
  const sources = project.sources.map((source): SourceText => {
    const text = edited.get(source.uri);
    return text === undefined ? source : { uri: source.uri, role: source.role, text };
  });
  const result = await compile(sources, project.plan, { emits: false });
  return {
    edits,
    tools: result.tools,
    texts: new Map(sources.map(({ uri, text }) => [uri, text])),
    moved: new Set(claims.filter(({ outcome }) => outcome === "moved").map(({ tool, claim }) => `${tool} ${claim}`)),
    errors: result.diagnostics.filter(
      ({ severity, tool }) => severity === "error" && tools.some(({ name }) => name === tool),
    ),
  };
}

/** Reports why the command cannot run like this. */
function refusalOf({ options, words, terminal }: Invocation<ApproveOptions>): Diagnostic | undefined {
  if (isSet(terminal.environment["CI"])) return cliDiagnostics("approve-in-ci", undefined, undefined);
  if ((options.reason ?? "").trim() === "") return cliDiagnostics("no-reason", undefined, undefined);
  if (options.yes === true) {
    return words.length === 0 ? cliDiagnostics("no-ledger-selection", undefined, undefined) : undefined;
  }
  return terminal.isInteractive ? undefined : cliDiagnostics("no-terminal", undefined, undefined);
}

/** The ledgers after the edits. */
async function ledgerDocuments(
  { sources }: CompiledProject,
  edits: readonly FileEdit[] = [],
): Promise<readonly LoadedDocument[]> {
  const { parseSource } = await import("../../phases/1-load/index.js");
  const edited = new Map(edits.map(({ path, text }) => [path, text]));
  return sources
    .filter(({ role }) => role === "ledger")
    .flatMap((source) => {
      if (!edited.has(source.uri)) return parseSource(source).value ?? [];
      const text = edited.get(source.uri);
      return text === undefined ? [] : (parseSource({ uri: source.uri, role: "ledger", text }).value ?? []);
    });
}

async function applyWritePlan(edits: readonly FileEdit[], root: string): Promise<readonly Diagnostic[]> {
  const diagnostics: Diagnostic[] = [];
  const isInside = insideProject(root);
  for (const { path, text } of edits) {
    if (!isInside(path)) {
      diagnostics.push(
        cliDiagnostics("cannot-write", undefined, { path, reason: "a link leads out of the project there" }),
      );
      continue;
    }
    const target = resolve(root, path);
    const result =
      text === undefined ? await removeUserFile(target) : await makeUserFile(target, text, { replace: true });
    if (result.state === "failed") {
      diagnostics.push(cliDiagnostics("cannot-write", undefined, { path, reason: result.reason ?? "unknown" }));
    }
  }
  return diagnostics;
}
