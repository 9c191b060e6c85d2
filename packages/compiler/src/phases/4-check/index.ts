import { suggestionsFor } from "../../diagnostics/closest.js";
import type { Diagnostic, Found } from "../../diagnostics/diagnostic.js";
import { checkLedger, readApprovals, withoutApprovedContradictions } from "../../ledger/index.js";
import { policyName } from "../../ledger/ledger-file.js";
import type { CompilePlan } from "../../model/plan.js";
import type { FlatTools } from "../3-flatten/index.js";
import { checkedPolicies } from "../../policies/index.js";
import type { PolicyModel } from "../../model/policy.js";
import type { CompileContext } from "../../context/context.js";
import type { FlatTool } from "../../model/tool.js";
import { escapeToken } from "../../model/json.js";
import { createCustomRules } from "../../plugins/custom-rules.js";
import { declaredTools } from "../../model/document.js";
import { isFixedRule } from "../../diagnostics/finding-ids.js";
import { checkDiagnostics } from "./diagnostics.js";
import { runRules } from "./run-rules.js";
import { offerRemoval } from "../../diagnostics/diagnostic.js";
import { applySuppressions, type KnownRules } from "./suppressions.js";

interface ToolsToCheck extends Pick<FlatTools, "value" | "refused"> {
  /** The findings of plugins that run elsewhere. */
  readonly foreign?: readonly Diagnostic[];
}

interface CheckedTools {
  readonly tools: readonly FlatTool[];
  readonly policies: readonly PolicyModel[];
}

/** Checks tools, handlers and policies. Refused tools are searched too, so that no error hides another finding. */
export function check(
  { value: tools, refused, foreign = [] }: ToolsToCheck,
  context: CompileContext,
): Found<CheckedTools> {
  const { plan, documents, plugins } = context;
  const rules = [...plugins.rules, ...createCustomRules(plan)];
  const ofPlugins = (plan.plugins ?? []).flatMap((plugin) => plugin.rules);
  const known: KnownRules = {
    ids: [...rules, ...ofPlugins].map((rule) => rule.id),
    fixed: new Set(rules.filter(isFixedRule).map((rule) => rule.id)),
  };
  const all = [...tools, ...refused].toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const refusedByName = new Map(refused.map((tool) => [tool.name, tool]));
  const found = [...runRules(rules, all, context), ...foreign].filter((finding) => {
    const tool = finding.tool === undefined ? undefined : refusedByName.get(finding.tool);
    return tool === undefined || !isAboutRemoved(finding, tool);
  });
  const approvals = readApprovals(documents, tools, plan);
  const standing = withoutApprovedContradictions(found, tools, approvals);
  const usable = new Set(tools.map((tool) => tool.name));
  const declared = declaredTools(documents);
  const policyNames = documents.flatMap(({ role, uri }) => (role === "policy" ? [policyName(uri)] : []));
  const broken = declared.filter(({ name }) => !usable.has(name));
  const policies = checkedPolicies(tools, context, approvals);
  return {
    value: { tools, policies: policies.value },
    diagnostics: [
      ...problemsOfSeverities(plan, known),
      ...applySuppressions(standing, documents, plan, known, new Set(broken.map(({ document }) => document))),
      ...checkLedger(tools, context, approvals, [...declared.map(({ name }) => name), ...policyNames]),
      ...plugins.handlers.check(tools, plan),
      ...policies.diagnostics,
    ],
  };
}

/** True for a finding that may be due to the faulty parts that were left out of a refused tool. */
function isAboutRemoved({ code, location }: Diagnostic, tool: FlatTool): boolean {
  return tool.removed.some((pointer) => {
    const holder = pointer.slice(0, pointer.lastIndexOf("/"));
    if (/^\/(?:input|output)\//u.test(pointer)) return location?.pointer.startsWith(tool.pointer + holder) === true;
    if (pointer === "/description") return /^(?:description|naming|size)\//u.test(code);
    // Rules of safety compare these values with each other.
    return /^\/(?:concurrency|behavior|limits|visibility)(?:\/|$)/u.test(pointer) && isAboutValues(code);
  });
}

function isAboutValues(code: string): boolean {
  return /^(?:safety|fail-closed|size)\//u.test(code);
}

function problemsOfSeverities(
  { rules, overrides, locations = {} }: CompilePlan,
  known: KnownRules,
): readonly Diagnostic[] {
  const settings = [
    { holder: "/rules", severities: rules },
    ...overrides.map((override, index) => ({ holder: `/overrides/${index}/rules`, severities: override.rules })),
  ];
  return settings.flatMap(({ holder, severities }) =>
    Object.keys(severities).flatMap((rule) => {
      const location = locations[`${holder}/${escapeToken(rule)}`];
      if (!known.ids.includes(rule)) {
        return [checkDiagnostics("unknown-rule", location, { rule, nearest: suggestionsFor(rule, known.ids) })];
      }
      return known.fixed.has(rule)
        ? [
            checkDiagnostics(
              "fixed-severity",
              location,
              { rule },
              offerRemoval(location, `${holder}/${escapeToken(rule)}`),
            ),
          ]
        : [];
    }),
  );
}
