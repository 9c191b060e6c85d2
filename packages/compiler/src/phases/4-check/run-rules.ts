import { type Diagnostic, findMeant, formatMessage, type Location, printThrown } from "@hasp/base/diagnostics";
import { dropUndefined } from "@hasp/base/json";
import type { Severity } from "@hasp/schema";
import type { CompileContext } from "../../context/context.js";
import { isFixedRule } from "../../model/finding-ids.js";
import type { FlatTool } from "../../model/tool.js";
import { createCustomRules } from "../../plugins/custom-rules.js";
import { checkWithPlugins } from "../../plugins/foreign-plugins.js";
import {
  listParameters,
  type Report,
  type Rule,
  type RuleMessages,
  type RulePlan,
  type ToolVisitor,
} from "../../plugins/rule.js";
import { listTexts } from "../../plugins/texts.js";
import { findHandlerDigests } from "../../typescript/layout.js";
import { checkDiagnostics } from "./diagnostics.js";
import { createSeverities, type SeverityIn } from "./severities.js";

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
