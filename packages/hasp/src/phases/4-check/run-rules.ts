import { formatMessage } from "@hasp/schema/internal/diagnostics";
import type { Severity } from "@hasp/schema";
import type { Diagnostic, Location } from "../../diagnostics/diagnostic.js";
import { thrownText } from "../../diagnostics/thrown-text.js";
import type { CompilePlan } from "../../model/plan.js";
import { handlerFiles } from "../../emitters/base/layout.js";
import { own } from "../../model/own.js";
import type { FlatTool } from "../../model/tool.js";
import { readParameter } from "../../rules/reading/parameters.js";
import { listTexts } from "../../rules/reading/texts.js";
import type { CheckedProject, Report, Rule, RuleMessages, RulePlan, ToolVisitor } from "../../rules/rule.js";
import { checkDiagnostics } from "./diagnostics.js";
import { createSeverities, type SeverityIn } from "./severities.js";
import { counted, ignoreProgress, type OnProgress } from "../../diagnostics/progress.js";

/** A rule that is not off, with its severity in each file. */
interface ActiveRule {
  readonly rule: Rule;
  readonly severityIn: SeverityIn;
}

/**
 * Runs every rule over all tools. A rule that crashes is reported as our bug; the others still run. What the rules find
 * in one tool rests on that tool and the plan, and is cached.
 */
export function runRules(
  rules: readonly Rule[],
  { tools, documents }: Omit<CheckedProject, "handlers">,
  plan: CompilePlan,
  onProgress: OnProgress = ignoreProgress,
): readonly Diagnostic[] {
  const severities = createSeverities(plan);
  const active = rules.flatMap((rule): ActiveRule[] => {
    const severityIn = isFixedRule(rule) ? (): Severity | "off" => rule.severity : severities.of(rule);
    return severityIn === "off" ? [] : [{ rule, severityIn }];
  });
  const { dialects, toolsets, budgets, outDir, handlersDir, contextMembers } = plan;
  const rulePlan: RulePlan = {
    dialects,
    toolsets,
    budgets,
    outDir,
    handlersDir,
    ...(contextMembers === undefined ? {} : { contextMembers }),
  };
  const found: Diagnostic[] = [];
  const project: CheckedProject = { tools, documents, handlers: handlersOf(tools, plan) };
  onProgress("Comparing tools");
  for (const each of active) {
    const { rule } = each;
    if (!("checkProject" in rule)) continue;
    reportCrash(rule, found, () => rule.checkProject(project, { plan: rulePlan, report: reportTo(found, each) }));
  }
  // Everything else that they depend on is in the key of the facts.
  const settings = active.map(({ rule }) => rule.id).join(" ");
  for (const tool of counted(tools, "Checking tools", onProgress)) {
    for (const finding of tool.facts.of("findings", () => checkTool(active, tool, rulePlan), settings)) {
      found.push(finding);
    }
  }
  return found;
}

/** Runs every rule about single tools over one of them. */
function checkTool(active: readonly ActiveRule[], tool: FlatTool, plan: RulePlan): readonly Diagnostic[] {
  const found: Diagnostic[] = [];
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
  }
  walkTool(tool, (visit) => {
    for (const [rule, visitor] of visitors) {
      if (!reportCrash(rule, found, () => visit(visitor))) visitors.delete(rule);
    }
  });
  return found;
}

/** Gives each schema, parameter and text of a tool to the visitors of all rules. */
function walkTool(tool: FlatTool, tell: (visit: (visitor: ToolVisitor) => void) => void): void {
  for (const node of tool.input.nodes) {
    tell((visitor) => visitor.input?.(node));
    const parameter = readParameter(node);
    if (parameter !== undefined) tell((visitor) => visitor.parameter?.(parameter));
  }
  for (const node of tool.output?.nodes ?? []) tell((visitor) => visitor.output?.(node));
  for (const text of listTexts(tool)) tell((visitor) => visitor.text?.(text));
  tell((visitor) => visitor.end?.());
}

/** Runs a rule and reports a crash as our bug. Returns false if it crashed. */
function reportCrash(rule: Rule, found: Diagnostic[], run: () => void): boolean {
  try {
    run();
    return true;
  } catch (error) {
    found.push(checkDiagnostics("rule-crashed", undefined, { rule: rule.id, reason: thrownText(error) }));
    return false;
  }
}

/** The tool of a finding; none where it is in a file that several tools may use: there it is reported once. */
function toolOf({
  tool,
  location,
}: {
  readonly tool: FlatTool | undefined;
  readonly location: Location;
}): Pick<Diagnostic, "tool"> {
  return tool !== undefined && tool.document.uri === location.uri ? { tool: tool.name } : {};
}

function handlersOf(tools: readonly FlatTool[], { handlerDigests, ...plan }: CompilePlan): CheckedProject["handlers"] {
  if (Object.keys(handlerDigests).length === 0) return new Map();
  const names = tools.map(({ name }) => name);
  const known = Array.from(handlerFiles(names, plan), ([name, path]) => [name, own(handlerDigests, path)] as const);
  return new Map(known.flatMap(([name, handler]) => (handler === undefined ? [] : [[name, handler] as const])));
}

/** Creates the function by which a rule reports; `tool` is the one that it checks, if it checks one. */
function reportTo(found: Diagnostic[], { rule, severityIn }: ActiveRule, tool?: FlatTool): Report<RuleMessages> {
  return (name, at, parameters) => {
    const message = rule.messages[name];
    if (message === undefined) throw new Error(`it declares no message "${name}"`);
    const severity = severityIn(at.location.uri);
    if (severity === "off") return;
    found.push({
      code: rule.id,
      severity,
      message: formatMessage(message, parameters),
      location: at.location,
      ...(at.help === undefined ? {} : { help: at.help }),
      ...toolOf({ tool, ...at }),
      ...(at.related === undefined ? {} : { related: at.related }),
      ...(at.fix === undefined ? {} : { fix: at.fix }),
      ...(isFixedRule(rule) ? { fixed: true } : {}),
      ...(at.needsAllSpecs === undefined ? {} : { needsAllSpecs: at.needsAllSpecs }),
    });
  };
}

/** Whether a rule holds what hasp promises, so that nobody may suppress or downgrade it. */
export function isFixedRule(rule: Rule): boolean {
  return rule.group === "fail-closed";
}
