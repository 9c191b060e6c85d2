import { FIELD_ENTRIES, matchesPattern } from "@hasp/runtime/contract";
import { dropUndefined, canonicalText, groupBy, readOwnMember } from "@hasp/base/json";
import type { Diagnostic, Location } from "@hasp/base/diagnostics";
import {
  type Approvals,
  judgeClaim,
  type JudgedClaim,
  locateClaim,
  createPendingClaim,
  type PendingClaim,
  listToolClaims,
} from "../ledger/claims.js";
import { reportClaim, reportUnused, withUnlocked } from "../ledger/check-ledger.js";
import {
  readApprovedParts,
  type Coverage,
  type CoveredHandler,
  digestValue,
  digestPart,
  UNRECORDED_PART,
} from "../ledger/coverage.js";
import { pickRepairs } from "../model/inclusion/repairs.js";
import { removeAnnotations } from "../model/schemas.js";
import type { CompilePlan } from "../model/plan.js";
import type { FlatTool, Relaxation } from "../model/tool.js";
import { hasPath, printPath, findPolicyFlow, findWaivers, listNames } from "./flow.js";
import { type Grant, isAbout, listGrants, listOfferedTools, printRule } from "./grants.js";
import type { PolicyModel } from "../model/policy.js";

export function listPolicyClaims(policy: PolicyModel): readonly string[] {
  return claimingGrants(policy).map(({ claim }) => claim);
}

/** Lists all parts of a policy that need an approval: those that let calls run unasked, and waivers. */
function claimingGrants(policy: PolicyModel): readonly Grant[] {
  const { document, rules } = policy;
  const flow = findPolicyFlow(policy);
  const sources = { untrusted: listNames(flow.untrusted), private: listNames(flow.private) };
  const waivers = rules
    .filter((rule) => rule.flow === "allow")
    .map((rule): Grant => {
      const tools = listOfferedTools(policy).filter((tool) => findWaivers(tool, policy).includes(rule));
      const sink = tools.find(({ worstCase }) => worstCase.isOpenWorld);
      return {
        policy,
        claim: `rules.${rule.index}.flow: allow`,
        location: document.locate(`/rules/${rule.index}/flow`),
        rule,
        tools,
        sources: { ...sources, ...(sink !== undefined && hasPath(flow) ? { path: printPath(flow, sink) } : {}) },
      };
    });
  return [...listGrants(policy), ...waivers];
}

export interface JudgedGrant extends Grant, JudgedClaim {}

/**
 * Judges all grants. The approval of a rule covers it, the rules above it and every tool that it can match; that of a mode
 * covers all rules that hold calls back. Where tools of live servers may be meant, it also covers the denials.
 */
export function judgeGrants(policies: readonly PolicyModel[], approvals: Approvals): readonly JudgedGrant[] {
  // Toolsets may share a policy, and so its ledger.
  const groups = groupBy(policies.flatMap(claimingGrants), ({ policy, claim }) => `${policy.name} ${claim}`);
  return [...groups.values()].flatMap(([first, ...others]): readonly JudgedGrant[] => {
    if (first === undefined) return [];
    const all = [first, ...others];
    const grant = { ...first, tools: [...new Set(all.flatMap(({ tools }) => tools))], ...joinSources(all) };
    const coverage = coverageOfGrant(grant, (name) => approvals.handlers.get(name));
    return [judgeClaim({ ...grant, ledger: grant.policy.name, coverage: () => coverage }, approvals)];
  });
}

function joinSources(grants: readonly Grant[]): Pick<Grant, "sources"> {
  const found = grants.flatMap(({ sources }) => sources ?? []);
  if (found.length === 0) return {};
  const union = (kind: "untrusted" | "private"): readonly string[] =>
    [...new Set(found.flatMap((each) => each[kind]))].toSorted();
  const path = found.find((each) => each.path !== undefined)?.path;
  return { sources: { untrusted: union("untrusted"), private: union("private"), ...(path && { path }) } };
}

function coverageOfGrant(
  { policy, claim, rule, tools, sources }: Grant,
  handlerOf: (tool: string) => CoveredHandler | undefined,
): Coverage<string> {
  // A mode decides what no rule has decided.
  const above =
    rule === undefined
      ? policy.rules.filter(({ decision }) => decision !== "allow")
      : policy.rules.slice(0, rule.index);
  // The tools of live servers are unknown here, so nothing else shows that one is no longer denied.
  const denied = rule === undefined || rule.server !== undefined ? policy.spec.deny?.toSorted() : undefined;
  // Without its alias, a tool would escape a rule above.
  const aliased = tools.flatMap((tool) =>
    above.flatMap((each, index) =>
      isAbout(each, tool) && !matchesPattern(each.tool, tool.name) ? [[tool.name, index]] : [],
    ),
  );
  const text = {
    claim,
    above: above.map(printRule),
    ...(aliased.length === 0 ? {} : { aliased }),
    ...dropUndefined({ denied }),
    context: rule?.predicate?.reads.some((pointer) => pointer.startsWith("/context")) === true ? policy.context : null,
    ...(sources === undefined || rule === undefined ? {} : { rule: printRule(rule) }),
  };
  const parts = tools.map((tool) => [tool.name, toolParts(tool, handlerOf(tool.name))] as const);
  const carried = sources && { untrusted: sources.untrusted, private: sources.private };
  const digest = digestValue({
    policy: policy.name,
    text,
    tools: Object.fromEntries(parts),
    ...dropUndefined({ carried }),
  });
  const short = parts.map(([name, values]) => [name, PARTS.map((part) => digestPart(values[part])).join(".")]);
  return {
    digest,
    parts: {
      [RULE]: digestPart(text),
      ...(carried && { [SOURCES]: digestPart(carried) }),
      ...Object.fromEntries(short),
    },
  };
}

