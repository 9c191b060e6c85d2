/** Sources of findings without a rule, by the first part of the id, in the order of a run. */
export const findingPhases: ReadonlyMap<string, string> = new Map([
  ["load", "Found while a file was read: it is no YAML 1.2 or JSON that says one thing only."],
  ["resolve", "Found while a spec was held against the format: keys, values, names, references, contradictions."],
  ["flatten", "Found while the schemas of a tool were made flat and its conditions compiled."],
  ["schema", "Found in a JSON Schema: it must be exact, satisfiable, and say which keys it accepts."],
  [
    "handler",
    "Found in a handler that a spec declares: connections, the values of a call, and what each kind must keep to.",
  ],
  ["lower", "Found while a tool was put into a provider's dialect."],
  ["dialect", "Found in the dates of what hasp knows about providers and clients."],
  ["check", "Found by the engine that runs the rules."],
  ["emit", "Found while the files of a build were made and held against the specs."],
  ["request", "Found while the list for a provider was checked against the limits of one request."],
  ["policy", "Found in the policies that toolsets name."],
  ["flow", "Found where the results of a toolset's tools may come together with a tool that reaches the outside."],
  [
    "ledger",
    "Found while claims were held against hasp-ledger/: each claim that loosens a default needs an approval that covers it.",
  ],
  [
    "plugin",
    "Found in a plugin that the configuration names, or in what it answered. Nothing is written until it is fixed or removed.",
  ],
  ["config", "Found in the configuration. Nothing is checked until it is fixed."],
  ["project", "Found while searching for the project's files. Nothing is checked until it is fixed."],
  ["write", "Found while files were written. A build writes all of its files or none."],
  ["drift", "Found in the generated files: one is not what the specs say, or not what programs load."],
  ["template", "Found in a template of the project, hasp-templates/, from which hasp makes files."],
  ["import", "Found in the source of an import. An error means that this tool was not imported; the others were."],
  ["diff", "Found by `hasp diff`: what a change means for callers, for safety and for what models are told."],
  ["serve", "Found where tools were to be run, by `hasp call` or `hasp serve`."],
  ["export", "Found in a project that cannot be exported, by `hasp export`."],
  ["calls", "Found in a call store or its audit records, by `hasp calls`."],
  ["cli", "Found on the command line, or in a file that it names."],
]);

/** True for an id of a finding that no rule has, unless it is a misspelt rule. */
export function isOfPhase(id: string, similarRules: readonly string[]): boolean {
  return similarRules.length === 0 && /^[\w-]+\/[\w-]+$/u.test(id) && findingPhases.has(id.split("/")[0] ?? "");
}

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
