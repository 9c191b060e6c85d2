import { withoutApprovals } from "@hasp/project/session";
import { InvalidArgumentError, Option } from "commander";
import { type Diagnostic, isBlankText } from "@hasp/base/diagnostics";
import { today } from "@hasp/project";
import { CONTRADICTION_RULE, isDay } from "@hasp/compiler/claims";
import {
  type ApprovalRun,
  type ApproveOptions,
  readLedgerDocuments,
  NOTHING,
  prune,
  writeEdits,
} from "../approve/approval.js";
import { approveImported } from "../approve/approve-imported.js";
import { approveSuggestions, approveWaiting } from "../approve/approve-suggestions.js";
import { compileProject, isCompiled } from "../project/project.js";
import { declareToolFilters, selectTools } from "../project/tool-filters.js";
import { type CommandModule, type CommandResult, type Invocation, printNextBuild, refuse } from "../shell/command.js";
import { cliDiagnostics } from "../shell/diagnostics.js";
import { isSet } from "@hasp/project";

export const approve: CommandModule = {
  configure(command) {
    declareToolFilters(
      command.argument("[tools...]", "approve only claims of these tools and policies; * stands for any characters"),
    )
      .option("--reason <text>", "why it is safe, for readers of the ledger")
      .option("--expires <day>", "the last day on which the approval is valid, such as 2027-01-31", day)
      .option(
        "--suggested",
        "first write into the spec the claims that an importer suggests or a declared handler shows",
      )
      .addOption(
        new Option(
          "--imported",
          "approve what imported documents leave open in inputs, with one question per document",
        ).conflicts("suggested"),
      )
      .option(
        "--review",
        "ask about each claim separately, with an input that benefits from it, even if many tools make the same claim",
      )
      .addOption(new Option("--yes", "do not ask; requires names of tools or another selection").conflicts("review"))
      .option("--contradicting", "with --yes, also approve claims that contradict what the declared handler does")
      .option("--prune", "remove entries whose claim or tool is gone");
  },
  run: runApprove,
};

function day(text: string): string {
  if (!isDay(text)) throw new InvalidArgumentError("Expected a day such as 2027-01-31.");
  if (text < today()) {
    throw new InvalidArgumentError(`That day has passed: today is ${today()}.`);
  }
  return text;
}

async function runApprove(invocation: Invocation<ApproveOptions>): Promise<CommandResult> {
  const { options, terminal } = invocation;
  const { suggested = false, imported = false } = options;
  const isPruneOnly = options.prune === true && options.reason === undefined && !suggested && !imported;
  const refusal = isPruneOnly ? undefined : refusalOf(invocation);
  if (refusal !== undefined) return refuse(refusal);

  const project = await compileProject(invocation, { adapt: withoutApprovals });
  if (!isCompiled(project)) return project;
  const { result, root, texts } = project;
  const common = { sources: texts, root };
  const errors = project.diagnostics
    // With `--unlocked` this finding is a warning, but still no approval can cover the claim.
    .map((each): Diagnostic => (each.code === "ledger/cannot-cover" ? { ...each, severity: "error" } : each))
    .filter(
      // The size of a tool says nothing about the safety of its claims.
      ({ severity, code }) => severity === "error" && code !== CONTRADICTION_RULE && !code.startsWith("size/"),
    );
  const others = [
    ...result.policies.map(({ name, document }) => ({ name, uri: document.uri })),
    ...errors.flatMap(({ tool, location }) => (tool === undefined ? [] : [{ name: tool, uri: location?.uri ?? "" }])),
  ];
  const selection = selectTools(invocation, project, others);
  if (selection.unknown.length > 0) return { ...common, diagnostics: selection.unknown, state: "unchecked" };
  const concerns = ({ tool: name, location }: Diagnostic): boolean => {
    if (name === undefined) return true;
    const tool = result.tools.find((each) => each.name === name);
    // A broken tool's tags and flags may be unknown, so select it by its name and file alone.
    return tool === undefined ? selection.admits(name, location?.uri) : selection.has(tool);
  };
  const blocking = errors.filter(concerns);
  if (blocking.length > 0) return { ...common, diagnostics: blocking };

  const pruned = options.prune === true ? await prune(project) : NOTHING;
  const approval: ApprovalRun = {
    project,
    options,
    terminal,
    selection,
    ledgers: await readLedgerDocuments(project, pruned.edits),
  };
  const approveSome = imported ? approveImported : suggested ? approveSuggestions : approveWaiting;
  const approved = isPruneOnly ? NOTHING : await approveSome(approval);
  if (approved.errors !== undefined) return { ...common, diagnostics: approved.errors };
  const edits = [...pruned.edits, ...approved.edits];
  const diagnostics = await writeEdits(edits, root);
  const isWritten = diagnostics.length === 0;
  const next = edits.length === 0 ? "" : printNextBuild(invocation);
  return {
    ...common,
    diagnostics,
    summary: { written: isWritten ? edits.map(({ path }) => path) : [] },
    ...(isWritten ? { data: approved.data ?? {}, text: `${pruned.text}${approved.text}${next}` } : {}),
    state: isWritten ? undefined : "unchecked",
  };
}

function refusalOf(invocation: Invocation<ApproveOptions>): Diagnostic | undefined {
  const { options, terminal } = invocation;
  if (isSet(terminal.environment["CI"])) return cliDiagnostics("approve-in-ci");
  // For inputs that a document leaves open, the document is both the reason and the selection.
  const { imported = false, reason = imported ? "imported" : "" } = options;
  if (isBlankText(reason)) return cliDiagnostics("no-reason");
  if (options.yes === true) {
    return imported || invocation.words.length > 0 || options.only !== undefined
      ? undefined
      : cliDiagnostics("no-ledger-selection");
  }
  return terminal.isInteractive ? undefined : cliDiagnostics("no-terminal");
}
