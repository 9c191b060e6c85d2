import type { JsonObject, JsonValue } from "@hasp/schema";
import { findSuggestions, isError, printVisibleText } from "@hasp/base/diagnostics";
import { groupBy } from "@hasp/base/json";
import { CODEGEN_ENTRIES } from "@hasp/compiler/layout";
import { findLosses, listNeeded, listToolsetMembers, type PolicyModel, printSome } from "@hasp/compiler/model";
import type { LoweredToolset, FlatTool } from "@hasp/compiler";
import {
  createLossData,
  printLossTable,
  placeLines,
  printSideBySide,
  printFlow,
  printTable,
  listResolvedFields,
  printToolCard,
} from "@hasp/report";
import { type ToolsetFlow, findToolsetFlows } from "@hasp/compiler/claims";
import { type CommandModule, type Invocation, type CommandResult, refuse } from "../shell/command.js";
import { cliDiagnostics } from "../shell/diagnostics.js";
import { compileFor } from "./schema.js";
import { listProjectClaims } from "@hasp/project/session";
import { type ReportedProject, isCompiled } from "../project/project.js";

interface ShowOptions {
  readonly for?: string;
  readonly flow?: boolean;
}

export const show: CommandModule = {
  configure(command) {
    command
      .argument("[name]", "the name of a tool, policy or toolset; default: the extensions of the registry")
      .option("--flow", "show by which paths private data may leave each toolset, or the named one")
      .option("--for <dialect>", "show what this provider receives, with the spec line that each part comes from");
  },
  run: runShow,
};

async function runShow(invocation: Invocation<ShowOptions>): Promise<CommandResult> {
  const { words, options, terminal } = invocation;
  const [name = ""] = words;
  const { for: dialect, flow: showsFlow = false } = options;
  if (dialect !== undefined && (showsFlow || name === "")) {
    return refuse(cliDiagnostics(showsFlow ? "flow-for-dialect" : "nothing-to-show"));
  }
  const project = await compileFor(dialect, invocation);
  if (!isCompiled(project)) return project;
  const { plan, result, root, texts: sources } = project;
  const { tools, policies } = result;
  const common = { sources, root };
  const errors = project.diagnostics.filter(isError);
  if (name === "" && !showsFlow) return { ...common, ...showExtensions(project, invocation), diagnostics: errors };
  const flows = findToolsetFlows(tools, plan, policies);
  if (showsFlow) return { ...common, ...showFlows(flows, name, invocation) };
  const policy = policies.find((each) => each.name === name);
  if (policy !== undefined) {
    const ofPolicy = errors.filter(({ location }) => location?.uri === policy.document.uri);
    return { ...common, ...(await policyCard(policy, project, invocation)), diagnostics: ofPolicy };
  }
  const flow = flows.find(({ toolset }) => toolset === name);
  const found = tools.find((candidate) => candidate.name === name || candidate.spec.aliases?.includes(name));
  if (found === undefined && flow !== undefined) {
    const diagnostics = project.diagnostics.filter(({ tool }) => tool === name);
    return { ...common, product: printFlow(flow, terminal), data: { flow: flowData(flow) }, diagnostics };
  }
  if (found === undefined) {
    const nearest = findSuggestions(
      name,
      [...tools, ...policies].map((candidate) => candidate.name),
    );
    const unknown = cliDiagnostics("unknown-tool", undefined, { name, nearest });
    return { ...common, diagnostics: [...errors, unknown], state: "unchecked" };
  }
  const diagnostics = errors.filter(({ tool }) => tool === name || tool === found.name);
  const shown = dialect === undefined ? await card(found, project, invocation) : entry(found, project, invocation);
  const text = flow && `A toolset has this name, too: hasp show --flow ${name}\n`;
  return { ...common, ...shown, ...(text !== undefined && { text }), diagnostics };
}

/** Shows the extensions that the registry names, with the tools and toolsets that ask for each. */
function showExtensions({ result, plan }: ReportedProject, { terminal }: Invocation): Shown {
  const sets = listToolsetMembers(result.tools, plan.toolsets);
  const extensions = listNeeded(result.tools, sets).map(({ name, tools }) => ({
    name,
    from: CODEGEN_ENTRIES[name],
    tools,
    toolsets: sets.flatMap((set) => (listNeeded(set.tools, [set]).some((each) => each.name === name) ? set.name : [])),
  }));
  const rows = extensions.map(({ name, from, tools, toolsets }) =>
    [name, from, printSome(tools), toolsets.join(", ")].map(printVisibleText),
  );
  const titles = ["extension", "from", "tools that ask for it", "toolsets"].map((title) => ({ title }));
  const lines = rows.length === 0 ? ["The registry names no extension."] : printTable(titles, rows, terminal.columns);
  return { product: `${lines.join("\n")}\n`, data: { extensions } };
}

