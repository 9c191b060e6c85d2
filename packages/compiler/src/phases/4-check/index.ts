import ignore from "ignore";
import {
  findMeant,
  formatMessage,
  findSuggestions,
  type Diagnostic,
  type Found,
  type Location,
  offerRemoval,
  printThrown,
} from "@hasp/base/diagnostics";
import type { Severity } from "@hasp/schema";
import { findFirstUnprovedRow } from "../../cel/decision-table.js";
import { checkLedger, removeApprovedContradictions } from "../../ledger/check-ledger.js";
import { readApprovals } from "../../ledger/claims.js";
import { readPolicyName } from "../../ledger/ledger-file.js";
import type { CompilePlan, RuleFacts } from "../../model/plan.js";
import type { FlatTools } from "../3-flatten/index.js";
import { checkPolicies } from "../../policies/compile-policies.js";
import { checkFlows } from "../../policies/flow.js";
import type { PolicyModel } from "../../model/policy.js";
import type { CompileContext } from "../../context/context.js";
import { checkHandlers } from "../../handlers/check-handlers.js";
import type { FlatTool } from "../../model/tool.js";
import { appendToPointer, sortBy, dropUndefined, own } from "@hasp/base/json";
import {
  listParameters,
  type Report,
  type Rule,
  type RuleMessages,
  type RulePlan,
  type ToolVisitor,
} from "../../plugins/rule.js";
import { listTexts } from "../../plugins/texts.js";
import { createCustomRules } from "../../plugins/custom-rules.js";
import { findHandlerDigests } from "../../typescript/layout.js";
import { checkWithPlugins } from "../../plugins/foreign-plugins.js";
import { isFixedRule } from "../../model/finding-ids.js";
import { checkDiagnostics } from "./diagnostics.js";
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
  const refusedByName = new Map(refused.map((tool) => [tool.name, tool]));
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

/** Lists the rules that run in process: those of plugins that the caller vouches for, and those written in YAML. */
export function listRules({ plan, plugins }: Pick<CompileContext, "plan" | "plugins">): readonly Rule[] {
  return [...plugins.rules, ...createCustomRules(plan)];
}

/**
 * Finds the errors and warnings of the rules that entries of the configuration silence in some files; none without such
 * entries. It depends on its place whether one of them is silenced.
 */
