import { attempt, type Diagnostic, type Location } from "@hasp/base/diagnostics";
import type { JsonObject, JsonSchema, JsonValue } from "@hasp/schema";
import type { PermissionDecision, PermissionMode } from "@hasp/runtime";
import { findTestedFields, createInputSampler } from "../cel/samples/sample-inputs.js";
import { shortText } from "../cel/decision-table.js";
import { describeCall } from "../policies/compile-policies.js";
import { findMatchingTools, isAbout, isDenied, isNamed, listGrants, printRule } from "../policies/grants.js";
import type { PolicyModel, PolicyRule, PolicySpec } from "../model/policy.js";
import type { FlatTool } from "../model/tool.js";
import { describeSearch } from "./describe-search.js";
import { diffDiagnostics } from "./diagnostics.js";
import { type EarlierOf, ignored, type Members, type Version } from "./version.js";

export function comparePolicies(
  before: Version,
  after: Version,
  base: string,
  earlierOf: EarlierOf,
): readonly Diagnostic[] {
  return after.plan.toolsets.flatMap(({ name: toolset, policy: path }) => {
    const location = after.plan.locations?.[`/toolsets/${toolset}`];
    const [old, policy] = [before, after].map(({ policies }) => policies.find((each) => each.toolset === toolset));
    const hadPolicy = before.plan.toolsets.some((each) => each.name === toolset && each.policy !== undefined);
    if (path === undefined) {
      return hadPolicy ? [diffDiagnostics("policy-loosened", location, { variant: "gone", toolset })] : [];
    }
    // `check` reports a policy with errors.
    if (policy === undefined) return [];
    const unknown =
      hadPolicy && old === undefined
        ? [diffDiagnostics("policy-may-loosen", location, { variant: "unknown", toolset, base })]
        : [];
    return [...unknown, ...comparePolicy(old ?? { ...policy, spec: {}, rules: [] }, policy, earlierOf)];
  });
}

function comparePolicy(before: PolicyModel, after: PolicyModel, earlierOf: EarlierOf): readonly Diagnostic[] {
  return [
    ...Object.values(MEMBERS).flatMap((compare) => compare(before, after)),
    ...reached(before, after, earlierOf),
    ...compareNamingRules(before, after, earlierOf),
  ];
}

const MEMBERS: Members<PolicySpec, PolicyModel> = {
  description: ignored("people read it, and nothing goes by it"),
  context: ignored("a wider context changes what a condition answers, and so what the approval of its rule covers"),
  deny: undenied,
  rules: compareRules,
  mode: loosenedMode,
  tests: ignored("they decide no call; `hasp test` runs them"),
};

function undenied(before: PolicyModel, { toolset, document, spec }: PolicyModel): readonly Diagnostic[] {
  const denied = new Set(spec.deny ?? []);
  const location = document.locate("/deny");
  return (before.spec.deny ?? [])
    .filter((pattern) => !denied.has(pattern))
    .map((pattern) => diffDiagnostics("policy-loosened", location, { variant: "undenied", toolset, pattern }));
}

function loosenedMode(before: PolicyModel, { toolset, document, spec }: PolicyModel): readonly Diagnostic[] {
  const [was, is] = [before.spec.mode ?? "ask", spec.mode ?? "ask"];
  if (FREEDOM[is] <= FREEDOM[was]) return [];
  const parameters = { variant: "mode", toolset, before: was, after: is } as const;
  return [diffDiagnostics("policy-loosened", document.locate("/mode"), parameters)];
}

/** In modes with equal freedom, the same calls run without a person. */
const FREEDOM: { readonly [mode in PermissionMode]: number } = { plan: 0, unattended: 1, ask: 1, "accept-writes": 2 };

function reached(before: PolicyModel, after: PolicyModel, earlierOf: EarlierOf): readonly Diagnostic[] {
  const old = new Map(listGrants(before).map(({ claim, tools }) => [claim, tools]));
  return listGrants(after).flatMap(({ claim, tools }) => {
    const known = old.get(claim);
    return tools
      .filter((tool) => known?.includes(earlierOf(tool) ?? tool) === false)
      .map((tool) => {
        const parameters = { variant: "reached", toolset: after.toolset, claim } as const;
        return diffDiagnostics("policy-loosened", tool.locate("/name"), parameters, { tool: tool.name });
      });
  });
}

