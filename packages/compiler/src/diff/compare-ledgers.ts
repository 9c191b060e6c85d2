import { type Diagnostic, type Location, joinList } from "@hasp/base/diagnostics";
import { type Approvals, type JudgedClaim, locateClaim, readApprovals, listToolClaims } from "../ledger/claims.js";
import { describeParts } from "../ledger/check-ledger.js";
import { type Coverage, coversText, DECLARED_PARTS, isCovered, takesNoMore } from "../ledger/coverage.js";
import type { LedgerEntry } from "../ledger/ledger-file.js";
import { isSameJson } from "@hasp/base/json";
import type { FlatTool, Relaxation } from "../model/tool.js";
import { findChangedGrantParts, type JudgedGrant, judgeGrants } from "../policies/policy-claims.js";
import { printRule } from "../policies/grants.js";
import { checkText } from "./compare-input.js";
import { diffDiagnostics } from "./diagnostics.js";
import type { Version } from "./version.js";

interface ComparedClaim extends Pick<JudgedClaim, "ledger" | "claim" | "state" | "entry"> {
  readonly location: Location;
  readonly covered: Coverage<string>;
  /** Names the parts that may cover more than before; empty if none can. */
  widenedSince(earlier: ComparedClaim): readonly string[];
  readonly subject: { readonly tool: FlatTool; readonly relaxation: Relaxation } | { readonly grant: JudgedGrant };
}

/** Finds a change's approvals of its own claims, and claims that may cover other calls than the approved ones. */
export function compareLedgers(
  before: Version,
  after: Version,
  nameBefore: (name: string) => string,
): readonly Diagnostic[] {
  const [oldApprovals, newApprovals] = [before, after].map(({ ledgers, tools, plan }) =>
    readApprovals(ledgers, tools, plan),
  ) as [Approvals, Approvals];
  const old = new Map(listClaims(before, oldApprovals).map((claim) => [`${claim.ledger} ${claim.claim}`, claim]));
  return listClaims(after, newApprovals).flatMap((claim) => {
    const ledger = nameBefore(claim.ledger);
    const entry = oldApprovals.entries.get(ledger)?.find((each) => each.claim === claim.claim);
    return compareClaim(claim, old.get(`${ledger} ${claim.claim}`), entry);
  });
}

function compareClaim(
  claim: ComparedClaim,
  earlier: ComparedClaim | undefined,
  oldEntry: LedgerEntry | undefined,
): readonly Diagnostic[] {
  const { entry, state } = claim;
  const details = { tool: claim.ledger };
  const parameters = { claim: claim.claim, reason: entry?.reason ?? "" };
  const approvedHere = diffDiagnostics("approved-here", entry?.location, parameters, details);
  const isUnchanged = earlier?.covered.digest === claim.covered.digest;
  const changed = earlier === undefined || isUnchanged ? [] : claim.widenedSince(earlier);
  const covered = changed.join(", and ");
  if (entry === undefined || state === "stale" || state === "uncoverable") {
    const waiting =
      changed.length === 0
        ? []
        : [diffDiagnostics("covers-changed", claim.location, { claim: claim.claim, covered }, details)];
    return [...waiting, ...(entry === undefined ? [] : given(entry, oldEntry))];
  }
  if (changed.length > 0) {
    const renewed = { variant: "renewed", ...parameters, covered } as const;
    return [diffDiagnostics("self-approved", entry.location, renewed, details), ...prolonged(entry, oldEntry)];
  }
  // Its earlier approval was stale already.
  const wasStale = oldEntry !== undefined && isUnchanged && !isCovered(oldEntry.covers, claim.covered);
  return wasStale ? [approvedHere] : given(entry, oldEntry);

  function given(now: LedgerEntry, was: LedgerEntry | undefined): readonly Diagnostic[] {
    if (was === undefined && earlier === undefined) {
      const related = [{ location: claim.location, message: "The claim" }];
      return [
        diffDiagnostics("self-approved", now.location, { variant: "new", ...parameters }, { ...details, related }),
      ];
    }
    const isExcused = now.contradicts !== undefined && now.contradicts !== was?.contradicts;
    if (was === undefined || isExcused) return [approvedHere];
    const changes = findRewrites(was, now);
    if (changes.length === 0 || now.covers !== was.covers) return prolonged(now, was);
    // A later day makes it another approval.
    if (isLater(now, was)) return [approvedHere, ...prolonged(now, was)];
    const rewritten = { claim: claim.claim, changes: joinList(changes) };
    return [diffDiagnostics("approval-rewritten", now.location, rewritten, details), ...prolonged(now, was)];
  }

  function prolonged(now: LedgerEntry, was: LedgerEntry | undefined): readonly Diagnostic[] {
    if (was?.expires === undefined || (now.expires !== undefined && now.expires <= was.expires)) return [];
    const until = now.expires === undefined ? "never" : `on ${now.expires}`;
    const terms = { claim: claim.claim, before: was.expires, after: until };
    return [diffDiagnostics("approval-prolonged", now.location, terms, details)];
  }
}

