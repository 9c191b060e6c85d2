import { readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Command } from "commander";
import { isRemote } from "@hasp/compiler/model";
import type { Location } from "@hasp/base/diagnostics";
import type { ComparedCosts, ReviewedFinding } from "@hasp/report";
import { toSlashPath } from "@hasp/project";
import { findAllConfigs } from "@hasp/project/read";
import {
  chooseExitCode,
  type CommandJob,
  type CommandResult,
  type ExitCode,
  type Invocation,
  joinResults,
  mergeFindings,
  refuse,
} from "../shell/command.js";
import { cliDiagnostics } from "../shell/diagnostics.js";

export function declareAllOption(command: Command): Command {
  return command.option("--all", "do it for every configuration in this folder and below it");
}

/** Runs a command for every configuration in and below the working folder, and joins the findings. */
export async function runAll(command: CommandJob, invocation: Invocation): Promise<CommandResult | ExitCode> {
  const { folder, options, terminal, words } = invocation;
  // The words of a command that completes the joined result name a base, not tools.
  if (options.config !== undefined || (words.length > 0 && command.complete === undefined)) {
    const problem = '"--all" goes with neither "--config" nor names of tools';
    return refuse(cliDiagnostics("usage", undefined, { problem }));
  }
  const configs = findConfigsBelow(folder);
  if (configs.length === 0) return refuse(cliDiagnostics("no-configuration"));
  const outcomes: CommandResult[] = [];
  for (const [index, config] of configs.entries()) {
    const root = dirname(config);
    terminal.enter(root);
    const outcome = await command.run({
      ...invocation,
      root,
      options: { ...options, config },
      startedAt: index === 0 ? 0 : performance.now(),
    });
    if (typeof outcome === "number") return outcome;
    outcomes.push(moveResult(outcome, folder, config, invocation));
  }
  const joined: CommandResult = {
    diagnostics: mergeFindings([
      ...(command.findAmongAll?.(invocation) ?? []),
      ...outcomes.flatMap(({ diagnostics }) => diagnostics),
    ]),
    ...joinResults(outcomes),
    repeated: outcomes.flatMap(({ repeated = [] }) => repeated),
    root: folder,
    rules: outcomes.flatMap(({ rules = [] }) => rules),
    summary: Object.fromEntries(outcomes.flatMap(({ summary }) => Object.entries(summary ?? {}))),
    data: Object.fromEntries(outcomes.flatMap(({ data }) => Object.entries(data ?? {}))),
    text: outcomes.map(({ text }) => text ?? "").join(""),
  };
  return command.complete?.(joined, invocation) ?? joined;
}

/** Finds the configurations in a folder and below it, as absolute paths. Looks into no hidden folder. */
export function findConfigsBelow(folder: string): readonly string[] {
  const below = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== "node_modules" && !entry.name.startsWith("."))
    .map(({ name }) => name)
    .toSorted();
  return [
    ...findAllConfigs(folder).map((name) => join(folder, name)),
    ...below.flatMap((name) => findConfigsBelow(join(folder, name))),
  ];
}

/** Names files from the common folder, and the configuration where a finding has no place. */
function moveResult(
  outcome: CommandResult,
  folder: string,
  config: string,
  { options, terminal }: Invocation,
): CommandResult {
  const away = toSlashPath(folder, dirname(config));
  const name = away === "" ? basename(config) : `${away}/${basename(config)}`;
  const moveUri = (uri: string): string => (away === "" || isRemote(uri) ? uri : `${away}/${uri}`);
  const moveLocation = (location: Location): Location => ({ ...location, uri: moveUri(location.uri) });
  const move = (diagnostics: readonly ReviewedFinding[]): readonly ReviewedFinding[] =>
    diagnostics.map((each) => ({
      ...each,
      projects: [name],
      ...(each.location === undefined
        ? { message: `${name}: ${each.message}` }
        : { location: moveLocation(each.location) }),
      ...(each.related === undefined
        ? {}
        : { related: each.related.map((other) => ({ ...other, location: moveLocation(other.location) })) }),
    }));
  const moveCosts = ({ costs }: ComparedCosts): ComparedCosts => ({
    costs: costs.map((cost) => ({ ...cost, project: name })),
  });
  const { comparison, review, text = "", repeated } = outcome;
  const diagnostics = move(outcome.diagnostics);
  return {
    ...outcome,
    diagnostics,
    ...(repeated && {
      repeated: diagnostics.filter((_, at) => repeated.some((each) => each === outcome.diagnostics[at])),
    }),
    sources: new Map([...(outcome.sources ?? [])].map(([uri, source]) => [moveUri(uri), source])),
    ...(comparison && { comparison: moveCosts(comparison) }),
    ...(review && {
      review: {
        ...review,
        ...moveCosts(review),
        findings: move(review.findings),
        tapes: review.tapes.map((tape) => ({ ...tape, file: moveUri(tape.file) })),
        refusals: review.refusals.map((reason) => `${name}: ${reason}`),
      },
    }),
    cases: (outcome.cases ?? []).map((each) => ({ ...each, suite: `${name}: ${each.suite}` })),
    summary: { [name]: { ...outcome.summary, exitCode: chooseExitCode(outcome, options) } },
    data: { [name]: outcome.data ?? {} },
    text: text === "" ? "" : `${terminal.paint("place", name)}\n${text}`,
  };
}
