import { findSuggestions, type Diagnostic, type Found, offerRemoval } from "@hasp/base/diagnostics";
import { findFirstUnprovedRow } from "../../cel/decision-table.js";
import { checkLedger, removeApprovedContradictions } from "../../ledger/check-ledger.js";
import { readApprovals } from "../../ledger/claims.js";
import { readPolicyName } from "../../ledger/ledger-file.js";
import type { CompilePlan } from "../../model/plan.js";
import type { FlatTools } from "../3-flatten/index.js";
import { checkPolicies } from "../../policies/compile-policies.js";
import { checkFlows } from "../../policies/flow.js";
import type { PolicyModel } from "../../model/policy.js";
import type { CompileContext } from "../../context/context.js";
import { checkHandlers } from "../../handlers/check-handlers.js";
import type { FlatTool } from "../../model/tool.js";
import { appendToPointer, sortBy, indexBy } from "@hasp/base/json";
import { checkWithPlugins } from "../../plugins/foreign-plugins.js";
import { isFixedRule } from "../../model/finding-ids.js";
import { checkDiagnostics } from "./diagnostics.js";
import { listRules, runRules } from "./run-rules.js";
import { applySuppressions, type KnownRules } from "./suppressions.js";

interface CheckedTools {
  readonly tools: readonly FlatTool[];
  readonly policies: readonly PolicyModel[];
}

/**
 * Checks tools, handlers, approvals, policies and flows. Refused tools are searched too, so that no error hides another
 * finding.
 */
export async function check({ tools, refused }: FlatTools, context: CompileContext): Promise<Found<CheckedTools>> {
  const { plan, documents, sources, plugins } = context;
  await plugins.handlerKinds.load(documents, plan);
  const foreign = await checkWithPlugins(plugins.foreign, sources, plan);
  const rules = listRules(context);
  const ofPlugins = (plan.plugins ?? []).flatMap((plugin) => plugin.rules);
  const known: KnownRules = {
    ids: [...rules, ...ofPlugins].map((rule) => rule.id),
    fixed: new Set(rules.filter(isFixedRule).map((rule) => rule.id)),
  };
  const all = sortBy([...tools, ...refused], ({ name }) => name);
  const refusedByName = indexBy(refused, ({ name }) => name);
  const found = [...runRules(rules, all, context), ...foreign].filter((finding) => {
    const tool = finding.tool === undefined ? undefined : refusedByName.get(finding.tool);
    return tool === undefined || !isAboutRemoved(finding, tool);
  });
  const approvals = readApprovals(documents, tools, plan);
  const standing = removeApprovedContradictions(found, tools, approvals);
  const usable = new Set(tools.map((tool) => tool.name));
  const { declared } = context.exclusions;
  const policyNames = documents.flatMap(({ role, uri }) => (role === "policy" ? [readPolicyName(uri)] : []));
  const broken = declared.filter(({ name }) => !usable.has(name));
  const policies = checkPolicies(tools, context, approvals);
  return {
    value: { tools, policies: policies.value },
    diagnostics: [
      ...problemsOfSeverities(plan, known),
      ...tools.flatMap(reportUnprovedRows),
      ...reportLongInstructions(plan),
      ...applySuppressions(standing, documents, plan, known, new Set(broken.map(({ document }) => document))),
      ...checkLedger(tools, context, approvals, [...declared.map(({ name }) => name), ...policyNames]),
      ...checkHandlers(tools, plan, plugins.handlerKinds),
      ...policies.diagnostics,
      ...checkFlows(tools, policies.value, context),
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

function reportUnprovedRows(tool: FlatTool): readonly Diagnostic[] {
  const row = findFirstUnprovedRow(tool);
  if (row === undefined) return [];
  const { index } = row.rule;
  const location = tool.locate(`/concurrency/rules/${index}`);
  return [checkDiagnostics("rows-not-proved", location, { row: index + 1 }, { tool: tool.name })];
}

/** Characters. Claude Code cuts the instructions of a server after so many. */
const MOST_OF_INSTRUCTIONS = 2048;

function reportLongInstructions({ instructions = "", locations }: CompilePlan): readonly Diagnostic[] {
  const { length } = instructions;
  if (length <= MOST_OF_INSTRUCTIONS) return [];
  return [checkDiagnostics("long-instructions", locations?.["/serve"], { length, most: MOST_OF_INSTRUCTIONS })];
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
      const location = locations[appendToPointer(holder, rule)];
      if (!known.ids.includes(rule)) {
        return [checkDiagnostics("unknown-rule", location, { rule, nearest: findSuggestions(rule, known.ids) })];
      }
      return known.fixed.has(rule)
        ? [checkDiagnostics("fixed-severity", location, { rule }, offerRemoval(location, location?.pointer ?? ""))]
        : [];
    }),
  );
}
