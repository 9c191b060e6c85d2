import { readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Command } from "commander";
import { isRemote } from "@hasp/compiler/model";
import type { Diagnostic, Location } from "@hasp/base/diagnostics";
import { toSlashPath } from "@hasp/project";
import { findAllConfigs } from "@hasp/project/read";
import {
  chooseExitCode,
  type CommandJob,
  type CommandResult,
  type ExitCode,
  type Invocation,
  joinResults,
  refuse,
} from "../shell/command.js";
import { cliDiagnostics } from "../shell/diagnostics.js";

export function declareAllOption(command: Command): Command {
  return command.option("--all", "do it for every configuration in this folder and below it");
}

/** Runs a command for every configuration in and below the working folder, and joins the findings. */
export async function runAll(command: CommandJob, invocation: Invocation): Promise<CommandResult | ExitCode> {
  const { folder, options, terminal, words } = invocation;
  if (options.config !== undefined || words.length > 0) {
    const problem = '"--all" goes with neither "--config" nor names of tools';
    return refuse(cliDiagnostics("usage", undefined, { problem }));
  }
  const configs = findConfigs(folder);
  if (configs.length === 0) return refuse(cliDiagnostics("no-configuration"));
  const outcomes: CommandResult[] = [];
  for (const config of configs) {
    const root = dirname(config);
    terminal.enter(root);
    const outcome = await command.run({ ...invocation, root, options: { ...options, config } });
    if (typeof outcome === "number") return outcome;
    outcomes.push(moveResult(outcome, folder, config, invocation));
  }
  const seen = new Set<string>();
  const isNew = (diagnostic: Diagnostic): boolean => seen.size < seen.add(JSON.stringify(diagnostic)).size;
  return {
    // Configurations that share a file find the same in it.
    diagnostics: [
      ...(command.findAmongAll?.(invocation) ?? []),
      ...outcomes.flatMap(({ diagnostics }) => diagnostics).filter(isNew),
    ],
    ...joinResults(outcomes),
    root: folder,
    rules: outcomes.flatMap(({ rules = [] }) => rules),
    summary: Object.fromEntries(outcomes.flatMap(({ summary }) => Object.entries(summary ?? {}))),
    data: Object.fromEntries(outcomes.flatMap(({ data }) => Object.entries(data ?? {}))),
    text: outcomes.map(({ text }) => text ?? "").join(""),
  };
}

/** Finds the configurations in a folder and below it, as absolute paths. Looks into no hidden folder. */
function findConfigs(folder: string): readonly string[] {
  const below = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== "node_modules" && !entry.name.startsWith("."))
    .map(({ name }) => name)
    .toSorted();
  return [
    ...findAllConfigs(folder).map((name) => join(folder, name)),
    ...below.flatMap((name) => findConfigs(join(folder, name))),
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
  const moved = new Map(
    [...outcome.diagnostics, ...(outcome.sections ?? []).flatMap(({ diagnostics }) => diagnostics)].map((each) => [
      each,
      {
        ...each,
        ...(each.location === undefined
          ? { message: `${name}: ${each.message}` }
          : { location: moveLocation(each.location) }),
        ...(each.related === undefined
          ? {}
          : { related: each.related.map((other) => ({ ...other, location: moveLocation(other.location) })) }),
      },
    ]),
  );
  const move = (diagnostics: readonly Diagnostic[]): readonly Diagnostic[] =>
    diagnostics.map((each) => moved.get(each) ?? each);
  const text = outcome.text ?? "";
  return {
    ...outcome,
    diagnostics: move(outcome.diagnostics),
    sources: new Map([...(outcome.sources ?? [])].map(([uri, source]) => [moveUri(uri), source])),
    sections: (outcome.sections ?? []).map((section) => ({
      ...section,
      title: `${name}: ${section.title}`,
      diagnostics: move(section.diagnostics),
    })),
    cases: (outcome.cases ?? []).map((each) => ({ ...each, suite: `${name}: ${each.suite}` })),
    summary: { [name]: { ...outcome.summary, exitCode: chooseExitCode(outcome, options) } },
    data: { [name]: outcome.data ?? {} },
    text: text === "" ? "" : `${terminal.paint("place", name)}\n${text}`,
  };
}
