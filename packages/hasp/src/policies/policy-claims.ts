import { FIELD_ENTRIES } from "@hasp/runtime";
import { canonicalText } from "@hasp/schema";
import { suggestionsFor } from "../diagnostics/closest.js";
import type { Diagnostic, Location } from "../diagnostics/diagnostic.js";
import {
  approvedParts,
  type Coverage,
  coversText,
  isCovered,
  shortDigestOf,
  UNRECORDED_PART,
} from "../ledger/coverage.js";
import { type CoveredHandler, handlerDigestsOf } from "../ledger/covered-handlers.js";
import { digestOfValue } from "../ledger/digest.js";
import { ledgerDiagnostics, WAITING } from "../ledger/diagnostics.js";
import { readApprovals, type LedgerEntry } from "../ledger/ledger-file.js";
import type { PendingClaim } from "../ledger/index.js";
import { withoutAnnotations } from "../ledger/meaning.js";
import type { LoadedDocument } from "../model/document.js";
import { groupBy } from "../model/group-by.js";
import { ownMember } from "../model/own.js";
import type { CompilePlan } from "../model/plan.js";
import type { FlatTool } from "../model/tool.js";
import { type Grant, grantsIn, ruleText } from "./grants.js";
import type { PolicyModel } from "./policy.js";

/** Lists what a policy claims, a line for each. */
export function policyClaims(policy: PolicyModel): readonly string[] {
  return grantsIn(policy).map(({ claim }) => claim);
}

/** A grant with what an approval of it covers. */
export interface CoveredGrant extends Grant {
  readonly coverage: Coverage<string>;
}

/** A grant, and whether an approval covers it today. */
export interface GrantState extends CoveredGrant {
  readonly state: "new" | "stale" | "expired" | "approved";
  /** The entry of the ledger, even if it no longer applies. */
  readonly entry: LedgerEntry | undefined;
}

/** Lists what the policies allow, with what approvals cover: the rule, those above it, and every tool that it can match. */
export function coveredGrants(
  policies: readonly PolicyModel[],
  tools: readonly FlatTool[],
  plan: CompilePlan,
): readonly CoveredGrant[] {
  if (policies.length === 0) return [];
  const handlers = handlerDigestsOf(tools, plan);
  // Toolsets may share a policy, and so its ledger.
  return [...groupBy(policies.flatMap(grantsIn), ({ policy, claim }) => `${policy.name} ${claim}`).values()]
    .flatMap(([grant, ...others]): readonly Grant[] => {
      if (grant === undefined) return [];
      return [{ ...grant, tools: [...new Set([grant, ...others].flatMap((each) => each.tools))] }];
    })
    .map((grant) => ({ ...grant, coverage: coverageOfGrant(grant, (name) => handlers.get(name)) }));
}

function coverageOfGrant(
  { policy, claim, rule, tools }: Grant,
  handlerOf: (tool: string) => CoveredHandler | undefined,
): Coverage<string> {
  const above = policy.rules.slice(0, rule?.index ?? policy.rules.length).map(ruleText);
  const text = {
    claim,
    above: rule === undefined ? [] : above,
    context: rule?.predicate?.reads.some((pointer) => pointer.startsWith("/context")) === true ? policy.context : null,
  };
  const parts = tools.map((tool) => [tool.name, toolParts(tool, handlerOf(tool.name))] as const);
  const digest = digestOfValue({ policy: policy.name, text, tools: Object.fromEntries(parts) });
  const short = parts.map(([name, values]) => [name, PARTS.map((part) => shortDigestOf(values[part])).join(".")]);
  return { digest, parts: { [RULE]: shortDigestOf(text), ...Object.fromEntries(short) } };
}

/** The part that is the rule itself; no tool has this name. */
const RULE = "@rule";
const PARTS = ["input", "flags", "handler"] as const;

/** Everything about a tool that an approval of a grant covers. */
function toolParts(
  tool: FlatTool,
  handler: CoveredHandler | undefined,
): { readonly [part in (typeof PARTS)[number]]: unknown } {
  const { spec, metadata, input } = tool;
  const checks = (spec.validate ?? []).map((check) => ("that" in check ? check.that.trim() : `custom ${check.custom}`));
  return {
    input: [canonicalText(withoutAnnotations(input.schema)), checks],
    flags: [
      FLAGS.map(({ group, name }) => ownMember(metadata[group], name)),
      FLAGS.map(({ group, name }) => ownMember(spec[group], name) ?? null),
      spec.concurrency?.rules ?? [],
    ],
    handler: handler?.declared ?? "code",
  };
}

const FLAGS = FIELD_ENTRIES.filter(
  ({ group, field }) => (group === "concurrency" || group === "behavior") && field.order !== "choice",
);

/** A part of what a grant's approval covers that has changed since, and its place. */
export interface ChangedPart {
  readonly words: string;
  readonly location?: Location;
  /** The tool, if it is one that could be matched before. */
  readonly tool?: FlatTool;
  readonly part: (typeof PARTS)[number] | "rule" | "joined" | "gone" | "unknown";
}

