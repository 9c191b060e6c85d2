/** The groups of rules in the documentation. Rules of the first cannot be suppressed. */
export const RULE_GROUPS = [
  "fail-closed",
  "safety",
  "schema",
  "description",
  "naming",
  "size",
  "providers",
  "supply-chain",
] as const;

export type RuleGroup = (typeof RULE_GROUPS)[number];

/** Returns a rule's group: the first part of its id, or its plugin's name. */
export function groupName({ id }: { readonly id: string }): string {
  return id.slice(0, id.indexOf("/"));
}

/** True for a rule behind a guarantee of hasp, which nobody may suppress or downgrade. */
export function isFixedRule(rule: { readonly id: string }): boolean {
  return groupName(rule) === "fail-closed";
}
