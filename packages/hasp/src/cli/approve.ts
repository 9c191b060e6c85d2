import { resolve } from "node:path";
import { InvalidArgumentError } from "commander";
import { didYouMean } from "../diagnostics/closest.js";
import type { Diagnostic } from "../diagnostics/diagnostic.js";
import { makeUserFile, removeUserFile } from "../io/user-files.js";
import type { FileEdit, PendingClaim } from "../ledger/index.js";
import type { LoadedDocument } from "../model/document.js";
import { codeFrame } from "../report/code-frame.js";
import { visibleLines, visibleText } from "../report/visible-text.js";
import { counted } from "../report/words.js";
import type { CommandModule, Invocation, Outcome } from "./command.js";
import { cliDiagnostics } from "./diagnostics.js";
import type { CompiledProject } from "./project.js";
import { compileProject, isCompiled } from "./project.js";
import { isSet } from "./terminal.js";

interface ApproveOptions {
  readonly reason?: string;
  readonly expires?: string;
  readonly suggested?: boolean;
  readonly yes?: boolean;
  readonly prune?: boolean;
}

/** `hasp approve`: shows each claim that waits for a reviewer, with an input that profits from it, and writes the ledger. */
export const approve: CommandModule = {
  configure(command) {
    command
      .argument("[tools...]", "approve claims of these tools only")
      .option("--reason <text>", "why it is safe, for whoever reads the ledger later")
      .option("--expires <day>", "the last day on which the approval holds, such as 2027-01-31", day)
      .option("--suggested", "first turn what an importer suggested into claims of the spec")
      .option("--yes", "do not ask about each claim; the tools must be named")
      .option("--prune", "take entries away whose claim or tool is no more");
  },
  run: async (invocation) => runApprove(invocation as Invocation<ApproveOptions>),
};

function day(text: string): string {
  if (/^\d{4}-\d{2}-\d{2}$/.test(text) && new Date(`${text}T00:00:00Z`).toISOString().startsWith(text)) return text;
  throw new InvalidArgumentError("It must be a day such as 2027-01-31.");
}

async function runApprove(invocation: Invocation<ApproveOptions>): Promise<Outcome> {
  const { options, words, terminal } = invocation;
  const isPruneOnly = options.prune === true && options.reason === undefined && options.suggested !== true;
  const refusal = isPruneOnly ? undefined : refusalOf(invocation);
  if (refusal !== undefined) return { diagnostics: [refusal], couldNotCheck: true };

  const project = await compileProject(invocation, { adapt: (plan) => ({ ...plan, unlocked: true }) });
  if (!isCompiled(project)) return project;
  const { result, root, texts } = project;
  const common = { sources: texts, root };
  const errors = project.diagnostics.filter(({ severity, tool }) => severity === "error" && (tool === undefined || words.length === 0 || words.includes(tool)));
  const names = result.tools.map(({ name }) => name);
  const unknown = words.filter((word) => !names.includes(word) && !errors.some(({ tool }) => tool === word));
  if (unknown.length > 0) {
    const findings = unknown.map((name) => cliDiagnostics("unknown-tool", undefined, { name, hint: didYouMean(name, names) }));
    return { ...common, diagnostics: findings, couldNotCheck: true };
  }
  // What cannot be compiled cannot be judged.
  if (errors.length > 0) return { ...common, diagnostics: errors };

  const ledger = await import("../ledger/index.js");
  const ledgers = await ledgerDocuments(project);
  const edits: FileEdit[] = [];
  const done: string[] = [];
  if (options.prune === true) {
    const pruned = ledger.pruneLedger(result.tools, ledgers);
    edits.push(...pruned.files);
    done.push(`${counted(pruned.removed.length, "entry", "entries")} taken away.`, ...pruned.removed.map(({ tool, claim }) => `  ${tool}: ${claim}`));
  }
  if (!isPruneOnly) {
    const waiting = ledger
      .pendingClaims(result.tools, ledgers, project.plan)
      .filter(({ tool }) => words.length === 0 || words.includes(tool));
    const claims = options.yes === true ? waiting : await askAboutEach(waiting, texts, terminal);
    const expiry = options.expires === undefined ? {} : { expires: options.expires };
    edits.push(...ledger.approve({ claims, ledgers: await ledgerDocuments(project, edits), reason: options.reason ?? "", ...expiry }));
    done.push(waiting.length === 0 ? "No claim waits for an approval." : `${claims.length} of ${counted(waiting.length, "claim")} approved.`);
    done.push(...claims.map(({ tool, claim }) => `  ${tool}: ${claim}`));
  }
  const diagnostics = await carryOut(edits, root);
  return {
    ...common,
    diagnostics,
    summary: { written: edits.map(({ path }) => path) },
    text: `${done.map(visibleText).join("\n")}\n`,
    couldNotCheck: diagnostics.length > 0,
  };
}

