import { sortBy } from "@hasp/base/json";
import {
  type DiagnosticDefinition,
  type DiagnosticDefinitions,
  describeMessage,
  findSuggestions,
} from "@hasp/base/diagnostics";
import { basename, dirname, resolve } from "node:path";
import type { Severity } from "@hasp/schema";
import { printTable } from "@hasp/report";
import { type RuleFacts, groupName, isFixedRule, findingPhases, isOfPhase } from "@hasp/compiler/model";
import { listProjectRules } from "@hasp/compiler/plugins";
import { findProjectRoot } from "@hasp/project/session";
import {
  type CommandModule,
  type CommandResult,
  type CommonOptions,
  type Invocation,
  refuse,
} from "../shell/command.js";
import { cliDiagnostics } from "../shell/diagnostics.js";

export const explain: CommandModule = {
  configure(command) {
    command.argument("[id]", "the id of a finding; without it, list all rules");
  },
  run: runExplain,
};

async function runExplain({ words, options, terminal, root }: Invocation): Promise<CommandResult> {
  const [id] = words;
  const { rules: builtin } = (await import("@hasp/project/built-in")).builtInPlugins;
  // Only the project knows the rules of plugins.
  const isKnown = id !== undefined && (builtin.some((rule) => rule.id === id) || isOfPhase(id, []));
  const rules: readonly RuleFacts[] = isKnown ? builtin : [...builtin, ...(await readProjectRules(root, options))];
  if (id === undefined) {
    const sorted = sortBy(rules, ({ id }) => id);
    const rows = sorted.map((rule) => [rule.id, rule.severity, rule.summary]);
    return {
      diagnostics: [],
      data: { rules: sorted.map(ruleData) },
      product: `${printTable([{ title: "rule" }, { title: "default" }, { title: "requirement" }], rows, terminal.columns).join("\n")}\n`,
    };
  }
  const rule = rules.find((candidate) => candidate.id === id);
  if (rule === undefined) {
    const [prefix = ""] = id.split("/");
    const phase = findingPhases.get(prefix);
    const findings = await declaredFindings(prefix);
    const definition = findings.get(id);
    if (phase === undefined || definition === undefined) {
      const near = id.includes("/") ? [...rules.map((candidate) => candidate.id), ...findings.keys()] : [];
      const same = await idsThatEndIn(id, rules);
      const nearest = same.length > 0 ? same : findSuggestions(id, near);
      return refuse(cliDiagnostics("unknown-id", undefined, { id, nearest }));
    }
    const messages = describeMessage(definition.message);
    const remedies = definition.help === undefined ? [] : describeMessage(definition.help);
    return {
      diagnostics: [],
      data: { rules: [], phase, messages, remedies },
      product: `${[`${terminal.paint("heading", id)}  ${definition.severity}`, phase, "", ...messages, ...remedies, "", await acceptanceOf(id, definition.severity)].join("\n")}\n`,
    };
  }
  const example = (title: string, spec: string | undefined): readonly string[] =>
    spec === undefined ? [] : ["", terminal.paint("heading", title), indented(spec)];
  const suppression = isFixedRule(rule)
    ? "It cannot be suppressed: a guarantee of hasp depends on it. Fix the cause."
    : `Suppress it in place, with a reason: # hasp-ignore ${rule.id} -- why`;
  const severity = rule.severity === "off" ? "off unless the configuration asks for it" : rule.severity;
  const lines = [
    `${terminal.paint("heading", rule.id)}  ${severity}`,
    rule.summary,
    "",
    rule.why,
    ...example("Refused", rule.examples.bad[0]?.spec),
    ...example("Accepted", goodSpec(rule)),
    "",
    suppression,
  ];
  return { diagnostics: [], data: { rules: [ruleData(rule)] }, product: `${lines.join("\n")}\n` };
}

async function readProjectRules(folder: string, { config }: CommonOptions): Promise<readonly RuleFacts[]> {
  const found = config === undefined ? findProjectRoot(folder) : { root: dirname(resolve(folder, config)) };
  if (!("root" in found)) return [];
  const { readProjectPlan } = await import("@hasp/project/read");
  const { value } = await readProjectPlan(found.root, config && basename(config));
  return value === undefined ? [] : listProjectRules(value.plan);
}