export async function findSilenceable(
  tools: readonly FlatTool[],
  context: CompileContext,
): Promise<readonly Diagnostic[]> {
  const { plan, sources, plugins } = context;
  const silenced = new Set(plan.ignore.map(({ rule }) => rule));
  if (silenced.size === 0) return [];
  const foreign = await checkWithPlugins(plugins.foreign, sources, plan);
  // All rules, as in `check`: the steps of a tool are shared.
  const found = [...runRules(listRules(context), tools, context), ...foreign];
  return found.filter(({ code, severity, fixed }) => silenced.has(code) && severity !== "info" && fixed !== true);
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

interface ActiveRule {
  readonly rule: Rule;
  readonly severityIn: SeverityIn;
}

/** Runs every rule over all tools. A rule that crashes is reported as our bug; the others still run. */
export function runRules(
  rules: readonly Rule[],
  tools: readonly FlatTool[],
  { plan, documents, each }: CompileContext,
): readonly Diagnostic[] {
  const severities = createSeverities(plan);
  const active = rules.flatMap((rule): ActiveRule[] => {
    const severityIn = isFixedRule(rule) ? (): Severity | "off" => rule.severity : severities.of(rule);
    return severityIn === "off" ? [] : [{ rule, severityIn }];
  });
  const { dialects, clients, server, isServed, toolsets, budgets, outDir, handlersDir, contextMembers } = plan;
  const rulePlan: RulePlan = {
    dialects,
    toolsets,
    budgets,
    outDir,
    handlersDir,
    ...dropUndefined({ clients, server, isServed, contextMembers }),
  };
  const checked = each("Checking tools", tools, (tool) => checkTool(active, tool, rulePlan));
  const byTool = new Map(tools.map((tool, index) => [tool, checked[index]?.readings]));
  const found: Diagnostic[] = [];
  const handlers = findHandlerDigests(tools, plan);
  for (const running of active) {
    const { rule } = running;
    if (!("checkProject" in rule)) continue;
    const { id } = rule;
    // Without a tool's reading, the rule would crash again.
    if (checked.some(({ crashed }) => crashed.includes(id))) continue;
    // The rule's own type ties what it reads to what it is given.
    const readingOf = (tool: FlatTool): never => byTool.get(tool)?.[id] as never;
    reportCrash(rule, found, () =>
      rule.checkProject(
        { tools, documents, handlers, readingOf },
        { plan: rulePlan, report: reportTo(found, running) },
      ),
    );
  }
  for (const { findings } of checked) found.push(...findings);
  return found;
}

export interface CheckedTool {
  readonly findings: readonly Diagnostic[];
  readonly readings: { readonly [rule: string]: unknown };
  readonly crashed: readonly string[];
}

function checkTool(active: readonly ActiveRule[], tool: FlatTool, plan: RulePlan): CheckedTool {
  const found: Diagnostic[] = [];
  const readings: { [rule: string]: unknown } = {};
  const crashed: string[] = [];
  const texts = listTexts(tool);
  const visitors = new Map<Rule, ToolVisitor>();
  for (const each of active) {
    const { rule } = each;
    const context = { plan, report: reportTo(found, each, tool) };
    if ("checkTool" in rule) reportCrash(rule, found, () => rule.checkTool(tool, context));
    if ("visitTool" in rule) {
      reportCrash(rule, found, () => {
        visitors.set(rule, rule.visitTool(tool, context));
      });
    }
    if ("readTool" in rule) {
      const isRead = reportCrash(rule, found, () => {
        readings[rule.id] = rule.readTool?.(tool, texts);
      });
      if (!isRead) crashed.push(rule.id);
    }
  }
  const nodes = tool.input.nodes;
  const parameters = listParameters(nodes);
  const outputs = tool.output?.nodes ?? [];
  for (const [rule, visitor] of visitors) {
    reportCrash(rule, found, () => {
      visitAll(nodes, visitor.input);
      visitAll(parameters, visitor.parameter);
      visitAll(outputs, visitor.output);
      visitAll(texts, visitor.text);
      visitor.end?.();
    });
  }
  return { findings: found, readings, crashed };
}

function visitAll<Item>(items: readonly Item[], visit: ((item: Item) => void) | undefined): void {
  if (visit !== undefined) for (const item of items) visit(item);
}

/** Runs a rule and reports a crash as our bug. Returns false if it crashed. */
function reportCrash(rule: Rule, found: Diagnostic[], run: () => void): boolean {
  try {
    run();
    return true;
  } catch (error) {
    found.push(checkDiagnostics("rule-crashed", undefined, { rule: rule.id, reason: printThrown(error) }));
    return false;
  }
}

/** Returns a finding's tool; none in a file that several tools may use, where it is reported once. */
function toolOf(tool: FlatTool | undefined, { uri }: Location): Pick<Diagnostic, "tool"> {
  return tool !== undefined && tool.document.uri === uri ? { tool: tool.name } : {};
}

function reportTo(found: Diagnostic[], { rule, severityIn }: ActiveRule, tool?: FlatTool): Report<RuleMessages> {
  return (name, at, parameters) => {
    const message = rule.messages[name];
    if (message === undefined) throw new Error(`it declares no message "${name}"`);
    const severity = severityIn(at.location.uri);
    if (severity === "off") return;
    const { location, help, related, data, fix, needsAllSpecs } = at;
    found.push(
      dropUndefined({
        code: rule.id,
        severity,
        message: formatMessage(message, parameters),
        meant: findMeant(message, parameters),
        location,
        help,
        ...toolOf(tool, location),
        related,
        data,
        fix,
        fixed: isFixedRule(rule) ? (true as const) : undefined,
        needsAllSpecs,
      }),
    );
  };
}

type SeverityIn = (uri: string) => Severity | "off";

interface Severities {
  /** Returns `off` for a rule that no file wants, which need not run. */
  of(rule: Pick<RuleFacts, "id" | "severity">): SeverityIn | "off";
}

/** Reads the severities of a plan. The last override that covers the file and names the rule decides. */
export function createSeverities({ rules, overrides }: Pick<CompilePlan, "rules" | "overrides">): Severities {
  const matchers = overrides
    .toReversed()
    .map((override) => ({ severities: override.rules, paths: ignore().add(override.path) }));
  return {
    of({ id, severity: usual }) {
      const general = own(rules, id) ?? usual;
      const special = matchers.flatMap(({ severities, paths }) => {
        const severity = own(severities, id);
        return severity === undefined ? [] : [{ severity, paths }];
      });
      if (general === "off" && special.every(({ severity }) => severity === "off")) return "off";
      return (uri) => special.find(({ paths }) => paths.ignores(uri))?.severity ?? general;
    },
  };
}
