import type { DialectId } from "@hasp/schema";
import { FIELDS } from "@hasp/runtime";
import { Option } from "commander";
import ignore from "ignore";
import { suggestionsFor } from "../../diagnostics/closest.js";
import type { Diagnostic } from "../../diagnostics/diagnostic.js";
import { isError } from "../../diagnostics/severity.js";
import type { ClaimState } from "../../ledger/index.js";
import type { LoweredList } from "../../model/lowered.js";
import type { FlatTool } from "../../model/tool.js";
import { groupBy } from "../../model/group-by.js";
import { toolsetMembers } from "../../model/toolset-members.js";
import { visibleText } from "../../reporters/visible-text.js";
import { entryTokens, promptTokens } from "../../tokens/prompt-tokens.js";
import {
  approvalOf,
  flagsOf,
  LISTED_FLAGS,
  type ListedTool,
  toolList,
  toolListData,
  toolListTotals,
} from "../../views/tool-list.js";
import { collect } from "../project/open-runtime.js";
import { projectClaims } from "../project/project-claims.js";
import { type CompiledProject, compileProject, isCompiled } from "../project/project.js";
import type { CommandModule, CommandResult, Invocation } from "../shell/command.js";
import { cliDiagnostics } from "../shell/diagnostics.js";
import { checkDialect } from "../shell/dialect-option.js";

/** Tools outside the list that are named with the reason; the rest is counted. */
const NAMED_TOOLS = 20;

const APPROVALS = ["none", "approved", "waiting", "new", "stale", "expired"] as const;

interface ListOptions {
  readonly class?: string;
  readonly flag?: readonly string[];
  readonly tag?: string;
  readonly toolset?: string;
  readonly approval?: (typeof APPROVALS)[number];
  readonly for?: string;
  readonly sort: "name" | "tokens";
}

/** `hasp list`: the tools with their class, flags, tokens and approvals, those only that the filters select. */
export const list: CommandModule = {
  configure(command) {
    command
      .argument("[tools...]", "only tools of these names; * stands for any characters")
      .addOption(new Option("--class <name>", "only tools of this class").choices(FIELDS.concurrency.class.values))
      .option(
        "--flag <flag>",
        "only tools with this flag, such as isDestructive or isOpenWorld=false; repeatable, and all must hold",
        collect,
      )
      .option("--tag <tag>", "only tools with this tag")
      .option("--toolset <name>", "only tools of this toolset")
      .addOption(
        new Option(
          "--approval <state>",
          "only tools with no claim, with approved claims only, or with a claim that waits because it is new, stale or expired",
        ).choices(APPROVALS),
      )
      .option("--for <dialect>", "only tools in the list for this dialect, with the tokens that they cost there")
      .addOption(
        new Option("--sort <by>", "the order; by tokens, the most expensive first")
          .choices(["name", "tokens"])
          .default("name"),
      );
  },
  run: async (invocation) => runList(invocation as Invocation<ListOptions>),
};

async function runList(invocation: Invocation<ListOptions>): Promise<CommandResult> {
  const { options, words, terminal } = invocation;
  const dialect = options.for === undefined ? undefined : checkDialect(options.for);
  if (typeof dialect === "object") return { diagnostics: [dialect], couldNotCheck: true };
  // A tool can be listed before it is approved, and in a dialect that the project does not build.
  const project = await compileProject(invocation, {
    adapt: (plan) => ({
      ...plan,
      unlocked: true,
      dialects:
        dialect === undefined
          ? []
          : [plan.dialects.find(({ id }) => id === dialect) ?? { id: dialect, strict: "auto", onUncarried: "exclude" }],
    }),
  });
  if (!isCompiled(project)) return project;
  const common = { sources: project.texts, root: project.root };
  const errors = project.diagnostics.filter(isError);
  const refusals = refusalsOf(words, options, project);
  if (refusals.length > 0) return { ...common, diagnostics: [...errors, ...refusals], couldNotCheck: true };

  const listed = (await listedTools(project, options, dialect)).filter(isWanted(words, options));
  const tools = options.sort === "tokens" ? listed.toSorted((left, right) => right.tokens - left.tokens) : listed;
  const excluded = listsOf(project, options)
    .flatMap((each) => each.excluded)
    .filter(({ tool }) => !listed.some((other) => other.tool === tool) && matches(words, tool.name));
  const notes = [...new Map(excluded.map(({ tool, reason }) => [tool.name, reason]))];
  return {
    ...common,
    diagnostics: errors,
    data: {
      tools: toolListData(tools),
      ...(dialect === undefined ? {} : { excluded: notes.map(([tool, reason]) => ({ tool, reason })) }),
    },
    summary: { tools: tools.length },
    product: tools.length === 0 ? "No tool is like that.\n" : toolList(tools, terminal),
    aside: [
      ...notes
        .slice(0, NAMED_TOOLS)
        .map(
          ([tool, reason]) =>
            `${visibleText(tool)} is not in the list for ${String(dialect)}: ${visibleText(reason)}\n`,
        ),
      ...(notes.length > NAMED_TOOLS ? [`… and ${notes.length - NAMED_TOOLS} more (all are in --format json)\n`] : []),
      ...(tools.length === 0 ? [] : [toolListTotals(tools)]),
    ].join(""),
  };
}

