import { Option } from "commander";
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
import { type ReportedProject, isCompiled } from "../project/project.js";
import { declareToolFilters, type ToolFilters, selectTools, findUnknownFilters } from "../project/tool-filters.js";
import { type CommandModule, type CommandResult, type Invocation } from "../shell/command.js";
import { compileFor } from "./schema.js";

/** The most tools outside the list to name with a reason; the rest are counted. */
const NAMED_TOOLS = 20;

const APPROVALS = ["none", "approved", "waiting", "new", "stale", "expired"] as const;

interface ListOptions extends ToolFilters {
  readonly approval?: (typeof APPROVALS)[number];
  readonly for?: string;
  readonly sort: "name" | "tokens";
}

export const list: CommandModule = {
  configure(command) {
    declareToolFilters(command.argument("[tools...]", "only tools with these names; * stands for any characters"))
      .addOption(
        new Option(
          "--approval <state>",
          "only tools with no claim, with approved claims only, or with a claim that awaits approval because it is new, stale or expired",
        ).choices(APPROVALS),
      )
      .option("--for <dialect>", "only tools in the list for this dialect, with the tokens that they cost there")
      .addOption(
        new Option("--sort <by>", "the order; by tokens, the most expensive first")
          .choices(["name", "tokens"])
          .default("name"),
      );
  },
  run: runList,
};

async function runList(invocation: Invocation<ListOptions>): Promise<CommandResult> {
  const { options, terminal } = invocation;
  const { for: dialect } = options;
  const project = await compileFor(dialect, invocation);
  if (!isCompiled(project)) return project;
  const common = { sources: project.texts, root: project.root };
  const errors = project.diagnostics.filter(isError);
  const refusals = findUnknownFilters(invocation, project);
  if (refusals.length > 0) return { ...common, diagnostics: [...errors, ...refusals], state: "unchecked" };

  const selection = selectTools(invocation, project);
  const { approval } = options;
  const listed = (await listedTools(project, options, dialect)).filter(
    ({ tool, claims }) => selection.has(tool) && (approval === undefined || hasApproval(claims, approval)),
  );
  const tools = options.sort === "tokens" ? listed.toSorted((left, right) => right.tokens - left.tokens) : listed;
  const excluded = listsOf(project, options)
    .flatMap((each) => each.excluded)
    .filter(
      ({ tool }) => !listed.some((other) => other.tool === tool) && selection.admits(tool.name, tool.document.uri),
    );
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

function listsOf({ result }: ReportedProject, { toolset }: ListOptions): readonly LoweredList[] {
  return result.toolsets.filter(({ name }) => toolset === undefined || name === toolset).flatMap(({ lists }) => lists);
}

function hasApproval(claims: readonly ShownClaim[], wanted: (typeof APPROVALS)[number]): boolean {
  return summarizeApproval(claims) === wanted || claims.some(({ state }) => state === wanted && state !== "approved");
}
