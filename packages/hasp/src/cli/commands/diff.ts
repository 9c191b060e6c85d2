import type { JsonArray } from "@hasp/schema";
import { Option } from "commander";
import { CompileCache } from "@hasp/compiler";
import type { ApprovalProof } from "@hasp/compiler/model";
import { type Diagnostic, isError } from "@hasp/base/diagnostics";
import { isUnproved, findLevelName, findList, type DiffList } from "@hasp/compiler/diff";
import { countComparison, identifyFinding, printComparison, type ReviewedFinding } from "@hasp/report";
import { compareWith } from "@hasp/catalogue";
import { toSlashPath } from "@hasp/project";
import type { CommandModule, Invocation, CommandResult } from "../shell/command.js";
import { parseWord } from "../shell/options.js";
import { ALLOWED, type Allowed, findReplacedProjects, permit } from "../project/comparisons.js";
import { compileProject, createSession, isCompiled, type ReportedProject } from "../project/project.js";

interface DiffOptions {
  readonly allow?: readonly Allowed[];
  /** Set by `hasp ci` to find what the base has, too. */
  readonly checksBase?: boolean;
  /** Set by `hasp ci`, which also checks who has seen the approvals of the change. */
  readonly isCi?: true;
}

/** The result of a comparison, with the findings that the base has. */
interface DiffResult extends CommandResult {
  readonly standing?: ReadonlySet<string>;
}

export const diff: CommandModule = {
  showsNotes: true,
  configure(command) {
    command
      .argument(
        "<base>",
        "a git ref such as origin/main, or a folder that holds the other version (./…, ../… or an absolute path)",
        parseWord,
      )
      .addOption(allowOption());
  },
  run: (invocation) => runDiff({ ...invocation, cache: new CompileCache() }),
};

export function allowOption(): Option {
  return new Option("--allow <lists...>", "report findings of these lists as warnings").choices(Object.values(ALLOWED));
}

export async function runDiff(invocation: Invocation<DiffOptions>): Promise<DiffResult> {
  const [base = ""] = invocation.words;
  const project = await compileComparison(invocation);
  if (!isCompiled(project)) return project;
  const { root, texts } = project;
  const common = { sources: texts, root };
  const compared = await compareWith(base, project, {
    ...placeComparison(invocation),
    checksBase: invocation.options.checksBase,
  });
  if ("refusal" in compared) return { ...common, diagnostics: [compared.refusal], state: "unchecked" };
  if ("errors" in compared) return { ...common, diagnostics: compared.errors };
  const gone = invocation.options.all === true ? [] : findReplacedProjects(base, root, invocation.folder);
  const { costs, standing, proof } = compared;
  const unseen =
    invocation.options.isCi === true
      ? await findUnseen(project, [proof, project.plan.approvals?.verify], invocation)
      : [];
  const diagnostics = [...permit([...compared.diagnostics, ...gone], invocation.options.allow), ...unseen];
  return {
    ...common,
    diagnostics,
    comparison: { costs },
    standing,
    summary: { base, ...countComparison(diagnostics), tokens: costs.map((cost) => ({ ...cost })) },
    data: { lists: listsOf(diagnostics) },
    text: printComparison(diagnostics, costs, base) + printMeant(diagnostics),
  };
}

/** Finds approvals that nobody vouches for, by the proof that the base demands and the proof that the change demands. */
async function findUnseen(
  { root, sources }: ReportedProject,
  proofs: readonly (ApprovalProof | undefined)[],
  { words: [base = ""], terminal: { environment } }: Invocation,
): Promise<readonly Diagnostic[]> {
  const { findUnseenApprovals } = await import("@hasp/project/pull-request");
  const ledgers = sources.filter(({ role }) => role === "ledger");
  const found = [...new Set(proofs)].flatMap((proof) =>
    proof === undefined ? [] : [findUnseenApprovals(ledgers, proof, { root, base, environment })],
  );
  return (await Promise.all(found)).flat();
}

/** Says where a base is found that is a path: in a run for all projects, at the same place below it. */
export function placeComparison(
  invocation: Invocation,
): Pick<Parameters<typeof compareWith>[2], "session" | "folder" | "below"> {
  const { folder, root, options } = invocation;
  return { session: createSession(invocation), folder, below: options.all === true ? toSlashPath(folder, root) : "" };
}

/** Compiles the project that is compared. `check` reports missing approvals; a comparison shows what needs approval. */
export async function compileComparison(
  invocation: Invocation,
  unlocked = true,
): Promise<ReportedProject | CommandResult> {
  return compileProject(invocation, { adapt: (plan) => ({ ...plan, unlocked }) });
}

/** Marks a finding that the base has, too. */
export function markOld(finding: ReviewedFinding, standing: ReadonlySet<string>): ReviewedFinding {
  return standing.has(identifyFinding(finding)) ? { ...finding, isOld: true } : finding;
}

export function printMeant(diagnostics: readonly Diagnostic[]): string {
  const failing = new Set<string | undefined>(diagnostics.filter(isError).map(findLevelName));
  const words = Object.entries(ALLOWED).flatMap(([name, word]) => (failing.has(name) ? [word] : []));
  return words.length === 0 ? "" : `If a reviewer agrees with this change: --allow ${words.join(" ")}\n`;
}

function listsOf(diagnostics: readonly Diagnostic[]): { readonly [list in DiffList]: JsonArray } {
  const entries = (list: DiffList): JsonArray =>
    diagnostics
      .filter((each) => findList(each) === list)
      .map(({ code, severity, tool, message, location }) => ({
        code,
        severity,
        tool: tool ?? null,
        message,
        may: isUnproved(code),
        uri: location?.uri ?? null,
        line: location?.range.start.line ?? null,
      }));
  return { breaks: entries("breaks"), loosens: entries("loosens"), prompt: entries("prompt") };
}
