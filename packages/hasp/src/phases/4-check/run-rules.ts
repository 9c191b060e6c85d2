import type { Severity } from "@hasp/schema";
import type { Diagnostic } from "../../diagnostics/diagnostic.js";
import { thrownText } from "../../diagnostics/thrown-text.js";
import { createMemory, keptAsJson } from "../../model/memory.js";
import type { FlatTool } from "../../model/tool.js";
import type { Rule, RuleSubject } from "../../rules/rule.js";
import { checkDiagnostics } from "./diagnostics.js";
import { createSeverities, type Severities } from "./severities.js";

const findingsSoFar = createMemory<FlatTool, readonly Diagnostic[]>(keptAsJson("findings"));

/**
 * Runs every rule over all tools. A rule that crashes is reported as our bug; the others still run. What the rules find
 * in one tool rests on that tool and the plan, and is remembered.
 */
export function runRules(rules: readonly Rule[], subject: RuleSubject): readonly Diagnostic[] {
  const { tools, plan } = subject;
  const severities = createSeverities(plan);
  const ofProject = rules.filter(({ scope }) => scope === "project");
  const ofTools = rules.filter(({ scope }) => scope !== "project");
  // No rule asks for the day, for an approval or for where the configuration says something.
  const {
    today: _today,
    handlerDigests: _digests,
    ignore: _ignore,
    locations: _locations,
    unlocked: _unlocked,
    ...settings
  } = plan;
  const rest = JSON.stringify([ofTools.map(({ id }) => id), settings]);
  const inTool = (tool: FlatTool): readonly Diagnostic[] =>
    ofTools.flatMap((rule) => runRule(rule, { tools: [tool], plan, documents: [] }, severities));
  const found = ofProject.flatMap((rule) => runRule(rule, subject, severities));
  for (const tool of tools) for (const finding of findingsSoFar.of(tool, rest, () => inTool(tool))) found.push(finding);
  return found;
}

function runRule(rule: Rule, subject: RuleSubject, severities: Severities): readonly Diagnostic[] {
  const isFixed = isFixedRule(rule);
  const severityIn = isFixed ? (): Severity | "off" => rule.severity : severities.of(rule);
  if (severityIn === "off") return [];
  const found: Diagnostic[] = [];
  try {
    rule.check(subject, (name, at, ...parameters) => {
      const message = rule.messages[name];
      if (message === undefined) throw new Error(`it declares no message "${name}"`);
      const severity = severityIn(at.location.uri);
      if (severity === "off") return;
      found.push({
        code: rule.id,
        severity,
        message: message(...parameters),
        location: at.location,
        ...(at.help === undefined ? {} : { help: at.help }),
        ...(at.tool === undefined ? {} : { tool: at.tool.name }),
        ...(at.related === undefined ? {} : { related: at.related }),
        ...(at.fix === undefined ? {} : { fix: at.fix }),
        ...(isFixed ? { fixed: true } : {}),
      });
    });
  } catch (error) {
    const reason = thrownText(error);
    found.push(checkDiagnostics("rule-crashed", undefined, { rule: rule.id, reason }));
  }
  return found;
}

/** Whether a rule holds what hasp promises, so that nobody may silence or downgrade it. */
export function isFixedRule(rule: Rule): boolean {
  return rule.group === "fail-closed";
}