/** Compares which denials and rules name each tool, by its names and aliases, before and now. */
function compareNamingRules(before: PolicyModel, after: PolicyModel, earlierOf: EarlierOf): readonly Diagnostic[] {
  const { toolset, tools, rules, spec } = after;
  // A rule that is gone, or new, has a finding of its own.
  const kept = rules.filter((rule) => before.rules.some((each) => isSuccessor(rule, each)));
  return tools.flatMap((tool): readonly Diagnostic[] => {
    const old = earlierOf(tool);
    if (old === undefined || isDenied(spec, tool)) return [];
    const own = rules.filter((rule) => isAbout(rule, tool));
    // Another rule may say the same of the tool, and no other of its rules comes first.
    const isSaid = (rule: PolicyRule): boolean =>
      own.some(
        (each) =>
          printRule({ ...each, tool: rule.tool }) === printRule(rule) &&
          !own.some(({ index }) => index > rule.index && index < each.index),
      );
    const denied = (spec.deny ?? [])
      .filter((pattern) => before.spec.deny?.includes(pattern) && isNamed(pattern, old))
      .map((pattern) => `{ deny: ${pattern} }`);
    const lost = kept.filter(
      (rule) => rule.decision !== "allow" && isAbout(rule, old) && !isAbout(rule, tool) && !isSaid(rule),
    );
    const asking = own.filter(
      (rule) =>
        rule.decision === "ask" &&
        !isAbout(rule, old) &&
        own.some(({ index, decision }) => index > rule.index && decision === "deny"),
    );
    const [location, details] = [tool.locate("/name"), { tool: tool.name }];
    return [
      ...[...denied, ...lost.map(printRule)].map((rule) =>
        diffDiagnostics("policy-loosened", location, { variant: "unnamed", toolset, rule }, details),
      ),
      ...asking
        .map(printRule)
        .map((rule) => diffDiagnostics("policy-may-loosen", location, { variant: "named", toolset, rule }, details)),
    ];
  });
}

function compareRules(before: PolicyModel, after: PolicyModel): readonly Diagnostic[] {
  const { toolset, document, rules } = after;
  const [was, is] = [before.rules.map(printRule), rules.map(printRule)];
  const added = rules.filter((rule) => !was.includes(printRule(rule)));
  const gone = before.rules.filter((rule) => !is.includes(printRule(rule)));
  const isReordered =
    was.filter((text) => is.includes(text)).join("\n") !== is.filter((text) => was.includes(text)).join("\n");
  const at = ({ index }: PolicyRule): Location => document.locate(`/rules/${index}`);
  const successors = findSuccessors(gone, added);
  const changed = new Set(successors.values());
  return [
    ...[...successors].flatMap(([earlier, rule]) => compareRule({ before, after }, earlier, rule)),
    ...gone
      .filter((rule) => rule.decision !== "allow" && !successors.has(rule))
      .map((rule) => {
        const parameters = { variant: "rule-gone", toolset, rule: printRule(rule) } as const;
        return diffDiagnostics("policy-loosened", document.locate("/rules"), parameters);
      }),
    ...added
      .filter((rule) => !changed.has(rule))
      .flatMap((rule): readonly Diagnostic[] => {
        const parameters = { toolset, rule: printRule(rule) };
        if (rule.decision === "allow") {
          return [diffDiagnostics("policy-loosened", at(rule), { variant: "allowed", ...parameters })];
        }
        const isBeforeDeny = rules.some(({ index, decision }) => index > rule.index && decision === "deny");
        return rule.decision === "ask" && isBeforeDeny
          ? [diffDiagnostics("policy-may-loosen", at(rule), { variant: "asked-first", ...parameters })]
          : [];
      }),
    ...(isReordered
      ? [diffDiagnostics("policy-may-loosen", document.locate("/rules"), { variant: "order", toolset })]
      : []),
  ];
}

/** Pairs rules that are gone with new ones about the same tools, which decide likewise. */
function findSuccessors(
  gone: readonly PolicyRule[],
  added: readonly PolicyRule[],
): ReadonlyMap<PolicyRule, PolicyRule> {
  const pairs = new Map<PolicyRule, PolicyRule>();
  const taken = new Set<PolicyRule>();
  for (const rule of gone) {
    const next = added.find((each) => !taken.has(each) && isSuccessor(each, rule));
    if (next === undefined) continue;
    taken.add(next);
    pairs.set(rule, next);
  }
  return pairs;
}