async function acceptanceOf(id: string, severity: Severity): Promise<string> {
  const { allowWordFor } = await import("./diff.js");
  const word = id.startsWith("diff/") ? allowWordFor({ code: id }) : undefined;
  if (severity === "info" && word === undefined) return "It is a note: nothing needs to be done.";
  return word === undefined
    ? "It cannot be suppressed: it is not a style rule but decides what is built, run or compared. Fix the cause."
    : `If a reviewer agrees with the change, --allow ${word} makes it a warning; \`diff\` in the configuration does so for every change.`;
}

/** Lists ids that end with this name: users easily omit the part before the slash. */
async function idsThatEndIn(name: string, rules: readonly RuleFacts[]): Promise<readonly string[]> {
  const declared = await Promise.all([...findingPhases.keys()].map(declaredFindings));
  const ids = new Set([...rules.map(({ id }) => id), ...declared.flatMap((findings) => [...findings.keys()])]);
  return [...ids].filter((id) => id.endsWith(`/${name}`)).toSorted();
}

function ruleData(rule: RuleFacts): { readonly [key: string]: string | null } {
  const { id, severity, summary, why, examples } = rule;
  return {
    id,
    group: groupName(rule),
    severity,
    summary,
    why,
    bad: examples.bad[0]?.spec ?? null,
    good: goodSpec(rule) ?? null,
  };
}

function goodSpec({ examples }: RuleFacts): string | undefined {
  const [good] = examples.good;
  return typeof good === "object" ? good.spec : good;
}

function indented(text: string): string {
  return text
    .trim()
    .split("\n")
    .map((line) => `  ${line}`)
    .join("\n");
}

const DECLARED: { readonly [phase: string]: () => Promise<{ readonly definitions: DiagnosticDefinitions }> } = {
  load: async () => (await import("@hasp/compiler/source")).loadDiagnostics,
  resolve: async () => (await import("@hasp/compiler/findings")).resolveDiagnostics,
  flatten: async () => (await import("@hasp/compiler/findings")).flattenDiagnostics,
  check: async () => (await import("@hasp/compiler/findings")).checkDiagnostics,
  handler: async () => (await import("@hasp/project/built-in")).loadHandlerFindings(),
  lower: async () => (await import("@hasp/compiler/findings")).lowerDiagnostics,
  emit: async () => (await import("@hasp/compiler/findings")).emitDiagnostics,
  policy: async () => (await import("@hasp/compiler/claims")).policyDiagnostics,
  flow: async () => (await import("@hasp/compiler/claims")).flowDiagnostics,
  ledger: async () => (await import("@hasp/compiler/claims")).ledgerDiagnostics,
  config: async () => (await import("@hasp/project/config")).configDiagnostics,
  plugin: async () => (await import("@hasp/compiler/plugins")).pluginDiagnostics,
  project: async () => (await import("@hasp/project/read")).projectDiagnostics,
  write: async () => (await import("@hasp/project/output")).writeDiagnostics,
  drift: async () => (await import("@hasp/project/output")).driftDiagnostics,
  template: async () => (await import("@hasp/compiler/source")).templateDiagnostics,
  import: async () => (await import("@hasp/import")).importDiagnostics,
  diff: async () => (await import("@hasp/compiler/diff")).diffDiagnostics,
  serve: async () => (await import("@hasp/serve")).serveDiagnostics,
  export: async () => (await import("../../bundles/diagnostics.js")).exportDiagnostics,
  calls: async () => (await import("@hasp/serve/calls")).callsDiagnostics,
  cli: async () => (await import("../shell/diagnostics.js")).cliDiagnostics,
};

/** Returns the declared findings of a phase that belong to no rule, by id. */
export async function declaredFindings(phase: string): Promise<ReadonlyMap<string, DiagnosticDefinition>> {
  const own = Object.hasOwn(DECLARED, phase) ? (await DECLARED[phase]?.())?.definitions : undefined;
  const { declaredDiagnostics } = await import("@hasp/schema");
  const definitions = { ...definitionsIn(declaredDiagnostics, phase), ...own };
  return new Map(Object.entries(definitions).map(([name, definition]) => [`${phase}/${name}`, definition]));
}

function definitionsIn(
  declared: { readonly [phase: string]: DiagnosticDefinitions },
  phase: string,
): DiagnosticDefinitions | undefined {
  return Object.hasOwn(declared, phase) ? declared[phase] : undefined;
}
