import ignore from "ignore";
import { own } from "@hasp/base/json";
import type { Severity } from "@hasp/schema";
import type { CompilePlan, RuleFacts } from "../../model/plan.js";

export type SeverityIn = (uri: string) => Severity | "off";

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