function isSuccessor(rule: PolicyRule, earlier: PolicyRule): boolean {
  return rule.tool === earlier.tool && rule.server === earlier.server && rule.decision === earlier.decision;
}

interface Policies {
  readonly before: PolicyModel;
  readonly after: PolicyModel;
}

/** Compares what two policies answer where a rule has changed. Nothing is reported if no call can be answered more mildly. */
function compareRule({ before, after }: Policies, earlier: PolicyRule, rule: PolicyRule): readonly Diagnostic[] {
  const location = after.document.locate(`/rules/${rule.index}`);
  const texts = { toolset: after.toolset, before: printRule(earlier), after: printRule(rule) };
  const tools = rule.server === undefined ? findMatchingTools(after.tools, rule.tool) : [];
  const searches = tools.slice(0, MOST_TOOLS).map((tool) => findMilderCall({ before, after }, tool));
  const milder = searches.find(({ example }) => example !== undefined);
  if (milder?.example !== undefined) {
    const { words, isCertain } = milder.example;
    const parameters = { variant: "rule-changed", ...texts, example: words } as const;
    return [diffDiagnostics(isCertain ? "policy-loosened" : "policy-may-loosen", location, parameters)];
  }
  const unproved = searches.find(({ isProved }) => !isProved);
  if (tools.length > 0 && tools.length <= MOST_TOOLS && unproved === undefined) return [];
  const search =
    unproved === undefined
      ? "No call was tried."
      : describeSearch({ what: "call", tried: unproved.tried, schema: unproved.schema });
  return [diffDiagnostics("policy-may-loosen", location, { variant: "rule-changed", ...texts, example: search })];
}

const MOST_TOOLS = 10;
const MOST_CALLS = 2000;

interface CallSearch {
  readonly example?: { readonly words: string; readonly isCertain: boolean };
  readonly tried: readonly JsonValue[];
  readonly schema: JsonSchema;
  /** True if the tried calls stand for all others. */
  readonly isProved: boolean;
}

/** Searches for a call of a tool that the later policy answers more mildly. */
function findMilderCall({ before, after }: Policies, tool: FlatTool): CallSearch {
  const { schema } = describeCall({ tool: tool.name }, [tool], after.context);
  const expressions = [before, after].flatMap(({ rules }) =>
    rules.flatMap((rule) => (isAbout(rule, tool) && rule.predicate !== undefined ? [rule.predicate.expression] : [])),
  );
  const tried: JsonValue[] = [];
  for (const call of createInputSampler(schema, [])(expressions)) {
    if (tried.length >= MOST_CALLS) return { tried, schema, isProved: false };
    tried.push(call);
    const [was, is] = [decide(before, tool, call), decide(after, tool, call)];
    if (MILDNESS[is] <= MILDNESS[was]) continue;
    const { input, context } = call as { readonly input: JsonValue; readonly context: JsonObject };
    const shown = Object.keys(context).length === 0 ? input : { input, context };
    const words = `For example, ${tool.name} ${shortText(shown)} was ${IN_WORDS[was]} and is now ${IN_WORDS[is]}.`;
    return { example: { words, isCertain: is === "allow" || was === "deny" }, tried, schema, isProved: false };
  }
  return { tried, schema, isProved: tried.length > 0 && findTestedFields(expressions, schema).isExhaustive };
}

type Ruling = PermissionDecision | "none";

/** The mildness of each answer. Without a rule, the tool's flags and the mode decide. */
const MILDNESS: { readonly [ruling in Ruling]: number } = { deny: 0, ask: 1, none: 2, allow: 3 };

const IN_WORDS: { readonly [ruling in Ruling]: string } = {
  deny: "denied",
  ask: "put to a person",
  none: "left to the tool's flags and the mode",
  allow: "allowed",
};

/** Finds the answer of the first rule that matches a call. A condition that fails refuses it. */
function decide({ spec, rules }: PolicyModel, tool: FlatTool, call: JsonValue): Ruling {
  if (isDenied(spec, tool)) return "deny";
  for (const rule of rules) {
    if (!isAbout(rule, tool)) continue;
    const holds = rule.when === undefined || attempt(() => rule.predicate?.evaluate(call));
    if (holds === undefined) return "deny";
    if (holds) return rule.decision;
  }
  return "none";
}
