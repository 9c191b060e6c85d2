import type { Severity } from "@hasp/schema";
import type { Diagnostic } from "../../diagnostics/diagnostic.js";
import type { Rule, RuleSubject } from "../../rules/rule.js";
import { checkDiagnostics } from "./diagnostics.js";
import { createSeverities, type Severities } from "./severities.js";

/** Runs every rule over all tools. A rule that crashes is reported as our bug; the others still run. */
export function runRules(rules: readonly Rule[], subject: RuleSubject): readonly Diagnostic[] {
  const severities = createSeverities(subject.plan);
  return rules.flatMap((rule) => runRule(rule, subject, severities));
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
    const reason = error instanceof Error ? error.message : String(error);
    found.push(checkDiagnostics("rule-crashed", undefined, { rule: rule.id, reason }));
  }
  return found;
}

/** Whether a rule holds what hasp promises, so that nobody may silence or downgrade it. */
export function isFixedRule(rule: Rule): boolean {
  return rule.group === "fail-closed";
}
