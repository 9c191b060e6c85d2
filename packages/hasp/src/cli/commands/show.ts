import type { JsonObject } from "@hasp/schema";
import { Option } from "commander";
import { resolve } from "node:path";
import { hasErrors, isError } from "@hasp/base/diagnostics";
import { findToolsetFlows } from "@hasp/compiler/claims";
import { buildModel } from "@hasp/compiler/plugins";
import { readTemplate, toSlashPath } from "@hasp/project";
import { enterProject } from "../project/enter-project.js";
import { compileProject, isCompiled, type ReportedProject } from "../project/project.js";
import { declareToolFilters } from "../project/tool-filters.js";
import { type CommandModule, type CommandResult, type Invocation, refuse } from "../shell/command.js";
import { cliDiagnostics } from "../shell/diagnostics.js";
import { AGENTS } from "../shell/options.js";
import { showExtensions, showFlow, showPolicy, showTool } from "../show/cards.js";
import { explainFinding, listClients, listRules, reportUnknownThing } from "../show/explain.js";
import { APPROVALS, type ListOptions, showTable } from "../show/list.js";
import { compileFor } from "./schema.js";

export const show: CommandModule = {
  configure(command) {
    const thing =
      "a tool, policy, toolset, spec file, or id of a rule or finding; toolset:, extension:, rule: or client: for all of a kind; model: for the model as JSON; else the table of tools";
    declareToolFilters(command.argument("[name...]", thing), { approval: APPROVALS.join("|") })
      .option(
        "--for <dialect>",
        "what models read of a tool, in openai-chat for example, or in the table the tools of its list; agents: of the word spec",
      )
      .addOption(new Option("--sort <by>", "the order of the table").choices(["name", "tokens"]).default("name"));
  },
  run: showThing,
};

async function showThing(given: Invocation<ListOptions>): Promise<CommandResult> {
  const { words, options } = given;
  const [word = ""] = words;
  const isTable = words.length !== 1 || word.includes("*") || options.only !== undefined;
  if (options.for === AGENTS && word === "spec") {
    return { diagnostics: [], product: await readTemplate("agents/spec.md") };
  }
  if (!isTable && word === "rule:") return listRules(given);
  if (!isTable && word.startsWith("client:")) return listClients(word.slice("client:".length), given);
  // Findings are explained without a project, too. Only their ids have a slash and no point.
  if (!isTable && /^[\w-]+(?:\/[\w-]+)+$/u.test(word)) return explainFinding(word, given);
  const found = enterProject(given);
  if ("finding" in found) return refuse(found.finding);
  const invocation = { ...given, root: found.root };
  const isModel = !isTable && word === "model:";
  if (isModel && options.for !== undefined) return refuse(cliDiagnostics("only-for-tools"));
  const project = await (isModel ? compileProject(invocation) : compileFor(options.for, invocation));
  if (isCompiled(project)) {
    if (!isTable && word === "extension:") return { diagnostics: [], ...showExtensions(project, invocation) };
    if (isModel) return showModel(project);
    return isTable ? showTable(project, invocation) : showNamed(word, project, invocation);
  }
  // Without a project, a name can only be that of a finding.
  const hasSpecs = isTable || project.diagnostics.every(({ code }) => code !== "project/no-specs");
  return hasSpecs ? project : refuse(await reportUnknownThing(word, [], invocation));
}

function showModel({ diagnostics, texts, root, result, facts }: ReportedProject): CommandResult {
  // A model with errors would differ from the built one.
  const common = { diagnostics, sources: texts, rules: facts.rules, root };
  if (hasErrors(diagnostics)) return common;
  const model = buildModel(result.tools, result.toolsets) as unknown as JsonObject;
  return { ...common, data: { model }, product: `${JSON.stringify(model, undefined, 2)}\n` };
}

/** Shows the things of a project that have a name, or are written in a file. */
async function showNamed(
  word: string,
  project: ReportedProject,
  invocation: Invocation<ListOptions>,
): Promise<CommandResult> {
  const { tools, policies } = project.result;
  const common = { sources: project.texts, root: project.root };
  const things = [
    ...tools.map((tool) => ({
      kind: "tool",
      names: [tool.name, ...(tool.spec.aliases ?? [])],
      uri: tool.document.uri,
      show: () => showTool(tool, project, invocation),
    })),
    ...policies.map((policy) => ({
      kind: "policy",
      names: [policy.name],
      uri: policy.document.uri,
      show: () => showPolicy(policy, project, invocation),
    })),
    ...findToolsetFlows(tools, project.plan, policies).map((flow) => ({
      kind: "toolset",
      names: [flow.toolset],
      uri: "",
      show: () => showFlow(flow, invocation),
    })),
  ];
  const [, kind, name = word] = /^(tool|policy|toolset):(.*)$/su.exec(word) ?? [];
  const path = toSlashPath(project.root, resolve(invocation.folder, name));
  const found = things.filter(
    (thing) =>
      (kind === undefined || thing.kind === kind) && (name === "" || thing.names.includes(name) || thing.uri === path),
  );
  const kinds = [...new Set(found.map((thing) => thing.kind))];
  const errors = project.diagnostics.filter(isError);
  if (found.length === 0) {
    const own = errors.filter(({ tool }) => tool === name);
    if (own.length > 0) return { ...common, diagnostics: own, state: "unchecked" };
    const known = things.flatMap(({ names }) => names);
    const unknown = await reportUnknownThing(name, known, invocation);
    return { ...common, diagnostics: [...errors, unknown], state: "unchecked" };
  }
  if (kinds.length > 1) {
    return refuse(cliDiagnostics("several-things", undefined, { name, exact: kinds.map((each) => `${each}:${name}`) }));
  }
  if (invocation.options.for !== undefined && kinds[0] !== "tool") return refuse(cliDiagnostics("only-for-tools"));
  const shown = await Promise.all(found.map(async ({ show: print }) => print()));
  const data = shown.map((each) => each.data);
  return {
    ...common,
    diagnostics: errors.filter(({ tool = "", location }) =>
      found.some(({ names, uri }) => names.includes(tool) || location?.uri === uri),
    ),
    product: shown.map(({ product }) => product).join("\n"),
    data: name !== "" && data.length === 1 ? (data[0] ?? {}) : { [`${kinds[0] ?? ""}s`]: data },
  };
}