/** Lists the words about an approval that were changed afterwards. */
function findRewrites(was: LedgerEntry, now: LedgerEntry): readonly string[] {
  return (["by", "on", "reason"] as const).flatMap((key) =>
    was[key] === now[key] ? [] : [`${key} was ${quoted(was[key])} and is now ${quoted(now[key])}`],
  );
}

function quoted(text: string | undefined): string {
  return text === undefined ? "not set" : JSON.stringify(text);
}

function isLater({ on: now }: LedgerEntry, { on: was }: LedgerEntry): boolean {
  return now !== undefined && (was === undefined || now > was);
}

function listClaims({ tools, policies }: Version, approvals: Approvals): readonly ComparedClaim[] {
  const own = listToolClaims(tools, approvals).map((judged): ComparedClaim => {
    const { tool, relaxation, ledger, claim, state, entry } = judged;
    const covered = judged.coverage();
    return {
      ledger,
      claim,
      state,
      entry,
      covered,
      location: locateClaim(tool, relaxation),
      subject: {
        tool,
        relaxation,
      },
      widenedSince: ({ subject, covered: old }) =>
        "grant" in subject || isNarrower(tool, relaxation, covered, subject, old)
          ? []
          : describeParts(coversText(old), judged, approvals.handlers.get(ledger)),
    };
  });
  const granted = judgeGrants(policies, approvals).map((grant): ComparedClaim => ({
    ...grant,
    covered: grant.coverage(),
    subject: { grant },
    widenedSince: ({ subject }) => ("grant" in subject ? widenedGrant(subject.grant, grant) : []),
  }));
  return [...own, ...granted];
}

/** True if a claim surely covers no other calls: only its input or the rows above changed, and both are stricter. */
function isNarrower(
  tool: FlatTool,
  { covers }: Relaxation,
  { parts }: Coverage,
  earlier: { readonly tool: FlatTool; readonly relaxation: Relaxation },
  { parts: old }: Coverage<string>,
): boolean {
  const isOther = [...DECLARED_PARTS, "handler", "imports"] as const;
  if (isOther.some((part) => parts[part] !== old[part])) return false;
  const was = earlier.relaxation.covers;
  if (covers.kind !== "input" && was.kind !== "input" && !keeps(was.after ?? [], covers.after ?? [])) return false;
  return takesNoMore(tool, earlier.tool);
}

function keeps(earlier: readonly string[], now: readonly string[]): boolean {
  let found = 0;
  for (const each of now) if (each === earlier[found]) found += 1;
  return found === earlier.length;
}

function widenedGrant(earlier: JudgedGrant, grant: JudgedGrant): readonly string[] {
  return findChangedGrantParts(coversText(earlier.coverage()), grant)
    .filter(({ part, tool }) => {
      // Lost tools widen nothing; added tools and flags have findings of their own.
      if (part === "gone" || part === "joined" || part === "flags") return false;
      if (part === "sources") return !isWithin(grant.sources, earlier.sources);
      if (part === "rule") {
        const isSameContext = isSameJson(earlier.policy.spec.context ?? {}, grant.policy.spec.context ?? {});
        return !isSameContext || !keeps(rulesAbove(earlier), rulesAbove(grant));
      }
      const old = earlier.tools.find(({ name }) => name === tool?.name);
      if (part !== "input" || tool === undefined || old === undefined) return true;
      return !takesNoMore(tool, old) || !keeps(old.checks.map(checkText), tool.checks.map(checkText));
    })
    .map(({ words }) => words);
}

function isWithin(now: JudgedGrant["sources"], was: JudgedGrant["sources"]): boolean {
  const isKnown = (kind: "untrusted" | "private"): boolean =>
    now?.[kind].every((name) => was?.[kind].includes(name)) !== false;
  return isKnown("untrusted") && isKnown("private");
}

function rulesAbove({ policy, rule }: JudgedGrant): readonly string[] {
  return rule === undefined ? [] : policy.rules.slice(0, rule.index).map(printRule);
}
