import { type Diagnostic, printVisibleText, pluralize } from "@hasp/base/diagnostics";
import type { FileEdit, PendingClaim, SuggestedClaim } from "@hasp/compiler/claims";
import type { SourceText, FlatTool } from "@hasp/compiler";
import type { ReportedProject } from "../project/project.js";
import { type ApprovalRun, type ApprovalResult, enterApprovals, NOTHING } from "./approval.js";
import { askAboutClaims } from "./ask-about-claims.js";

export async function approveWaiting(approval: ApprovalRun): Promise<ApprovalResult> {
  const { project, options, terminal } = approval;
  const waiting = await waitingClaims(approval);
  const questioning = { texts: project.texts, terminal, oneByOne: options.review === true };
  // A claim that contradicts its handler needs an explicit request.
  const undoubted = waiting.filter(
    ({ contradiction }) => contradiction === undefined || options.contradicting === true,
  );
  const approved = options.yes === true ? undoubted : await askAboutClaims(waiting, questioning);
  const entered = await enterApprovals(approved, waiting, approval);
  const skipped = options.yes === true ? waiting.length - undoubted.length : 0;
  if (skipped === 0) return entered;
  const contradict = skipped === 1 ? "contradicts" : "contradict";
  const hint = `${pluralize(skipped, "claim")} ${contradict} what the handler does; --contradicting approves such a claim too.`;
  return { ...entered, text: `${entered.text}\n${hint}\n` };
}

async function waitingClaims({
  project,
  selection,
  ledgers,
}: Pick<ApprovalRun, "project" | "selection" | "ledgers">): Promise<readonly PendingClaim[]> {
  const { listPendingClaims, listPendingPolicyClaims, readApprovals } = await import("@hasp/compiler/claims");
  const { result, plan } = project;
  const tools = result.tools.filter((tool) => selection.has(tool));
  const policies = result.policies.filter(({ name, toolset, document }) =>
    selection.hasPolicy({ name, toolset, uri: document.uri }),
  );
  const approvals = readApprovals(ledgers, result.tools, plan);
  return [...listPendingClaims(tools, approvals), ...listPendingPolicyClaims(policies, approvals)];
}

/** Adopts and approves suggestions of importers and declared handlers; for each tool all or none. */
export async function approveSuggestions(approval: ApprovalRun): Promise<ApprovalResult> {
  const { project, options, terminal, selection, ledgers } = approval;
  const { listPendingClaims, readApprovals } = await import("@hasp/compiler/claims");
  const selected = project.result.tools.filter((tool) => selection.has(tool));
  const candidate = await withSuggestions(project, selected);
  const moved = new Set(
    candidate.claims.filter(({ outcome }) => outcome === "moved").map(({ tool, claim }) => `${tool} ${claim}`),
  );
  const waiting = listPendingClaims(candidate.tools, readApprovals(ledgers, candidate.tools, project.plan)).filter(
    ({ tool, claim }) => moved.has(`${tool} ${claim}`),
  );
  const questioning = { texts: candidate.texts, terminal, oneByOne: options.review === true };
  const answers = options.yes === true ? waiting : await askAboutClaims(waiting, questioning);
  const refused = new Set(waiting.filter((claim) => !answers.includes(claim)).map(({ tool }) => tool));
  const accepted = selected.filter(({ name }) => !refused.has(name));
  const { edits, errors } = await withSuggestions(project, accepted);
  if (errors.length > 0) return { ...NOTHING, errors };
  const entered = await enterApprovals(
    answers.filter(({ tool }) => !refused.has(tool)),
    waiting,
    approval,
  );
  const open = leftOpen(approval, candidate.claims, refused, await waitingClaims(approval));
  return {
    ...entered,
    edits: [...edits, ...entered.edits],
    text: open.length === 0 ? entered.text : `${entered.text}\n${open.map(printVisibleText).join("\n")}\n`,
  };
}

function leftOpen(
  { project, selection, options }: ApprovalRun,
  claims: readonly SuggestedClaim[],
  refused: ReadonlySet<string>,
  own: readonly PendingClaim[],
): readonly string[] {
  const suggesting = project.result.tools.filter(({ spec }) => spec.origin?.suggested !== undefined);
  const others = suggesting.filter((tool) => !selection.has(tool)).length;
  const lines = [...refused].map((tool) => `${tool}: left as it is, since not all of its suggestions were approved.`);
  for (const { tool, claim, outcome } of claims) {
    if (!refused.has(tool) && outcome !== "moved") lines.push(`${tool}: ${claim} ${FATES[outcome]}.`);
  }
  if (own.length > 0) {
    const tools = new Set(own.map(({ tool }) => tool)).size;
    const wait = `${own.length === 1 ? "waits" : "wait"} in ${pluralize(tools, "spec")}`;
    lines.push(
      `${pluralize(own.length, "claim")} that no importer suggested ${wait}: run hasp approve without --suggested.`,
    );
  }
  if (others > 0) {
    const byClass =
      options.only?.["class"] === undefined ? "" : " --only class:… selects by the class that a tool has now.";
    lines.push(
      `${pluralize(others, "tool")} outside this selection ${others === 1 ? "has" : "have"} suggestions.${byClass}`,
    );
  }
  return lines;
}

const FATES = {
  unknown: 'is not a claim that hasp knows; it stays under "suggested"',
  contradicted: 'contradicts what the handler does; it stays under "suggested"',
  stated: "was dropped, since the spec itself states that field",
};

async function withSuggestions(
  project: ReportedProject,
  tools: readonly FlatTool[],
): Promise<{
  readonly edits: readonly FileEdit[];
  readonly tools: readonly FlatTool[];
  readonly texts: ReadonlyMap<string, string>;
  readonly claims: readonly SuggestedClaim[];
  readonly errors: readonly Diagnostic[];
}> {
  const { approveSuggested } = await import("@hasp/compiler/claims");
  const { compile } = await import("@hasp/compiler");
  const { files: edits, claims } = approveSuggested(tools);
  const edited = new Map(edits.map(({ path, text }) => [path, text]));
  const sources = project.sources.map((source): SourceText => {
    const text = edited.get(source.uri);
    return text === undefined ? source : { uri: source.uri, role: source.role, text };
  });
  const result = await compile(sources, project.plan, {
    emits: false,
    plugins: project.plugins,
  });
  return {
    edits,
    tools: result.tools,
    texts: new Map(sources.map(({ uri, text }) => [uri, text])),
    claims,
    errors: result.diagnostics.filter(
      ({ severity, tool }) => severity === "error" && tools.some(({ name }) => name === tool),
    ),
  };
}
