import type { JsonObject } from "@hasp/schema";
import { type Diagnostic, printVisibleText, pluralize } from "@hasp/base/diagnostics";
import type { FileEdit, PendingClaim } from "@hasp/compiler/claims";
import type { LoadedDocument } from "@hasp/compiler/model";
import { dropUndefined, groupBy } from "@hasp/base/json";
import { today } from "@hasp/project";
import { makeUserFile, removeUserFile } from "@hasp/project/output";
import { readGitUser } from "@hasp/project/read";
import { claimTable, claimTexts } from "@hasp/report";
import type { ReportedProject } from "../project/project.js";
import type { ToolFilters, ToolSelection } from "../project/tool-filters.js";
import type { CommonOptions } from "../shell/command.js";
import { cliDiagnostics } from "../shell/diagnostics.js";
import type { Terminal } from "../shell/terminal.js";

export async function prune(project: ReportedProject): Promise<ApprovalResult> {
  const { listPolicyClaims, pruneLedger } = await import("@hasp/compiler/claims");
  const claims = new Map([
    ...project.result.tools.map(({ name, relaxations }) => [name, relaxations.map(({ claim }) => claim)] as const),
    ...project.result.policies.map((policy) => [policy.name, listPolicyClaims(policy)] as const),
  ]);
  const { files, removed } = pruneLedger(claims, await readLedgerDocuments(project));
  const lines = removed.map(({ tool, claim }) => `  ${printVisibleText(tool)}: ${printVisibleText(claim)}`);
  return {
    edits: files,
    text: `${[`${pluralize(removed.length, "entry", "entries")} removed.`, ...lines].join("\n")}\n`,
  };
}

export async function readLedgerDocuments(
  { sources }: ReportedProject,
  edits: readonly FileEdit[] = [],
): Promise<readonly LoadedDocument[]> {
  const { parseSource } = await import("@hasp/compiler/source");
  const edited = new Map(edits.map(({ path, text }) => [path, text]));
  return sources
    .filter(({ role }) => role === "ledger")
    .flatMap((source) => {
      if (!edited.has(source.uri)) return parseSource(source).value ?? [];
      const text = edited.get(source.uri);
      return text === undefined ? [] : (parseSource({ uri: source.uri, role: "ledger", text }).value ?? []);
    });
}

export async function writeEdits(edits: readonly FileEdit[], root: string): Promise<readonly Diagnostic[]> {
  const diagnostics: Diagnostic[] = [];
  for (const { path, text } of edits) {
    const result =
      text === undefined ? await removeUserFile(root, path) : await makeUserFile(root, path, text, { replace: true });
    if (result.state === "failed") {
      diagnostics.push(cliDiagnostics("cannot-write", undefined, { path, reason: result.reason }));
    }
  }
  return diagnostics;
}

export interface ApproveOptions extends ToolFilters {
  readonly reason?: string;
  readonly expires?: string;
  readonly suggested?: boolean;
  readonly imported?: boolean;
  readonly review?: boolean;
  readonly yes?: boolean;
  readonly contradicting?: boolean;
  readonly prune?: boolean;
}

export interface ApprovalRun {
  readonly project: ReportedProject;
  readonly options: ApproveOptions & CommonOptions;
  readonly terminal: Terminal;
  readonly selection: ToolSelection;
  readonly ledgers: readonly LoadedDocument[];
}

export interface ApprovalResult {
  readonly edits: readonly FileEdit[];
  /** Already escaped for terminals. */
  readonly text: string;
  readonly data?: JsonObject;
  readonly errors?: readonly Diagnostic[];
}

/** The most claims of high risk that one approval may cover without a caution. */
const MOST_AT_ONCE = 20;

export const NOTHING: ApprovalResult = { edits: [], text: "" };

export async function enterApprovals(
  approved: readonly PendingClaim[],
  waiting: readonly PendingClaim[],
  { project, options, terminal, ledgers }: ApprovalRun,
  reasonFor: (claim: PendingClaim) => string = () => options.reason ?? "",
): Promise<ApprovalResult> {
  const { approve, groupClaims, rateRisk } = await import("@hasp/compiler/claims");
  const { expires, verbose = false } = options;
  const open = waiting.filter((claim) => !approved.includes(claim));
  const table = (claims: readonly PendingClaim[]): string => {
    const groups = groupClaims(claims);
    // Otherwise each was read before it was approved.
    const texts = options.yes === true ? claimTexts(groups, terminal, { all: verbose }) : "";
    return claims.length === 0 ? "" : `\n${claimTable(groups, terminal, { allNames: verbose })}${texts}`;
  };
  const verdict =
    waiting.length === 0
      ? "No claim waits for an approval."
      : `${approved.length} of ${pluralize(waiting.length, "claim")} approved.`;
  const stillOpen = open.length === 0 ? "" : `\n${pluralize(open.length, "claim")} left open:\n${table(open)}`;
  const risky = approved.filter(({ claim }) => rateRisk(claim) === "high").length;
  const caution =
    options.yes === true && risky > MOST_AT_ONCE
      ? `\n${risky} claims of high risk were approved at once. The reviewer of the ledger has to judge each of them.\n`
      : "";
  const rows = (claims: readonly PendingClaim[]): readonly JsonObject[] =>
    claims.map(({ tool, claim }) => ({ tool, claim, risk: rateRisk(claim) }));
  return {
    edits: [...groupBy(approved, reasonFor)].flatMap(([reason, claims]) =>
      approve({
        claims,
        ledgers,
        reason,
        by: readGitUser(project.root),
        // The plan of a project without a ledger has no date.
        on: today(),
        ...dropUndefined({ expires }),
      }),
    ),
    text: `${verdict}\n${table(approved)}${caution}${stillOpen}`,
    data: { approved: rows(approved), open: rows(open) },
  };
}
