import { canonicalText } from "@hasp/schema";
import { suggestionsFor } from "../diagnostics/closest.js";
import type { Diagnostic, Location } from "../diagnostics/diagnostic.js";
import { digestOf } from "../ledger/digest.js";
import { ledgerDiagnostics, WAITING } from "../ledger/diagnostics.js";
import { readLedgerFile, type LedgerEntry } from "../ledger/ledger-file.js";
import type { PendingClaim } from "../ledger/index.js";
import { withoutAnnotations } from "../ledger/meaning.js";
import type { LoadedDocument } from "../model/document.js";
import type { CompilePlan } from "../model/plan.js";
import type { PolicyModel, PolicyRule, PolicyRuleSpec } from "./policy.js";
import { matchingTools } from "./tool-patterns.js";

/** Something by which a policy lets calls run unasked. */
interface PolicyClaim {
  readonly claim: string;
  readonly location: Location;
  /** Digest of what an approval covers. */
  readonly covers: string;
}

/** What a policy claims, a line for each. */
export function policyClaims(policy: PolicyModel): readonly string[] {
  return claimsOf(policy).map(({ claim }) => claim);
}

/** The claims of a policy: each rule that allows, and a mode that does. */
function claimsOf(policy: PolicyModel): readonly PolicyClaim[] {
  const { document, spec, rules, name } = policy;
  const digest = (covered: object): string => digestOf(canonicalText({ policy: name, ...covered }));
  const allowing = rules
    .filter(({ decision }) => decision === "allow")
    .map((rule) => ({
      claim: `rules: ${ruleText(rule)}`,
      location: document.locate(`/rules/${rule.index}`),
      covers: digest({
        rule: ruleText(rule),
        before: rules.slice(0, rule.index).map(ruleText),
        ...reach(policy, rule),
      }),
    }));
  if (spec.mode !== "accept-writes") return allowing;
  const tools = policy.tools.map((tool) => tool.name);
  const mode = { claim: "mode: accept-writes", location: document.locate("/mode"), covers: digest({ tools }) };
  return [...allowing, mode];
}

/** What a rule depends on: the tools that it matches, and the meaning of what its condition judges. */
function reach({ tools }: PolicyModel, { tool, server, call }: PolicyRule): object {
  return {
    tools: server === undefined ? matchingTools(tools, tool).map(({ name }) => name) : [],
    call: call === undefined ? null : withoutAnnotations(call),
  };
}

/** A rule on one line, without its reason. */
export function ruleText({ tool, server, when, decision }: PolicyRuleSpec): string {
  const parts = [
    ...(server === undefined ? [] : [`server: ${server}`]),
    `tool: ${tool}`,
    ...(when === undefined ? [] : [`when: ${JSON.stringify(when.trim())}`]),
    `decision: ${decision}`,
  ];
  return `{ ${parts.join(", ")} }`;
}

/** Checks that the ledger approves whatever a policy allows. With `plan.unlocked`, missing approvals are warnings. */
export function checkPolicyLedgers(
  policies: readonly PolicyModel[],
  documents: readonly LoadedDocument[],
  { today, unlocked }: Pick<CompilePlan, "today" | "unlocked">,
): readonly Diagnostic[] {
  const found = policies.flatMap((policy) => {
    const { name } = policy;
    const claims = claimsOf(policy);
    const entries = entriesOf(name, documents);
    const unused = entries
      .filter(({ claim }) => claims.every((each) => each.claim !== claim))
      .map(({ claim, location }) => {
        const nearest = suggestionsFor(
          claim,
          claims.map((each) => each.claim),
        );
        return ledgerDiagnostics("unused-approval", location, { claim, nearest });
      });
    return [...claims.flatMap((claim) => problemOf(name, claim, entries, today) ?? []), ...unused];
  });
  return unlocked ? found.map((each) => ({ ...each, severity: WAITING.get(each.code) ?? each.severity })) : found;
}

function problemOf(
  tool: string,
  { claim, location, covers }: PolicyClaim,
  entries: readonly LedgerEntry[],
  today: string,
): Diagnostic | undefined {
  const entry = entries.find((each) => each.claim === claim);
  if (entry === undefined) return ledgerDiagnostics("not-approved", location, { tool, claim });
  const related = [{ location: entry.location, message: "the approval" }];
  if (entry.covers !== covers) {
    const covered = "a rule above it, the tools that it reaches, or what its condition reads";
    return ledgerDiagnostics("stale", location, { tool, claim, covered }, { related });
  }
  if (entry.expires === undefined || entry.expires >= today) return undefined;
  return ledgerDiagnostics("expired", location, { tool, claim, expires: entry.expires }, { related });
}

function entriesOf(name: string, documents: readonly LoadedDocument[]): readonly LedgerEntry[] {
  const files = documents.filter(({ role }) => role === "ledger").map(readLedgerFile);
  const own = files.filter(({ tool }) => tool === name);
  // Nobody knows which of several ledgers applies, so none does.
  return own.length === 1 ? own.flatMap(({ entries }) => entries) : [];
}

/** Lists the claims of policies without a valid approval. */
export function pendingPolicyClaims(
  policies: readonly PolicyModel[],
  documents: readonly LoadedDocument[],
  { today }: Pick<CompilePlan, "today">,
): readonly PendingClaim[] {
  return policies.flatMap((policy) => {
    const entries = entriesOf(policy.name, documents);
    return claimsOf(policy).flatMap(({ claim, location, covers }): readonly PendingClaim[] => {
      const entry = entries.find((each) => each.claim === claim);
      const state = entry === undefined ? "new" : entry.covers !== covers ? "stale" : "expired";
      if (entry?.covers === covers && (entry.expires === undefined || entry.expires >= today)) return [];
      const earlier = entry === undefined ? {} : { earlierReason: entry.reason };
      return [{ tool: policy.name, claim, state, location, covers, ...earlier }];
    });
  });
}