/** Draws the flows of all toolsets, or of the named one. */
function showFlows(flows: readonly ToolsetFlow[], name: string, { terminal }: Invocation): CommandResult {
  const shown = name === "" ? flows : flows.filter(({ toolset }) => toolset === name);
  if (shown.length === 0) {
    const known = flows.map(({ toolset }) => toolset);
    const about = { kind: "toolset", name, nearest: findSuggestions(name, known) };
    return { diagnostics: [cliDiagnostics("unknown-filter", undefined, about)], state: "unchecked" };
  }
  return {
    diagnostics: [],
    product: shown.map((flow) => printFlow(flow, terminal)).join("\n"),
    data: { flows: shown.map(flowData) },
  };
}

function flowData({ toolset, setting, untrusted, private: secret, sinks }: ToolsetFlow): JsonObject {
  const names = (tools: readonly FlatTool[]): readonly string[] => tools.map(({ name }) => name);
  return {
    toolset,
    setting,
    untrusted: names(untrusted),
    private: names(secret),
    sinks: sinks.map(({ tool, guard, waivers }) => ({
      tool: tool.name,
      guard,
      waivers: waivers.map(({ index }) => `rules.${index}.flow`),
    })),
  };
}

type Shown = Pick<CommandResult, "product" | "data">;

/** Shows the calls that a policy lets run unasked, with their approvals. */
async function policyCard(
  { name, toolset, document, spec }: PolicyModel,
  project: ReportedProject,
  { terminal }: Invocation,
): Promise<Shown> {
  const claims = (await listProjectClaims(project)).filter(({ grant }) => grant?.policy.name === name);
  const granted = [...groupBy(claims, ({ claim, grant }) => grant?.claim ?? claim)].map(([claim, each]) => ({
    claim,
    state: each[0]?.state ?? "new",
    tools: each.map(({ tool }) => tool.name),
  }));
  const head = terminal.paint("heading", `${name} of the toolset ${toolset}, mode ${spec.mode ?? "ask"}`);
  const lines = granted.map(({ claim, state, tools }) => `  ${state}: ${claim} (${tools.join(", ")})`);
  const body = lines.length === 0 ? ["  It lets no call run unasked."] : lines;
  return {
    product: `${[head, ...body.map(printVisibleText)].join("\n")}\n`,
    data: { policy: { name, toolset, uri: document.uri, granted } },
  };
}

async function card(tool: FlatTool, project: ReportedProject, { terminal }: Invocation): Promise<Shown> {
  const claims = (await listProjectClaims(project)).filter((claim) => claim.tool === tool);
  return {
    product: printToolCard(tool, claims, terminal),
    data: {
      tool: {
        name: tool.name,
        uri: tool.document.uri,
        fields: listResolvedFields(tool).map((field) => ({ ...field, line: field.line ?? null })),
        worstCase: { ...tool.worstCase },
        relaxations: tool.relaxations.map(({ claim }) => claim),
        unaskedBy: claims.flatMap(({ grant, claim }) => (grant === undefined ? [] : [claim])),
        approvals: claims.map(({ claim, state }) => ({ claim, state })),
        input: tool.input.schema as JsonValue,
      },
    },
  };
}

function entry(tool: FlatTool, { result, texts }: ReportedProject, { terminal }: Invocation): Shown {
  const list = listWith(tool, result.toolsets);
  const lowered = list?.tools.find((candidate) => candidate.tool.name === tool.name);
  if (list === undefined || lowered === undefined) {
    const reason = list?.excluded.find((excluded) => excluded.tool.name === tool.name)?.reason ?? "no toolset lists it";
    return { product: `Not in the list: ${printVisibleText(reason)}\n`, data: { excluded: reason } };
  }
  const losses = [...findLosses([{ kind: "listed", dialect: list.dialect, lowered }]).values()].flat();
  const placeOf = (pointer: string): string => {
    const { uri, range } = tool.input.locate(pointer);
    return `${uri}:${range.start.line}`;
  };
  const head = `${printVisibleText(lowered.wireName)} for ${lowered.dialect}${lowered.strict ? ", strict" : ""}`;
  const table = printLossTable(losses, (loss) => placeOf(loss.pointer), terminal.columns);
  const columns = printSideBySide(placeLines(lowered), texts, tool.document.uri, terminal.columns, terminal.paint);
  return {
    product: [terminal.paint("heading", head), "", columns, ...(table === "" ? ["Nothing is lost.\n"] : [table])].join(
      "\n",
    ),
    data: {
      dialect: lowered.dialect,
      strict: lowered.strict,
      definition: lowered.definition,
      losses: losses.map((loss) => createLossData(loss, placeOf(loss.pointer))),
      lines: placeLines(lowered).map(({ text, location }) => ({
        text,
        place: location === undefined ? null : `${location.uri}:${location.range.start.line}`,
      })),
    },
  };
}

function listWith(tool: FlatTool, toolsets: readonly LoweredToolset[]): LoweredToolset["lists"][number] | undefined {
  return (toolsets.find(({ tools }) => tools.some(({ name }) => name === tool.name)) ?? toolsets[0])?.lists[0];
}
