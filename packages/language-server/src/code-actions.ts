import { readLineBreak, findLineStart } from "@hasp/base/diagnostics";
import type { Diagnostic, TextSpan } from "@hasp/base/diagnostics";
import { loadSource, type SourceText } from "@hasp/compiler";
import { type LanguageProject, readProjectApprovals, type FileChange } from "./language-project.js";
import { applyFix } from "@hasp/compiler/edit";
import { insertItem, findTextChange } from "./text-edits.js";
import {
  approve,
  findExampleInput,
  locateLedger,
  listPendingClaims,
  listPendingPolicyClaims,
} from "@hasp/compiler/claims";
import { parsePointer, canonicalText } from "@hasp/base/json";
import { createClassifier } from "@hasp/compiler/run";
import { parseSource } from "@hasp/compiler/source";
import { sortBySeverity } from "@hasp/report";
import { findingPhases, groupName } from "@hasp/compiler/model";

interface OfferedChange {
  readonly title: string;
  /** `undefined` if the offer is only shown, and cannot be taken. */
  readonly change: FileChange | undefined;
  /** The reason for which it cannot be taken. */
  readonly disabled?: string;
  readonly isPreferred?: true;
}

interface CodeAction extends OfferedChange {
  readonly finding: Diagnostic;
}

interface ActionPlace {
  readonly project: LanguageProject;
  readonly document: SourceText;
  readonly finding: Diagnostic;
}

type Offer = (place: ActionPlace) => readonly OfferedChange[];

/** Offers the only remedy of a finding, as `hasp check --fix` applies it. */
const applyOwnFix: Offer = ({ project, document, finding }) => {
  const { fix, code } = finding;
  const source = [document, ...project.sources, project.config].find((each) => each?.uri === fix?.uri);
  const fixed = fix === undefined || source === undefined ? undefined : applyFix(source, fix);
  if (source === undefined || fixed === undefined) return [];
  return [{ title: `Fix ${code}`, isPreferred: true, change: findTextChange(source, fixed.text) }];
};

const NOT_IN_CI = "CI is set here: only a person can approve a claim.";

/** Adds a claim's ledger entry without a reason: the finding stays until the reviewer has written one. */
export const approveClaim: Offer = ({ project, finding }) => {
  const { compiled, sources } = project;
  if (!finding.code.startsWith("ledger/") || compiled === undefined) return [];
  const { tools, policies } = compiled.result;
  const approvals = readProjectApprovals(project, compiled);
  const ledgers = approvals.files.map(({ document }) => document);
  const pending = [...listPendingClaims(tools, approvals), ...listPendingPolicyClaims(policies, approvals)];
  const { location } = finding;
  const claims = pending.filter(
    (claim) =>
      claim.location.uri === location?.uri &&
      claim.location.range.start.offset === location.range.start.offset &&
      finding.message.includes(claim.claim),
  );
  const reviewer = project.reviewer();
  return claims.map((claim) => {
    const title = `Approve ${claim.claim}: write the reason`;
    if (reviewer === undefined) return { title, change: undefined, disabled: NOT_IN_CI };
    // Stands for the reason, which is then left empty. No ledger can hold it already.
    const reason = `reason-${crypto.randomUUID()}`;
    const [file] = approve({ claims: [claim], ledgers, reason, ...reviewer });
    const text = file?.text?.replace(reason, '""') ?? "";
    const source = sources.find(({ uri }) => uri === file?.path);
    const change =
      source === undefined
        ? ({ kind: "create", uri: file?.path ?? locateLedger(claim.tool), text } as const)
        : findTextChange(source, text);
    return { title, change };
  });
};

/** Adds a test that reaches an untested row of the decision table. */
const addTest: Offer = ({ project, document, finding }) => {
  const tool = project.compiled?.result.tools.find(({ name }) => name === finding.tool);
  if (finding.code !== "safety/untested-row" || tool === undefined || document.uri !== tool.document.uri) return [];
  const inside = finding.location?.pointer.slice(tool.pointer.length) ?? "";
  const row = /^\/concurrency\/rules\/\d+/u.exec(inside)?.[0];
  const input = row === undefined ? undefined : findExampleInput(tool, { pointer: row });
  if (input === undefined) return [];
  const expected = createClassifier(tool)(input).answer;
  const after = insertItem(document, parsePointer(tool.pointer), "tests", {
    input,
    expect: { class: expected.class },
  });
  if (after === undefined) return [];
  return [{ title: "Add a test that reaches this row", change: findTextChange(document, after) }];
};

/**
 * Adds a comment that suppresses a rule on the finding's line. The author must write the reason, which is a finding
 * until then. Offers nothing where comments cannot be, as in JSON and inside multi-line texts.
 */
const suppressFinding: Offer = ({ project, document, finding }) => {
  const { code, location } = finding;
  const isOfRule = finding.fixed !== true && !findingPhases.has(groupName({ id: code }));
  if (!isOfRule || location === undefined || document.uri.endsWith(".json")) return [];
  const { text, uri } = document;
  const start = findLineStart(text, location.range.start.offset);
  const indentation = /^\s*/u.exec(text.slice(start))?.[0] ?? "";
  const lineBreak = readLineBreak(text);
  const comment = `${indentation}# hasp-ignore ${code} -- ${lineBreak}`;
  const after = text.slice(0, start) + comment + text.slice(start);
  const before = loadSource(document, project.cache).value;
  const changed = parseSource({ ...document, text: after }).value;
  const isSame =
    before !== undefined && changed !== undefined && canonicalText(before.value) === canonicalText(changed.value);
  if (!isSame) return [];
  const change = { kind: "replace", span: { uri, start, end: start }, text: comment } as const;
  return [{ title: `Suppress ${code} here: write the reason`, change }];
};

const OFFERS: readonly Offer[] = [applyOwnFix, approveClaim, addTest, suppressFinding];

/** Limits the findings that one request is answered for: for each, the document may be read again. */
const MOST_FINDINGS = 20;

/** Lists changes for the first findings on the lines of a range. */
export function listCodeActions(
  project: LanguageProject,
  document: SourceText,
  { start, end }: TextSpan,
): readonly CodeAction[] {
  const lineStart = findLineStart(document.text, start);
  const nextLine = document.text.indexOf("\n", end);
  const lineEnd = nextLine === -1 ? document.text.length : nextLine;
  const touched = sortBySeverity(project.diagnostics).filter(
    ({ location }) =>
      location?.uri === document.uri &&
      location.range.start.offset <= lineEnd &&
      lineStart <= location.range.end.offset,
  );
  return touched
    .slice(0, MOST_FINDINGS)
    .flatMap((finding) =>
      OFFERS.flatMap((offer) => offer({ project, document, finding })).map((offered) => ({ ...offered, finding })),
    );
}