/** Finds what has changed since a grant was approved. */
export function changesSince(covers: string, { coverage, tools }: CoveredGrant): readonly ChangedPart[] {
  const approved = approvedParts(covers);
  if (!approved.has(RULE)) return [{ words: UNRECORDED_PART, part: "unknown" }];
  const gone = [...approved.keys()].filter((name) => name !== "sha256" && !Object.hasOwn(coverage.parts, name));
  const changed = tools.flatMap((tool): readonly ChangedPart[] => {
    const [was, is] = [approved.get(tool.name), coverage.parts[tool.name] ?? ""];
    if (was === is) return [];
    if (was === undefined) {
      const words = `the tool ${nameWithPlace(tool, "/name")}, which it can match now`;
      return [{ words, location: tool.locate("/name"), part: "joined" }];
    }
    const [old, now] = [was.split("."), is.split(".")];
    return PARTS.filter((_, index) => old[index] !== now[index]).map((part) => {
      const pointer = POINTERS[part].find((each) => Object.hasOwn(tool.spec, each.slice(1))) ?? "/name";
      const words = `the ${part} of ${nameWithPlace(tool, pointer)}`;
      return { words, location: tool.locate(pointer, "key"), tool, part };
    });
  });
  return [
    ...(approved.get(RULE) === coverage.parts[RULE]
      ? []
      : [{ words: "a rule above it, or the context that its condition reads", part: "rule" as const }]),
    ...changed,
    ...gone.map((name) => ({ words: `the tool "${name}", which it can no longer match`, part: "gone" as const })),
  ];
}

const POINTERS: { readonly [part in (typeof PARTS)[number]]: readonly string[] } = {
  input: ["/input"],
  flags: ["/concurrency", "/behavior"],
  handler: ["/handler"],
};

function nameWithPlace(tool: FlatTool, pointer: string): string {
  const { uri, range } = tool.locate(pointer, "key");
  return `"${tool.name}" (${uri}:${range.start.line})`;
}

/** Lists what the policies allow with the state of its approval. */
export function grantStates(
  policies: readonly PolicyModel[],
  documents: readonly LoadedDocument[],
  tools: readonly FlatTool[],
  plan: CompilePlan,
): readonly GrantState[] {
  if (policies.length === 0) return [];
  const approvals = readApprovals(documents);
  return coveredGrants(policies, tools, plan).map((grant): GrantState => {
    const entry = approvals.get(grant.policy.name)?.find(({ claim }) => claim === grant.claim);
    if (entry === undefined) return { ...grant, state: "new", entry };
    if (!isCovered(entry.covers, grant.coverage)) return { ...grant, state: "stale", entry };
    const isExpired = entry.expires !== undefined && entry.expires < plan.today;
    return { ...grant, state: isExpired ? "expired" : "approved", entry };
  });
}

/** Checks that the ledger approves whatever a policy allows. With `plan.unlocked`, missing approvals are warnings. */
export function checkPolicyLedgers(
  policies: readonly PolicyModel[],
  documents: readonly LoadedDocument[],
  tools: readonly FlatTool[],
  plan: CompilePlan,
): readonly Diagnostic[] {
  if (policies.length === 0) return [];
  const approvals = readApprovals(documents);
  const unused = policies.flatMap((policy) => {
    const claims = policyClaims(policy);
    return (approvals.get(policy.name) ?? [])
      .filter(({ claim }) => !claims.includes(claim))
      .map(({ claim, location }) =>
        ledgerDiagnostics("unused-approval", location, { claim, nearest: suggestionsFor(claim, claims) }),
      );
  });
  const found = [...grantStates(policies, documents, tools, plan).flatMap((each) => problemOf(each) ?? []), ...unused];
  return plan.unlocked ? found.map((each) => ({ ...each, severity: WAITING.get(each.code) ?? each.severity })) : found;
}

function problemOf(grant: GrantState): Diagnostic | undefined {
  const { policy, claim, location, state, entry } = grant;
  const tool = policy.name;
  if (entry === undefined) return ledgerDiagnostics("not-approved", location, { tool, claim });
  const related = [{ location: entry.location, message: "the approval" }];
  if (state === "stale") {
    const changes = changesSince(entry.covers, grant);
    const covered = changes.map(({ words }) => words).join(", and ");
    const places = changes.flatMap(({ words, location: place }) =>
      place === undefined ? [] : [{ location: place, message: `${words} has changed` }],
    );
    return ledgerDiagnostics("stale", location, { tool, claim, covered }, { related: [...related, ...places] });
  }
  if (state === "approved") return undefined;
  return ledgerDiagnostics("expired", location, { tool, claim, expires: entry.expires ?? "" }, { related });
}

/** Lists the claims of policies without a valid approval. */
export function pendingPolicyClaims(
  policies: readonly PolicyModel[],
  documents: readonly LoadedDocument[],
  tools: readonly FlatTool[],
  plan: CompilePlan,
): readonly PendingClaim[] {
  return grantStates(policies, documents, tools, plan).flatMap(
    ({ policy, claim, location, coverage, state, entry }): readonly PendingClaim[] => {
      if (state === "approved") return [];
      const earlier = entry === undefined ? {} : { earlierReason: entry.reason };
      return [{ tool: policy.name, claim, state, location, covers: coversText(coverage), ...earlier }];
    },
  );
}
