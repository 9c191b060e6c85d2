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

/** Returns the first part of a rule's id, which may be its plugin's name. */
export function groupName({ id }: { readonly id: string }): string {
  return id.slice(0, id.indexOf("/"));
}

/** True for a rule that nobody may suppress or downgrade. */
export function isFixedRule(rule: { readonly id: string }): boolean {
  return groupName(rule) === "fail-closed";
}
