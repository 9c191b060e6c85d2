import type { PendingClaim } from "../../ledger/index.js";
import { codeFrame } from "../../reporters/code-frame.js";
import { visibleLines, visibleText } from "../../reporters/visible-text.js";
import type { Terminal } from "./terminal.js";

/** Shows each claim and asks whether it is approved; the answer is those that are. */
export async function askAboutClaims(
  claims: readonly PendingClaim[],
  texts: ReadonlyMap<string, string>,
  terminal: Terminal,
): Promise<readonly PendingClaim[]> {
  const approved: PendingClaim[] = [];
  const questions = terminal.questions();
  for (const [index, claim] of claims.entries()) {
    terminal.error(`\n${claimText(claim, texts, terminal)}\n`);
    const answer = await questions.ask(`Approve (${index + 1} of ${claims.length})? [y/N] `);
    if (/^y(es)?$/i.test(answer.trim())) approved.push(claim);
  }
  questions.end();
  return approved;
}

const STATES: Readonly<Record<PendingClaim["state"], string>> = {
  new: "nobody has approved it yet",
  stale: "approved once, but what the approval covers has changed",
  expired: "the approval has ended",
};

/** Describes a claim to a reviewer: its text, its location and a call that benefits from it. */
function claimText(claim: PendingClaim, texts: ReadonlyMap<string, string>, { paint, columns }: Terminal): string {
  const { location, example, earlierReason } = claim;
  const lines = [
    `${paint("heading", visibleText(claim.tool))}  ${visibleText(claim.claim)}`,
    paint("faint", `${visibleText(location.uri)}:${location.range.start.line}, ${STATES[claim.state]}`),
    codeFrame((texts.get(location.uri) ?? "").split(/\r\n|\n/), location.range, columns, paint),
  ];
  if (example !== undefined) lines.push(`A call that benefits: ${visibleLines(JSON.stringify(example))}`);
  if (earlierReason !== undefined) lines.push(`The reason so far: ${visibleLines(earlierReason)}`);
  return lines.join("\n");
}
