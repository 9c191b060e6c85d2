import { attempt, type Diagnostic } from "@hasp/base/diagnostics";
import { matchesPattern } from "@hasp/runtime/contract";
import type { JsonValue } from "@hasp/schema";
import { createInputSampler } from "@hasp/compiler/conditions";
import type { PolicyModel, PolicyRule } from "@hasp/compiler/model";
import type { FlatTool } from "@hasp/compiler";
import { findLooseTests } from "./rules/reading/loose-tests.js";
import { createDataFinder, listProgramFields, createProgramFinder } from "./rules/reading/program-fields.js";
import {
  policyDiagnostics,
  covers,
  hasWildcard,
  isAlwaysDestructive,
  findMatchingTools,
  mayBe,
} from "@hasp/compiler/claims";
import { plainData, type BuiltInPlugin } from "@hasp/compiler/plugins";
import { emitFiles, emitParts } from "./emitters/assemble.js";
import { keepShares } from "./emitters/prepare.js";
import { kindPlugins } from "./kinds.js";
import { pluginKind } from "./plugin-kind.js";
import { rules } from "./rules/index.js";

/** The rules and emitters of hasp, whose names have no prefix. */
const builtin: BuiltInPlugin = {
  name: "hasp",
  rules,
  lintPolicies,
  pluginKind,
  emit: {
    emitFiles,
    emitParts,
    keeping: { "Sharing definitions": keepShares, "Emitting tools": plainData, "Formatting files": plainData },
  },
};

/** The built-in plugins: their only list. */
export const builtIn: readonly BuiltInPlugin[] = [builtin, ...kindPlugins];

/** Finds policy rules that have no effect, and rules that allow programs which nobody has read. */
function lintPolicies(policies: readonly PolicyModel[]): readonly Diagnostic[] {
  return policies.flatMap((policy) =>
    policy.rules.flatMap((rule) => [...looselyAllowed(policy, rule), ...lintRule(policy, rule)]),
  );
}

/** Reports a rule that allows a program by a part of it, as `fail-closed/program-pattern` does for milder classes. */
function looselyAllowed({ document, tools }: PolicyModel, rule: PolicyRule): readonly Diagnostic[] {
  const [tool] = findMatchingTools(tools, rule.tool);
  if (rule.decision !== "allow" || rule.predicate === undefined || tool === undefined) return [];
  const find = createProgramFinder(listProgramFields(tool, "named"));
  const isPlain = createDataFinder(tool);
  const inInput = (pointer: string): string | undefined => /^\/input(\/.*)$/su.exec(pointer)?.[1];
  const tests = findLooseTests(rule.predicate.expression, true, {
    fieldAt: (pointer) => find(inInput(pointer) ?? ""),
    // The host's own words about a call do not come from a model.
    isData: (pointer) => isPlain(inInput(pointer) ?? "") || inInput(pointer) === undefined,
    items: new Map(),
  });
  const location = document.locate(`/rules/${rule.index}/when`);
  return [...tests].map(({ field, test }) => policyDiagnostics("program-pattern", location, { field, test }));
}

function lintRule(policy: PolicyModel, rule: PolicyRule): readonly Diagnostic[] {
  const { document, rules, tools } = policy;
  const location = document.locate(`/rules/${rule.index}`);
  const earlier = rules.slice(0, rule.index).find((each) => isCovered(rule, each, tools));
  if (earlier !== undefined) {
    const witness = witnessOf(rule, tools);
    const by = `the ${ordinal(earlier.index)} rule`;
    const related = [{ location: document.locate(`/rules/${earlier.index}`), message: "the rule that decides" }];
    return [policyDiagnostics("shadowed-rule", location, { by, witness: JSON.stringify(witness) }, { related })];
  }
  const why = rule.decision === "allow" ? obstacleTo(policy, rule) : undefined;
  if (why !== undefined) return [policyDiagnostics("never-allows", location, { why })];
  const sink =
    rule.flow === undefined || rule.server !== undefined ? undefined : findMatchingTools(tools, rule.tool)[0];
  return sink === undefined || sink.worstCase.isOpenWorld
    ? []
    : [policyDiagnostics("waives-nothing", document.locate(`/rules/${rule.index}/flow`), { tool: sink.name })];
}

/** True if an earlier rule certainly decides every call of a later one. */
function isCovered(rule: PolicyRule, earlier: PolicyRule, tools: readonly FlatTool[]): boolean {
  if (earlier.server !== rule.server) return false;
  if (earlier.when !== undefined && earlier.when !== rule.when) return false;
  return rule.server === undefined ? covers(earlier.tool, rule.tool, tools) : earlier.tool === rule.tool;
}

function witnessOf({ tool, predicate, call }: PolicyRule, tools: readonly FlatTool[]): JsonValue {
  const name = findMatchingTools(tools, tool)[0]?.name ?? tool;
  if (predicate === undefined || call === undefined) return { tool: name };
  for (const sample of createInputSampler(call, [])([predicate.expression])) {
    if (attempt(() => predicate.evaluate(sample)) ?? false) return { tool: name, ...(sample as object) } as JsonValue;
  }
  return { tool: name };
}

function obstacleTo({ spec, tools }: PolicyModel, { tool, server }: PolicyRule): string | undefined {
  if (server !== undefined) return undefined;
  const denied = (spec.deny ?? []).find((pattern) => covers(pattern, tool, tools));
  if (denied !== undefined) return `"${denied}" under deny refuses its calls first`;
  const matched = findMatchingTools(tools, tool);
  if (matched.length === 0) return undefined;
  if (!matched.some(({ name }) => matchesPattern(tool, name))) {
    return `"${tool}" is an alias, and only a tool's own name can be allowed`;
  }
  const mayRead = matched.some((each) => mayBe(each, "READ_ONLY"));
  if (spec.mode === "plan" && !mayRead) return "mode plan refuses calls that are not READ_ONLY";
  if (hasWildcard(tool) && !/^\*|^mcp/u.test(tool) && matched.every(isAlwaysDestructive)) {
    return "it matches only destructive calls, and only a rule that names their tool can allow those";
  }
  return undefined;
}

function ordinal(index: number): string {
  const number = index + 1;
  const tens = number % 100;
  const suffix = tens >= 11 && tens <= 13 ? "th" : (["th", "st", "nd", "rd"][number % 10] ?? "th");
  return `${number}${suffix}`;
}
