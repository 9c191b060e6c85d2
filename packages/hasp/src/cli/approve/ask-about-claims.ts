import { groupClaims, rateRisk, type ClaimGroup, type PendingClaim, type Risk } from "@hasp/compiler/claims";
import { printCodeFrame, claimTable, wrapWords } from "@hasp/report";
import { printVisibleLines, printVisibleText, joinList } from "@hasp/base/diagnostics";
import { isYes, type Prompter, type Terminal } from "../shell/terminal.js";

interface Questioning {
  readonly texts: ReadonlyMap<string, string>;
  readonly terminal: Terminal;
  /** Ask about each claim, even if several tools share its words. */
  readonly oneByOne: boolean;
}

/**
 * Shows claims by kind and risk and asks about them, the riskiest first. Groups claims of the same words across tools;
 * asks about those that contradict their handler last, one by one. Returns the approved claims.
 */
export async function askAboutClaims(
  claims: readonly PendingClaim[],
  { texts, terminal, oneByOne }: Questioning,
): Promise<readonly PendingClaim[]> {
  if (claims.length === 0) return [];
  const contradicting = claims.filter(({ contradiction }) => contradiction !== undefined);
  const groups = groupClaims(claims.filter((claim) => !contradicting.includes(claim)));
  if (groups.length > 0) terminal.error(`\n${claimTable(groups, terminal)}`);
  const approved: PendingClaim[] = [];
  const questions = terminal.questions();
  let asked = 0;
  const askAbout = async (claim: PendingClaim, risk: Risk, question: string): Promise<void> => {
    asked += 1;
    terminal.error(`\n${claimText(claim, risk, texts, terminal)}\n${contradictionText(claim, texts, terminal)}`);
    const reply = await questions.ask(`${question} (${asked} of ${claims.length})? [y/N] `);
    if (isYes(reply)) approved.push(claim);
  };
  for (const group of groups) {
    const together = group.isUniform && group.claims.length > 1 && !oneByOne;
    const answer = together ? await askAboutGroup(group, questions, terminal) : "review";
    if (answer === "yes") approved.push(...group.claims);
    if (answer === "review") for (const claim of group.claims) await askAbout(claim, group.risk, "Approve");
    else asked += group.claims.length;
  }
  for (const claim of contradicting) await askAbout(claim, rateRisk(claim.claim), "Approve it anyway");
  questions.end();
  return approved;
}

async function askAboutGroup(
  { kind, risk, claims }: ClaimGroup,
  questions: Prompter,
  { error, paint, columns }: Terminal,
): Promise<"yes" | "no" | "review"> {
  const states = STATES_IN_ORDER.map((state) => [claims.filter((each) => each.state === state).length, state] as const);
  const counts = states.filter(([count]) => count > 0).map(([count, state]) => `${count} ${state}`);
  const names = claims.map(({ tool }, index) => `${printVisibleText(tool)}${index === claims.length - 1 ? "" : ","}`);
  const lines = wrapWords(names, columns - 2).map((line) => `  ${line}`);
  error(`\n${paint("heading", printVisibleText(kind))}  ${risk} risk, ${joinList(counts)}\n${lines.join("\n")}\n`);
  return askAboutAll(claims.length, questions);
}

export async function askAboutAll(count: number, questions: Prompter): Promise<"yes" | "no" | "review"> {
  const reply = await questions.ask(`Approve all ${count}? [y/N, r to review one by one] `);
  if (isYes(reply)) return "yes";
  return /^r(eview)?$/iu.test(reply.trim()) ? "review" : "no";
}

const STATES: Readonly<Record<PendingClaim["state"], string>> = {
  new: "nobody has approved it yet",
  stale: "approved once, but what the approval covers has changed",
  expired: "the approval has expired",
  contradicted: "approved, but not against what the handler does",
};
const STATES_IN_ORDER = Object.keys(STATES) as readonly PendingClaim["state"][];

function claimText(
  claim: PendingClaim,
  risk: Risk,
  texts: ReadonlyMap<string, string>,
  { paint, columns }: Terminal,
): string {
  const { location, example, earlierReason } = claim;
  const place = `${printVisibleText(location.uri)}:${location.range.start.line}`;
  const lines = [
    `${paint("heading", printVisibleText(claim.tool))}  ${printVisibleText(claim.claim)}`,
    paint("faint", `${place}, ${risk} risk, ${STATES[claim.state]}`),
    printCodeFrame((texts.get(location.uri) ?? "").split(/\r\n|\n/), location.range, columns, paint),
  ];
  if (example !== undefined) lines.push(`A call that benefits: ${printVisibleLines(JSON.stringify(example))}`);
  if (earlierReason !== undefined) lines.push(`The reason so far: ${printVisibleLines(earlierReason)}`);
  return lines.join("\n");
}

function contradictionText(
  { contradiction }: PendingClaim,
  texts: ReadonlyMap<string, string>,
  { paint, columns }: Terminal,
): string {
  if (contradiction === undefined) return "";
  const { kind, effect, location } = contradiction;
  const { uri, range } = location;
  const place = `${printVisibleText(uri)}:${range.start.line}`;
  return [
    `${paint("heading", "The handler contradicts it")}: it ${printVisibleText(effect.reason)}.`,
    paint("faint", `${place}, handler.${kind}`),
    `${printCodeFrame((texts.get(uri) ?? "").split(/\r\n|\n/), range, columns, paint)}\n`,
  ].join("\n");
}
