import type { PermissionMode } from "@hasp/runtime";
import type { Diagnostic } from "../diagnostics/diagnostic.js";
import type { PolicyModel, PolicyRule } from "../policies/policy.js";
import { ruleText } from "../policies/index.js";
import { diffDiagnostics } from "./diagnostics.js";
import type { Version } from "./version.js";

/** Finds policies that let more calls run, or run unasked. */
export function comparePolicies(before: Version, after: Version): readonly Diagnostic[] {
  return before.policies.flatMap((old) => {
    const { toolset } = old;
    const index = after.plan.toolsets.findIndex(({ name }) => name === toolset);
    // A toolset that is gone has its own finding.
    if (index === -1) return [];
    const policy = after.policies.find((each) => each.toolset === toolset);
    if (policy !== undefined) return comparePolicy(old, policy);
    // `check` reports a policy with errors.
    if (after.plan.toolsets[index]?.policy !== undefined) return [];
    const location = after.plan.locations?.[`/toolsets/${toolset}`];
    return [diffDiagnostics("policy-loosened", location, { variant: "gone", toolset })];
  });
}

function comparePolicy(before: PolicyModel, after: PolicyModel): readonly Diagnostic[] {
  const { toolset, document, spec } = after;
  const loosened = (
    pointer: string,
    parameters: Parameters<typeof diffDiagnostics<"policy-loosened">>[2],
  ): Diagnostic => diffDiagnostics("policy-loosened", document.locate(pointer), parameters);
  const denied = new Set(spec.deny ?? []);
  const undenied = (before.spec.deny ?? []).filter((pattern) => !denied.has(pattern));
  const [oldMode, mode] = [before.spec.mode ?? "ask", spec.mode ?? "ask"];
  return [
    ...undenied.map((pattern) => loosened("/deny", { variant: "undenied", toolset, pattern })),
    ...compareRules(before, after),
    ...(FREEDOM[mode] > FREEDOM[oldMode]
      ? [loosened("/mode", { variant: "mode", toolset, before: oldMode, after: mode })]
      : []),
  ];
}

/** How much runs without a person. In the modes of one level the same calls do. */
const FREEDOM: { readonly [mode in PermissionMode]: number } = { plan: 0, unattended: 1, ask: 1, "accept-writes": 2 };

function compareRules(before: PolicyModel, after: PolicyModel): readonly Diagnostic[] {
  const { toolset, document, rules } = after;
  const [was, is] = [before.rules.map(ruleText), rules.map(ruleText)];
  const gone = before.rules.filter((rule) => rule.decision !== "allow" && !is.includes(ruleText(rule)));
  const added = rules.filter((rule) => !was.includes(ruleText(rule)));
  const isReordered =
    was.filter((text) => is.includes(text)).join("\n") !== is.filter((text) => was.includes(text)).join("\n");
  const at = ({ index }: PolicyRule): ReturnType<typeof document.locate> => document.locate(`/rules/${index}`);
  return [
    ...gone.map((rule) =>
      diffDiagnostics("policy-loosened", document.locate("/rules"), {
        variant: "rule-gone",
        toolset,
        rule: ruleText(rule),
      }),
    ),
    ...added.flatMap((rule): readonly Diagnostic[] => {
      const parameters = { toolset, rule: ruleText(rule) };
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
