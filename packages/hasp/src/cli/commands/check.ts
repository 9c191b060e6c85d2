import { Option } from "commander";
import { type Diagnostic, hasErrors, pluralize } from "@hasp/base/diagnostics";
import { SPEC_FILE } from "@hasp/project/read";
import { printExcluded, printFlows, printRelaxations } from "@hasp/report";
import { buildCounts } from "../project/build-result.js";
import { type CacheOption, declareCacheOption, openCommandCache } from "../project/cache-option.js";
import { type ReportedProject, compileProject, isCompiled, refuseUnlocked } from "../project/project.js";
import type { LastRun, RunRecord } from "@hasp/project/session";
import { reportUnknownTools } from "../project/unknown-tools.js";
import { declareAllOption } from "../project/run-all.js";
import { type CommandModule, type CommandResult, type Invocation, refuse } from "../shell/command.js";
import { cliDiagnostics } from "../shell/diagnostics.js";

type CheckRecord = RunRecord & Pick<ReportedProject, "facts">;

/**
 * Keeps the findings about these tools (by name or alias) and about no tool, unless they are in the spec of another
 * tool. Reports unknown names.
 */
function selectTools(
  { tools, policies, diagnostics, facts }: Pick<CheckRecord, "tools" | "policies" | "diagnostics" | "facts">,
  words: readonly string[],
): { readonly diagnostics: readonly Diagnostic[] } | { readonly diagnostics: readonly Diagnostic[]; isUnknown: true } {
  const faulty = diagnostics.flatMap(({ tool, location }) => [tool ?? "", promisedTool(location?.uri)]);
  const known = new Set([
    ...tools.flatMap(({ name, aliases }) => [name, ...aliases]),
    ...policies,
    ...facts.excluded.map(({ tool }) => tool),
    ...faulty.filter((name) => name !== ""),
  ]);
  const unknown = reportUnknownTools(words, known);
  if (unknown.length > 0) return { isUnknown: true, diagnostics: unknown };
  const chosen = tools.filter(({ name, aliases }) => [name, ...aliases].some((each) => words.includes(each)));
  const names = new Set([...words, ...chosen.map(({ name }) => name)]);
  const files = new Set(chosen.map(({ uri }) => uri));
  const concerns = ({ tool, location }: Diagnostic): boolean => {
    if (tool !== undefined) return names.has(tool);
    const uri = location?.uri ?? "";
    return !SPEC_FILE.test(uri) || files.has(uri) || names.has(promisedTool(uri));
  };
  return { diagnostics: diagnostics.filter(concerns) };
}

function promisedTool(uri = ""): string {
  return /(?<![^/])([^/]+)\.tool\.(?:ya?ml|json)$/u.exec(uri)?.[1] ?? "";
}

/** Options of `hasp check --from`. */
export interface FromOptions {
  readonly from?: string;
  readonly for?: readonly string[];
  readonly start?: boolean;
}

interface CheckOptions extends CacheOption, FromOptions {
  readonly unlocked?: boolean;
  readonly fix?: boolean;
  readonly dryRun?: boolean;
}

export const check: CommandModule = {
  configure(command) {
    command
      .argument("[tool...]", "report only what concerns these tools and policies")
      .option("--unlocked", "report missing approvals as warnings")
      .option("--fix", "fix findings that have exactly one remedy and report the rest; keeps comments and layout")
      .option("--dry-run", "with --fix: write nothing, show the changes")
      .addOption(
        new Option(
          "--from <file>",
          "check tools that exist: a list, an .mcp.json, a module or an OpenAPI document",
        ).conflicts(["unlocked", "fix", "all"]),
      )
      .option("--for <id...>", "with --from: for these dialects of providers and MCP clients")
      .option("--start", "with --from: start or call the servers of an .mcp.json");
    declareCacheOption(declareAllOption(command));
  },
  run: runCheck,
};

async function runCheck(invocation: Invocation<CheckOptions>): Promise<CommandResult> {
  const unlocked = invocation.options.unlocked === true;
  const refusal = refuseUnlocked(invocation, unlocked);
  if (refusal !== undefined) return refusal;
  const file = invocation.words.find((word) => /\.(?:json|ya?ml|[cm]?[jt]s)$/u.test(word) && !SPEC_FILE.test(word));
  if (file !== undefined) return refuse(cliDiagnostics("file-to-check", undefined, { file }));
  const { fix, dryRun: isDryRun = false } = invocation.options;
  if (fix === true && invocation.words.length > 0) return refuse(cliDiagnostics("fix-of-some"));
  if (fix === true) {
    const { fixProject } = await import("../project/fix.js");
    return fixProject(invocation, { unlocked, isDryRun });
  }
  const { for: readers, start } = invocation.options;
  if ((readers ?? start) !== undefined) return refuse(cliDiagnostics("only-with-from"));
  if (isDryRun) return refuse(cliDiagnostics("dry-run-alone"));
  const cache = openCommandCache<Pick<ReportedProject, "facts">>(invocation, "check");
  const last = await cache.lastRun();
  if (last !== undefined) return resultOf(last, last, invocation);
  const project = await compileProject(invocation, { unlocked, host: cache.host, cache: cache.tools });
  if (!isCompiled(project)) return project;
  return resultOf(cache.save(project, { facts: project.facts }), project, invocation);
}

function resultOf(
  run: CheckRecord,
  found: Pick<LastRun, "diagnostics" | "texts">,
  invocation: Invocation,
): CommandResult {
  const { words, terminal, root } = invocation;
  const { facts } = run;
  const selected = words.length === 0 ? found : selectTools({ ...run, ...found }, words);
  const { diagnostics } = selected;
  if ("isUnknown" in selected) return { diagnostics, root, state: "unchecked" };
  const good = terminal.paint("good", "✓");
  const all = pluralize(facts.tools, "tool");
  const lines =
    words.length > 0
      ? [`${good} ${words.length} of ${all} checked.`]
      : [
          `${good} ${all} checked. ${printRelaxations(facts)}`,
          ...printFlows(facts).map((line) => `  ${line}`),
          ...printExcluded(facts),
        ];
  return {
    diagnostics,
    sources: found.texts,
    rules: facts.rules,
    root,
    summary: buildCounts(facts),
    text: hasErrors(diagnostics) ? "" : `${lines.join("\n")}\n`,
  };
}
