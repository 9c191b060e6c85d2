import { rules } from "../../../compiler/src/builtin/rules/index.js";
import type { RuleFacts } from "../../../compiler/src/model/plan.js";
import { groupName } from "../../../compiler/src/diagnostics/rule-groups.js";

/** A SARIF reporting descriptor: facts about one kind of finding. */
interface SarifRule {
  readonly id: string;
  readonly name?: string;
  readonly shortDescription: { readonly text: string };
  readonly fullDescription?: { readonly text: string };
  readonly help: { readonly text: string; readonly markdown?: string };
  readonly defaultConfiguration?: { readonly level: "error" | "warning" | "note"; readonly enabled?: boolean };
  readonly properties?: { readonly tags: readonly string[] };
}

export const SARIF_LEVELS = { error: "error", warning: "warning", info: "note" } as const;

/** Describes a finding's code: a rule with its reason and examples, another finding with a pointer to them. */
export function sarifRule(code: string, projectRules: readonly RuleFacts[] = []): SarifRule {
  const way = `hasp explain ${code}`;
  const rule = [...rules, ...projectRules].find(({ id }) => id === code);
  if (rule === undefined) return { id: code, shortDescription: { text: code }, help: { text: `Run: ${way}` } };
  const [bad] = rule.examples.bad;
  const [first] = rule.examples.good;
  const good = typeof first === "object" ? first.spec : first;
  const example = (title: string, spec: string | undefined): string =>
    spec === undefined ? "" : `\n\n${title}\n\n\`\`\`yaml\n${spec.trim()}\n\`\`\``;
  return {
    id: code,
    name: nameOf(code),
    shortDescription: { text: rule.summary },
    fullDescription: { text: rule.why },
    help: {
      text: `${rule.why}\n\nRun: ${way}`,
      markdown: `${rule.why}${example("Refused:", bad?.spec)}${example("Accepted:", good)}`,
    },
    defaultConfiguration:
      rule.severity === "off" ? { level: "warning", enabled: false } : { level: SARIF_LEVELS[rule.severity] },
    properties: { tags: [groupName(rule)] },
  };
}

/** Converts `naming/vague-name` to `VagueName`, as SARIF's readers expect. */
function nameOf(code: string): string {
  return code
    .slice(code.indexOf("/") + 1)
    .split("-")
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("");
}