/** No tool has these names. */
const RULE = "@rule";
const SOURCES = "@sources";
const PARTS = ["input", "flags", "handler"] as const;

function toolParts(
  tool: FlatTool,
  handler: CoveredHandler | undefined,
): { readonly [part in (typeof PARTS)[number]]: unknown } {
  const { spec, metadata, input } = tool;
  const checks = (spec.validate ?? []).map((check) => ("that" in check ? check.that.trim() : `custom ${check.custom}`));
  return {
    input: [canonicalText(removeAnnotations(input.schema)), checks, ...Object.values(pickRepairs(spec))],
    flags: [
      FLAGS.map(({ group, name }) => readOwnMember(metadata[group], name)),
      FLAGS.map(({ group, name }) => readOwnMember(spec[group], name) ?? null),
      spec.concurrency?.rules ?? [],
    ],
    handler: handler?.declared ?? "code",
  };
}

const FLAGS = FIELD_ENTRIES.filter(
  ({ group, field }) => (group === "concurrency" || group === "behavior") && field.order !== "choice",
);

interface ChangedPart {
  readonly words: string;
  readonly location?: Location;
  /** Present if the grant could match the tool before. */
  readonly tool?: FlatTool;
  readonly part: (typeof PARTS)[number] | "rule" | "sources" | "joined" | "gone" | "unknown";
}

export function findChangedGrantParts(covers: string, { coverage, rule, tools }: JudgedGrant): readonly ChangedPart[] {
  const approved = readApprovedParts(covers);
  const { parts } = coverage();
  if (!approved.has(RULE)) return [{ words: UNRECORDED_PART, part: "unknown" }];
  const gone = [...approved.keys()].filter((name) => name !== "sha256" && !Object.hasOwn(parts, name));
  const changed = tools.flatMap((tool): readonly ChangedPart[] => {
    const [was, is] = [approved.get(tool.name), parts[tool.name] ?? ""];
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
    ...(approved.get(RULE) === parts[RULE]
      ? []
      : [
          {
            words:
              rule === undefined
                ? "a rule that holds calls back, an alias that one names, or a denial"
                : "a rule above it, an alias that one names, a denial, or the context that its condition reads",
            part: "rule" as const,
          },
        ]),
    ...(approved.get(SOURCES) === parts[SOURCES]
      ? []
      : [{ words: "the tools whose results its calls may send", part: "sources" as const }]),
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

/** Checks that the ledger approves every grant. With `plan.unlocked`, missing approvals are warnings. */
export function checkPolicyLedgers(
  policies: readonly PolicyModel[],
  approvals: Approvals,
  plan: CompilePlan,
): readonly Diagnostic[] {
  const found = judgeGrants(policies, approvals).flatMap((grant) =>
    reportClaim(grant, grant.location, (covers) => findChangedGrantParts(covers, grant), { path: grant.sources?.path }),
  );
  const unused = policies.flatMap((policy) => reportUnused(policy.name, claimingGrants(policy), approvals, {}));
  return withUnlocked([...found, ...unused], plan);
}

export function listPendingPolicyClaims(
  policies: readonly PolicyModel[],
  approvals: Approvals,
): readonly PendingClaim[] {
  return judgeGrants(policies, approvals).flatMap((grant) => createPendingClaim(grant, grant.location));
}

/** A claim that makes a tool milder: its own or that of a policy. */
export interface ShownClaim extends Pick<JudgedClaim, "claim" | "state" | "entry"> {
  readonly tool: FlatTool;
  readonly location: Location;
  /** Present for the tool's own claim. */
  readonly relaxation?: Relaxation;
  /** Present for a policy's claim. */
  readonly grant?: JudgedGrant;
}

/** Lists the claims about each tool, its own before those of policies. */
export function listShownClaims(
  { tools, policies }: { readonly tools: readonly FlatTool[]; readonly policies: readonly PolicyModel[] },
  approvals: Approvals,
): readonly ShownClaim[] {
  const own = listToolClaims(tools, approvals).map(({ tool, relaxation, claim, state, entry }): ShownClaim => ({
    tool,
    claim,
    get location() {
      return locateClaim(tool, relaxation);
    },
    state,
    entry,
    relaxation,
  }));
  const granted = judgeGrants(policies, approvals).flatMap((grant) =>
    grant.tools.map((tool): ShownClaim => ({
      tool,
      claim: `${grant.policy.name}: ${grant.claim}`,
      location: grant.location,
      state: grant.state,
      entry: grant.entry,
      grant,
    })),
  );
  return [...own, ...granted];
}
