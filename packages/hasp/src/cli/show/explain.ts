import { own, sortBy } from "@hasp/base/json";
import {
  type Diagnostic,
  type DiagnosticDefinition,
  type DiagnosticDefinitions,
  describeMessage,
  findSuggestions,
  printVisibleText,
} from "@hasp/base/diagnostics";
import type { CompilePlan } from "@hasp/compiler";
import type { JsonArray, Severity } from "@hasp/schema";
import { printTable } from "@hasp/report";
import { type RuleFacts, groupName, isFixedRule, findingPhases, isOfPhase } from "@hasp/compiler/model";
import { listProjectRules } from "@hasp/compiler/plugins";
import { allowWordFor } from "../project/comparisons.js";
import { createSession } from "../project/project.js";
import { enterProject } from "../project/enter-project.js";
import { type CommandResult, type Invocation, refuse } from "../shell/command.js";
import { cliDiagnostics } from "../shell/diagnostics.js";

/** Lists the rules of hasp, and of the plugins of a project. */
export async function listRules(invocation: Invocation): Promise<CommandResult> {
  const rules = sortBy(await readRules(invocation), ({ id }) => id);
  const rows = rules.map((rule) => [rule.id, rule.severity, rule.summary]);
  return {
    diagnostics: [],
    data: { rules: rules.map(ruleData) },
    product: `${printTable(["rule", "default", "requirement"], rows, invocation.terminal).join("\n")}\n`,
  };
}

/** Lists the facts about one client of MCP servers, or about all of hasp and of a project's plugins. */
export async function listClients(name: string, invocation: Invocation): Promise<CommandResult> {
  const { clients } = await import("@hasp/project/built-in");
  const plugins = (await readPlan(invocation))?.plugins ?? [];
  const known = [...Object.values(clients), ...plugins.flatMap((plugin) => plugin.clients)];
  const chosen = known.filter(({ id }) => name === "" || id === name);
  if (chosen.length === 0) {
    return refuse(
      reportUnknownClient(
        name,
        known.map(({ id }) => id),
      ),
    );
  }
  const rows = chosen.flatMap(({ id, facts }) =>
    Object.entries(facts).map(([fact, { effect, source, date, ...values }]) =>
      [id, fact, [...Object.values(values), effect, source, date].join(", ")].map(printVisibleText),
    ),
  );
  const titles = ["client", "fact", "it takes, otherwise, source, date"];
  return {
    diagnostics: [],
    data: { clients: chosen as unknown as JsonArray },
    product: `${printTable(titles, rows, invocation.terminal).join("\n")}\n`,
  };
}

function reportUnknownClient(name: string, known: readonly string[]): Diagnostic {
  return cliDiagnostics("unknown-client", undefined, { name, nearest: findSuggestions(name, known) });
}

/** Explains a finding by its id. */
export async function explainFinding(id: string, invocation: Invocation): Promise<CommandResult> {
  const { terminal } = invocation;
  const rules = await readRules(invocation, id);
  const rule = rules.find((candidate) => candidate.id === id);
  if (rule === undefined) {
    const [prefix = ""] = id.split("/");
    const phase = findingPhases.get(prefix);
    const findings = await declaredFindings(prefix);
    const definition = findings.get(id);
    if (phase === undefined || definition === undefined) {
      return refuse(await reportUnknownThing(id, [...rules.map((each) => each.id), ...findings.keys()], invocation));
    }
    const messages = describeMessage(definition.message);
    const remedies = definition.help === undefined ? [] : describeMessage(definition.help);
    return {
      diagnostics: [],
      data: { rules: [], phase, messages, remedies },
      product: `${[`${terminal.paint("heading", id)}  ${definition.severity}`, phase, "", ...messages, ...remedies, "", acceptanceOf(id, definition.severity)].join("\n")}\n`,
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

/** Reads the rules of hasp, and those of a project's plugins unless the id is one of hasp's own. */
async function readRules(invocation: Invocation, id = ""): Promise<readonly RuleFacts[]> {
  const { rules } = (await import("@hasp/project/built-in")).builtInPlugins;
  if (isOfPhase(id, []) || rules.some((rule) => rule.id === id)) return rules;
  const plan = await readPlan(invocation);
  return plan === undefined ? rules : [...rules, ...listProjectRules(plan)];
}

/** Reads the configuration with its plugins; `undefined` without a project that has a usable one. */
async function readPlan(invocation: Invocation): Promise<CompilePlan | undefined> {
  const found = enterProject(invocation);
  if ("finding" in found) return undefined;
  const { readProjectPlan } = await import("@hasp/project/read");
  return (await readProjectPlan(found.root, createSession(invocation).config)).value?.plan;
}

function acceptanceOf(id: string, severity: Severity): string {
  const word = id.startsWith("diff/") ? allowWordFor({ code: id }) : undefined;
  if (severity === "info" && word === undefined) return "It is a note: nothing needs to be done.";
  return word === undefined
    ? "It cannot be suppressed: it is not a style rule but decides what is built, run or compared. Fix the cause."
    : `If a reviewer agrees with the change, --allow ${word} makes it a warning; \`diff\` in the configuration does so for every change.`;
}

/** Reports a name that nothing has. Suggests ids that end with it: users easily omit the part before the slash. */
export async function reportUnknownThing(
  name: string,
  known: readonly string[],
  invocation: Invocation,
): Promise<Diagnostic> {
  const declared = await Promise.all([...findingPhases.keys()].map(declaredFindings));
  const rules = (await readRules(invocation)).map(({ id }) => id);
  const ids = [...new Set([...rules, ...declared.flatMap((findings) => [...findings.keys()])])];
  const same = ids.filter((id) => id.endsWith(`/${name}`)).toSorted();
  const nearest = same.length > 0 ? same : findSuggestions(name, known);
  return cliDiagnostics("unknown-thing", undefined, { name, nearest });
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

/** Loads the findings that belong to no rule, by the first part of their codes. */
const DECLARING: readonly (() => Promise<{ readonly [phase: string]: DiagnosticDefinitions }>)[] = [
  async () => (await import("@hasp/schema")).declaredDiagnostics,
  async () => (await import("@hasp/compiler/findings")).compilerFindings,
  async () => ({ handler: await (await import("@hasp/project/built-in")).loadHandlerFindings() }),
  async () => (await import("@hasp/project/read")).projectFindings,
  async () => ({ diff: (await import("@hasp/compiler/diff")).diffDiagnostics.definitions }),
  async () => ({ import: (await import("@hasp/import")).importDiagnostics.definitions }),
  async () => ({ serve: (await import("@hasp/serve")).serveDiagnostics.definitions }),
  async () => ({ calls: (await import("@hasp/serve/calls")).callsDiagnostics.definitions }),
  async () => ({ export: (await import("../../bundles/diagnostics.js")).exportDiagnostics.definitions }),
  async () => ({ cli: cliDiagnostics.definitions }),
];

/** Returns the declared findings of a phase that belong to no rule, by id. */
export async function declaredFindings(phase: string): Promise<ReadonlyMap<string, DiagnosticDefinition>> {
  const tables = await Promise.all(DECLARING.map(async (load) => load()));
  const definitions = tables.flatMap((declared) => Object.entries(own(declared, phase) ?? {}));
  return new Map(definitions.map(([name, definition]) => [`${phase}/${name}`, definition]));
}
