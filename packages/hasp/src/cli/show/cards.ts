import type { JsonObject, JsonValue } from "@hasp/schema";
import { printVisibleText } from "@hasp/base/diagnostics";
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
import type { ToolsetFlow } from "@hasp/compiler/claims";
import { listProjectClaims } from "@hasp/project/session";
import type { Invocation } from "../shell/command.js";
import type { ReportedProject } from "../project/project.js";
import type { ListOptions } from "./list.js";

/** Shows the extensions that the registry names, with the tools and toolsets that ask for each. */
export function showExtensions({ result, plan }: ReportedProject, { terminal }: Invocation): Shown {
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
  const titles = ["extension", "from", "tools that ask for it", "toolsets"];
  const lines = rows.length === 0 ? ["The registry names no extension."] : printTable(titles, rows, terminal);
  return { product: `${lines.join("\n")}\n`, data: { extensions } };
}

/** Draws by which paths private data may leave a toolset. */
export function showFlow(flow: ToolsetFlow, { terminal }: Invocation): Shown {
  return { product: printFlow(flow, terminal), data: { flow: flowData(flow) } };
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

interface Shown {
  readonly product: string;
  readonly data: JsonObject;
}

/** Shows a tool, or what the provider of a dialect receives of it. */
export async function showTool(
  tool: FlatTool,
  project: ReportedProject,
  invocation: Invocation<ListOptions>,
): Promise<Shown> {
  return invocation.options.for === undefined
    ? showCard(tool, project, invocation)
    : showEntry(tool, project, invocation);
}

/** Shows the calls that a policy lets run unasked, with their approvals. */
export async function showPolicy(
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

async function showCard(tool: FlatTool, project: ReportedProject, { terminal }: Invocation): Promise<Shown> {
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

function showEntry(tool: FlatTool, { result, texts }: ReportedProject, { terminal }: Invocation): Shown {
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
