import { formatMessage } from "@hasp/schema/internal/diagnostics";
import type { Severity } from "@hasp/schema";
import type { Diagnostic } from "../../diagnostics/diagnostic.js";
import { thrownText } from "../../diagnostics/thrown-text.js";
import type { CompilePlan } from "../../model/plan.js";
import { handlerFiles } from "../../emitters/base/layout.js";
import { own } from "../../model/own.js";
import type { FlatTool } from "../../model/tool.js";
import type { FindingContext, Rule, RulePlan, RuleSubject } from "../../rules/rule.js";
import { checkDiagnostics } from "./diagnostics.js";
import { createSeverities, type SeverityIn } from "./severities.js";
import { counted, ignoreProgress, type OnProgress } from "../../diagnostics/progress.js";

/** What rules look at, and how severe the configuration makes them. */
interface SubjectWithSeverities extends RuleSubject {
  readonly plan: RulePlan & Pick<CompilePlan, "rules" | "overrides" | "handlerDigests">;
}

/**
 * Runs every rule over all tools. A rule that crashes is reported as our bug; the others still run. What the rules find
 * in one tool rests on that tool and the plan, and is cached.
 */
export function runRules(
  rules: readonly Rule[],
  subject: Omit<SubjectWithSeverities, "handlers">,
  onProgress: OnProgress = ignoreProgress,
): readonly Diagnostic[] {
  const { tools, documents, plan } = subject;
  const severities = createSeverities(plan);
  const ofProject = rules.filter(({ scope }) => scope === "project");
  const ofTools = rules.filter(({ scope }) => scope !== "project");
  const { dialects, toolsets, budgets, outDir, handlersDir, contextMembers } = plan;
  const rulePlan: RulePlan = {
    dialects,
    toolsets,
    budgets,
    outDir,
    handlersDir,
    ...(contextMembers === undefined ? {} : { contextMembers }),
  };
  // Everything else that they depend on is in the key of the facts.
  const settings = ofTools.map(({ id }) => id).join(" ");
  const severityIn = new Map(rules.map((rule) => [rule, severities.of(rule)]));
  const inTool = (tool: FlatTool): readonly Diagnostic[] => {
    const ofTool: RuleSubject = { tools: [tool], plan: rulePlan, documents: [], handlers: new Map() };
    return ofTools.flatMap((rule) => runRule(rule, ofTool, severityIn.get(rule) ?? "off"));
  };
  const ofAll: RuleSubject = { tools, plan: rulePlan, documents, handlers: handlersOf(tools, plan) };
  onProgress("Comparing tools");
  const found = ofProject.flatMap((rule) => runRule(rule, ofAll, severityIn.get(rule) ?? "off"));
  for (const tool of counted(tools, "Checking tools", onProgress)) {
    for (const finding of tool.facts.of("findings", () => inTool(tool), settings)) found.push(finding);
  }
  return found;
}

/** The tool of a finding; none where it is in a file that several tools may use: there it is reported once. */
function toolOf({ tool, location }: FindingContext): Pick<Diagnostic, "tool"> {
  return tool !== undefined && tool.document.uri === location.uri ? { tool: tool.name } : {};
}

function handlersOf(
  tools: readonly FlatTool[],
  { handlerDigests, ...plan }: SubjectWithSeverities["plan"],
): RuleSubject["handlers"] {
  if (Object.keys(handlerDigests).length === 0) return new Map();
  const names = tools.map(({ name }) => name);
  const known = Array.from(handlerFiles(names, plan), ([name, path]) => [name, own(handlerDigests, path)] as const);
  return new Map(known.flatMap(([name, handler]) => (handler === undefined ? [] : [[name, handler] as const])));
}

function runRule(rule: Rule, subject: RuleSubject, configured: SeverityIn | "off"): readonly Diagnostic[] {
  const isFixed = isFixedRule(rule);
  const severityIn = isFixed ? (): Severity | "off" => rule.severity : configured;
  if (severityIn === "off") return [];
  const found: Diagnostic[] = [];
  try {
    rule.check(subject, (name, at, parameters) => {
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
        ...toolOf(at),
        ...(at.related === undefined ? {} : { related: at.related }),
        ...(at.fix === undefined ? {} : { fix: at.fix }),
        ...(isFixed ? { fixed: true } : {}),
        ...(at.needsAllSpecs === undefined ? {} : { needsAllSpecs: at.needsAllSpecs }),
      });
    });
  } catch (error) {
    const reason = thrownText(error);
    found.push(checkDiagnostics("rule-crashed", undefined, { rule: rule.id, reason }));
  }
  return found;
}

/** Whether a rule holds what hasp promises, so that nobody may suppress or downgrade it. */
export function isFixedRule(rule: Rule): boolean {
  return rule.group === "fail-closed";
}
