import type { Severity } from "@hasp/schema";
import ignore from "ignore";
import { own } from "../../model/own.js";
import type { CompilePlan } from "../../model/plan.js";
import type { Rule } from "../../plugins/rule.js";

/** The severity of a rule in a file. */
export type SeverityIn = (uri: string) => Severity | "off";

/** The severities of rules under a configuration. */
interface Severities {
  /** `off` for a rule that no file wants, which need not run. */
  of(rule: Rule): SeverityIn | "off";
}

/**
 * The severities under a plan: those of the last override that covers the file and names the rule, of `rules`, of the
 * rule.
 */
export function createSeverities({ rules, overrides }: Pick<CompilePlan, "rules" | "overrides">): Severities {
  // What comes first decides.
  const matchers = overrides
    .toReversed()
    .map((override) => ({ severities: override.rules, paths: ignore().add(override.path) }));
  return {
    of({ id, severity: own }) {
      const general = severityOf(id, rules) ?? own;
      const special = matchers.flatMap(({ severities, paths }) => {
        const severity = severityOf(id, severities);
        return severity === undefined ? [] : [{ severity, paths }];
      });
      if (general === "off" && special.every(({ severity }) => severity === "off")) return "off";
      return (uri) => special.find(({ paths }) => paths.ignores(uri))?.severity ?? general;
    },
  };
}

function severityOf(id: string, severities: CompilePlan["rules"]): Severity | "off" | undefined {
  return own(severities, id);
}