async function listedTools(
  project: CompiledProject,
  options: ListOptions,
  dialect: DialectId | undefined,
): Promise<readonly ListedTool[]> {
  const { plan, result } = project;
  const claims = groupBy(await projectClaims(project), ({ tool }) => tool);
  const toolsets = toolsetMembers(result.tools, plan.toolsets);
  const entries = new Map(listsOf(project, options).flatMap((each) => each.tools.map((entry) => [entry.tool, entry])));
  return result.tools.flatMap((tool) => {
    const entry = entries.get(tool);
    if (dialect !== undefined && entry === undefined) return [];
    return {
      tool,
      toolsets: toolsets.filter(({ tools }) => tools.includes(tool)).map(({ name }) => name),
      claims: claims.get(tool) ?? [],
      ...(entry === undefined || dialect === undefined
        ? { tokens: promptTokens(tool, plan) }
        : { tokens: entryTokens(dialect, entry, plan), entry }),
    };
  });
}

/** The lists of the dialect that was asked for; of one toolset, or of all. */
function listsOf({ result }: CompiledProject, { toolset }: ListOptions): readonly LoweredList[] {
  return result.toolsets.filter(({ name }) => toolset === undefined || name === toolset).flatMap(({ lists }) => lists);
}

function isWanted(words: readonly string[], options: ListOptions): (listed: ListedTool) => boolean {
  return ({ tool, toolsets, claims }) =>
    matches(words, tool.name) &&
    (options.class === undefined || tool.worstCase.class === options.class) &&
    (options.flag ?? []).every((flag) => hasFlag(tool, flag)) &&
    (options.tag === undefined || (tool.spec.tags ?? []).includes(options.tag)) &&
    (options.toolset === undefined || toolsets.includes(options.toolset)) &&
    (options.approval === undefined || hasApproval(claims, options.approval));
}

function matches(patterns: readonly string[], name: string): boolean {
  return patterns.length === 0 || patterns.some((pattern) => isMatch(pattern, name));
}

function isMatch(pattern: string, name: string): boolean {
  return ignore({ ignorecase: false }).add(pattern).ignores(name);
}

function hasFlag(tool: FlatTool, flag: string): boolean {
  const [name = "", value = "true"] = flag.split("=");
  return String(flagsOf(tool)[name]) === value;
}

function hasApproval(claims: readonly ClaimState[], wanted: (typeof APPROVALS)[number]): boolean {
  return approvalOf(claims) === wanted || claims.some(({ state }) => state === wanted && state !== "approved");
}

/** Reports what the filters name and nothing has: a mistake in a name must not look like an empty list. */
function refusalsOf(
  words: readonly string[],
  options: ListOptions,
  { result, plan }: CompiledProject,
): readonly Diagnostic[] {
  const names = result.tools.map(({ name }) => name);
  const known = (
    kind: "tag" | "toolset" | "flag",
    name: string | undefined,
    all: readonly string[],
  ): readonly Diagnostic[] =>
    name === undefined || all.includes(name)
      ? []
      : [cliDiagnostics("unknown-filter", undefined, { kind, name, nearest: suggestionsFor(name, all) })];
  return [
    ...words
      .filter((word) => !names.some((name) => isMatch(word, name)))
      .map((name) => cliDiagnostics("unknown-tool", undefined, { name, nearest: suggestionsFor(name, names) })),
    ...known("tag", options.tag, [...new Set(result.tools.flatMap(({ spec }) => spec.tags ?? []))]),
    ...known(
      "toolset",
      options.toolset,
      toolsetMembers([], plan.toolsets).map(({ name }) => name),
    ),
    ...(options.flag ?? []).flatMap((flag) => known("flag", flag.split("=")[0], LISTED_FLAGS)),
  ];
}
