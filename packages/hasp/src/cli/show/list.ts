import { isError, printVisibleText } from "@hasp/base/diagnostics";
import type { LoweredList } from "@hasp/compiler";
import { groupBy } from "@hasp/base/json";
import { listToolsetMembers } from "@hasp/compiler/model";
import type { ShownClaim } from "@hasp/compiler/claims";
import { countEntryTokens, countPromptTokens } from "@hasp/compiler/tokens";
import {
  summarizeApproval,
  type ToolListRow,
  printToolList,
  createToolListData,
  printToolListTotals,
} from "@hasp/report";
import { listProjectClaims } from "@hasp/project/session";
import type { ReportedProject } from "../project/project.js";
import { type ToolFilters, selectTools } from "../project/tool-filters.js";
import type { CommandResult, Invocation } from "../shell/command.js";

/** The most tools outside the list to name with a reason; the rest are counted. */
const NAMED_TOOLS = 20;

export const APPROVALS: readonly string[] = ["none", "approved", "waiting", "new", "stale", "expired"];

export interface ListOptions extends ToolFilters {
  readonly for?: string;
  readonly sort?: "name" | "tokens";
}

/** Lists the tools that an invocation selects. */
export async function showTable(project: ReportedProject, invocation: Invocation<ListOptions>): Promise<CommandResult> {
  const { options, terminal } = invocation;
  const { for: dialect } = options;
  const common = { sources: project.texts, root: project.root };
  const errors = project.diagnostics.filter(isError);
  const { unknown, has, admits } = selectTools(invocation, project);
  if (unknown.length > 0) return { ...common, diagnostics: [...errors, ...unknown], state: "unchecked" };

  const approval = options.only?.["approval"];
  const listed = (await listedTools(project, options, dialect)).filter(
    ({ tool, claims }) => has(tool) && approval?.some((each) => hasApproval(claims, each)) !== false,
  );
  const tools = options.sort === "tokens" ? listed.toSorted((left, right) => right.tokens - left.tokens) : listed;
  const excluded = listsOf(project, options)
    .flatMap((each) => each.excluded)
    .filter(({ tool }) => !listed.some((other) => other.tool === tool) && admits(tool.name, tool.document.uri));
  const notes = [...new Map(excluded.map(({ tool, reason }) => [tool.name, reason]))];
  return {
    ...common,
    diagnostics: errors,
    data: {
      tools: createToolListData(tools),
      ...(dialect === undefined ? {} : { excluded: notes.map(([tool, reason]) => ({ tool, reason })) }),
    },
    summary: { tools: tools.length },
    product: tools.length === 0 ? "No tool matches.\n" : printToolList(tools, terminal),
    text: [
      ...notes
        .slice(0, NAMED_TOOLS)
        .map(
          ([tool, reason]) =>
            `${printVisibleText(tool)} is not in the list for ${String(dialect)}: ${printVisibleText(reason)}\n`,
        ),
      ...(notes.length > NAMED_TOOLS ? [`… and ${notes.length - NAMED_TOOLS} more (all are in --format json)\n`] : []),
      ...(tools.length === 0 ? [] : [printToolListTotals(tools)]),
    ].join(""),
  };
}

async function listedTools(
  project: ReportedProject,
  options: ListOptions,
  dialect: string | undefined,
): Promise<readonly ToolListRow[]> {
  const { plan, result } = project;
  const claims = groupBy(await listProjectClaims(project), ({ tool }) => tool);
  const toolsets = listToolsetMembers(result.tools, plan.toolsets);
  const entries = new Map(listsOf(project, options).flatMap((each) => each.tools.map((entry) => [entry.tool, entry])));
  return result.tools.flatMap((tool) => {
    const entry = entries.get(tool);
    if (dialect !== undefined && entry === undefined) return [];
    return {
      tool,
      toolsets: toolsets.filter(({ tools }) => tools.includes(tool)).map(({ name }) => name),
      claims: claims.get(tool) ?? [],
      ...(entry === undefined || dialect === undefined
        ? { tokens: countPromptTokens(tool, plan) }
        : { tokens: countEntryTokens(entry, plan), entry }),
    };
  });
}

function listsOf({ result }: ReportedProject, { only }: ListOptions): readonly LoweredList[] {
  const toolsets = only?.["toolset"];
  return result.toolsets.filter(({ name }) => toolsets?.includes(name) !== false).flatMap(({ lists }) => lists);
}

function hasApproval(claims: readonly ShownClaim[], wanted: string): boolean {
  return summarizeApproval(claims) === wanted || claims.some(({ state }) => state === wanted && state !== "approved");
}
