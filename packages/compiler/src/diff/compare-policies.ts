import { attempt } from "../diagnostics/thrown-text.js";
import type { JsonValue } from "@hasp/schema";
import type { PermissionMode } from "@hasp/runtime";
import { sampleInputs, shortText } from "../cel/index.js";
import type { Diagnostic, Location } from "../diagnostics/diagnostic.js";
import { listGrants, printRule } from "../policies/index.js";
import type { PolicyModel, PolicyRule, PolicySpec } from "../model/policy.js";
import { diffDiagnostics } from "./diagnostics.js";
import { ignored, type Members, type Version } from "./version.js";

export function comparePolicies(
  before: Version,
  after: Version,
  base: string,
  nameBefore: (name: string) => string,
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
    return [...unknown, ...comparePolicy(old ?? { ...policy, spec: {}, rules: [] }, policy, nameBefore)];
  });
}

function comparePolicy(
  before: PolicyModel,
  after: PolicyModel,
  nameBefore: (name: string) => string,
): readonly Diagnostic[] {
  return [
    ...Object.values(MEMBERS).flatMap((compare) => compare(before, after)),
    ...reached(before, after, nameBefore),
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

function reached(before: PolicyModel, after: PolicyModel, nameBefore: (name: string) => string): readonly Diagnostic[] {
  const old = new Map(listGrants(before).map(({ claim, tools }) => [claim, new Set(tools.map(({ name }) => name))]));
  return listGrants(after).flatMap(({ claim, tools }) => {
    const known = old.get(claim);
    return tools
      .filter(({ name }) => known?.has(nameBefore(name)) === false)
      .map((tool) => {
        const parameters = { variant: "reached", toolset: after.toolset, claim } as const;
        return diffDiagnostics("policy-loosened", tool.locate("/name"), parameters, { tool: tool.name });
      });
  });
}

function compareRules(before: PolicyModel, after: PolicyModel): readonly Diagnostic[] {
  const { toolset, document, rules } = after;
  const [was, is] = [before.rules.map(printRule), rules.map(printRule)];
  const added = rules.filter((rule) => !was.includes(printRule(rule)));
  const gone = before.rules.filter((rule) => rule.decision !== "allow" && !is.includes(printRule(rule)));
  const isReordered =
    was.filter((text) => is.includes(text)).join("\n") !== is.filter((text) => was.includes(text)).join("\n");
  const at = ({ index }: PolicyRule): Location => document.locate(`/rules/${index}`);
  const successors = new Map(gone.map((rule) => [rule, added.find((each) => isSuccessor(each, rule))]));
  return [
    ...gone.map((rule) => {
      const next = successors.get(rule);
      if (next === undefined) {
        const parameters = { variant: "rule-gone", toolset, rule: printRule(rule) } as const;
        return diffDiagnostics("policy-loosened", document.locate("/rules"), parameters);
      }
      const texts = { before: printRule(rule), after: printRule(next), example: exampleOf(rule, next) };
      const parameters = { variant: "rule-changed", toolset, ...texts } as const;
      return diffDiagnostics("policy-may-loosen", at(next), parameters);
    }),
    ...added.flatMap((rule): readonly Diagnostic[] => {
      const parameters = { toolset, rule: printRule(rule) };
      if (rule.decision === "allow") {
        return [diffDiagnostics("policy-loosened", at(rule), { variant: "allowed", ...parameters })];
      }
      const isBeforeDeny = rules.some(({ index, decision }) => index > rule.index && decision === "deny");
      return rule.decision === "ask" && isBeforeDeny && ![...successors.values()].includes(rule)
        ? [diffDiagnostics("policy-may-loosen", at(rule), { variant: "asked-first", ...parameters })]
        : [];
    }),
    ...(isReordered
      ? [diffDiagnostics("policy-may-loosen", document.locate("/rules"), { variant: "order", toolset })]
      : []),
  ];
}

const MOST_CALLS = 2000;

function exampleOf({ call, predicate: earlier }: PolicyRule, { predicate: now }: PolicyRule): string {
  if (call === undefined || earlier === undefined || now === undefined) return "";
  const holdsFor = ({ evaluate }: typeof now, value: JsonValue): boolean | undefined => {
    return attempt(() => evaluate(value));
  };
  let tried = 0;
  for (const value of sampleInputs(call, [earlier.expression, now.expression], [])) {
    tried += 1;
    if (tried > MOST_CALLS) break;
    if (holdsFor(earlier, value) === true && holdsFor(now, value) === false) {
      return ` For example, it no longer matches ${shortText(value)}.`;
    }
  }
  return "";
}

function isSuccessor(rule: PolicyRule, earlier: PolicyRule): boolean {
  return rule.tool === earlier.tool && rule.server === earlier.server && rule.decision === earlier.decision;
}