/** Why nothing may be approved like this. */
function refusalOf({ options, words, terminal }: Invocation<ApproveOptions>): Diagnostic | undefined {
  if (isSet(terminal.environment["CI"])) return cliDiagnostics("approve-in-ci", undefined, undefined);
  if ((options.reason ?? "").trim() === "") return cliDiagnostics("no-reason", undefined, undefined);
  if (options.yes === true) return words.length === 0 ? cliDiagnostics("no-ledger-selection", undefined, undefined) : undefined;
  return terminal.isInteractive ? undefined : cliDiagnostics("no-terminal", undefined, undefined);
}

/** The ledger as it will be once the edits are carried out. */
async function ledgerDocuments({ sources }: CompiledProject, edits: readonly FileEdit[] = []): Promise<readonly LoadedDocument[]> {
  const { parseSource } = await import("../phases/1-load/index.js");
  const edited = new Map(edits.map(({ path, text }) => [path, text]));
  return sources
    .filter(({ role }) => role === "ledger")
    .flatMap((source) => {
      if (!edited.has(source.uri)) return parseSource(source).value ?? [];
      const text = edited.get(source.uri);
      return text === undefined ? [] : (parseSource({ uri: source.uri, role: "ledger", text }).value ?? []);
    });
}

async function askAboutEach(
  claims: readonly PendingClaim[],
  texts: ReadonlyMap<string, string>,
  terminal: Invocation["terminal"],
): Promise<readonly PendingClaim[]> {
  const approved: PendingClaim[] = [];
  for (const [index, claim] of claims.entries()) {
    terminal.error(`\n${claimText(claim, texts, terminal)}\n`);
    const answer = await terminal.ask(`Approve (${index + 1} of ${claims.length})? [y/N] `);
    if (/^y(es)?$/i.test(answer.trim())) approved.push(claim);
  }
  return approved;
}

const STATES: Readonly<Record<PendingClaim["state"], string>> = {
  new: "nobody has approved it yet",
  stale: "approved once, but what the approval covers has changed",
  expired: "the approval has ended",
};

/** All that a reviewer needs to judge a claim: what it says, where, and a call that profits from it. */
function claimText(claim: PendingClaim, texts: ReadonlyMap<string, string>, { paint, columns }: Invocation["terminal"]): string {
  const { location, profits, earlierReason } = claim;
  const lines = [
    `${paint("heading", visibleText(claim.tool))}  ${visibleText(claim.claim)}`,
    paint("faint", `${visibleText(location.uri)}:${location.range.start.line}, ${STATES[claim.state]}`),
    codeFrame((texts.get(location.uri) ?? "").split(/\r\n|\n/), location.range, columns, paint),
  ];
  if (profits !== undefined) lines.push(`A call that profits: ${visibleLines(JSON.stringify(profits))}`);
  if (earlierReason !== undefined) lines.push(`The reason so far: ${visibleLines(earlierReason)}`);
  return lines.join("\n");
}

async function carryOut(edits: readonly FileEdit[], root: string): Promise<readonly Diagnostic[]> {
  const diagnostics: Diagnostic[] = [];
  for (const { path, text } of edits) {
    const target = resolve(root, path);
    const result = text === undefined ? await removeUserFile(target) : await makeUserFile(target, text, { replace: true });
    if (result.state === "failed") diagnostics.push(cliDiagnostics("cannot-write", undefined, { path, reason: result.reason ?? "unknown" }));
  }
  return diagnostics;
}
