import { FIELDS, matchesPattern } from "@hasp/runtime/contract";
import { type Command, Option } from "commander";
import { resolve } from "node:path";
import { findSuggestions, type Diagnostic } from "@hasp/base/diagnostics";
import { toSlashPath } from "@hasp/project";
import type { FlatTool } from "@hasp/compiler";
import { listToolsetMembers } from "@hasp/compiler/model";
import { readFlags, LISTED_FLAGS } from "@hasp/report";
import type { Invocation } from "../shell/command.js";
import { cliDiagnostics } from "../shell/diagnostics.js";
import { collect } from "./running.js";
import type { ReportedProject } from "./project.js";

export interface ToolFilters {
  readonly class?: string;
  readonly flag?: readonly string[];
  readonly tag?: string;
  readonly owner?: string;
  readonly toolset?: string;
  readonly folder?: string;
}

export function declareToolFilters(command: Command): Command {
  return command
    .addOption(new Option("--class <name>", "only tools of this class").choices(FIELDS.concurrency.class.values))
    .option(
      "--flag <flag>",
      "only tools with this flag, such as isDestructive or isOpenWorld=false; repeatable, and all must hold",
      collect,
    )
    .option("--tag <tag>", "only tools with this tag")
    .option("--owner <name>", "only tools of this owner")
    .option("--toolset <name>", "only tools of this toolset")
    .option("--folder <path>", "only tools whose specs are in this folder, or below it");
}

export interface ToolSelection {
  has(tool: FlatTool): boolean;
  /** Checks the words and the folder only, for a tool or policy of which no more is known. */
  admits(name: string, uri: string | undefined): boolean;
  hasPolicy(policy: { readonly name: string; readonly toolset: string; readonly uri: string }): boolean;
}

/** Reads the selection of an invocation: words with `*` for any characters, and the options. */
export function selectTools(
  { words, options, folder }: Pick<Invocation<ToolFilters>, "words" | "options" | "folder">,
  { root, result, plan }: Pick<ReportedProject, "root" | "result" | "plan">,
): ToolSelection {
  const { class: wantedClass, flag = [], tag, owner, toolset } = options;
  const path = options.folder === undefined ? "" : toSlashPath(root, resolve(folder, options.folder));
  const members = listToolsetMembers(result.tools, plan.toolsets).find(({ name }) => name === toolset)?.tools;
  const admits = (name: string, uri = ""): boolean =>
    (words.length === 0 || words.some((word) => matchesPattern(word, name))) &&
    (options.folder === undefined || isBelow(uri, path));
  return {
    admits,
    has: (tool) =>
      admits(tool.name, tool.document.uri) &&
      (wantedClass === undefined || tool.worstCase.class === wantedClass) &&
      flag.every((each) => hasFlag(tool, each)) &&
      (tag === undefined || (tool.spec.tags ?? []).includes(tag)) &&
      (owner === undefined || tool.spec.owner === owner) &&
      (toolset === undefined || members?.includes(tool) === true),
    hasPolicy: (policy) =>
      admits(policy.name, policy.uri) &&
      wantedClass === undefined &&
      flag.length === 0 &&
      tag === undefined &&
      owner === undefined &&
      (toolset === undefined || policy.toolset === toolset),
  };
}

const FILTERS: readonly (keyof ToolFilters)[] = ["class", "flag", "tag", "owner", "toolset", "folder"];

export function isSelective({ words, options }: Pick<Invocation<ToolFilters>, "words" | "options">): boolean {
  return words.length > 0 || FILTERS.some((key) => options[key] !== undefined);
}

interface OtherName {
  readonly name: string;
  readonly uri: string;
}

/** Reports unknown words and filters: a typo must not look like an empty selection. */
export function findUnknownFilters(
  { words, options, folder }: Pick<Invocation<ToolFilters>, "words" | "options" | "folder">,
  { root, result, plan }: Pick<ReportedProject, "root" | "result" | "plan">,
  others: readonly OtherName[] = [],
): readonly Diagnostic[] {
  const all = [...result.tools.map(({ name, document }) => ({ name, uri: document.uri })), ...others];
  const names = all.map(({ name }) => name);
  const known = (
    kind: "tag" | "owner" | "toolset" | "flag" | "folder of specs",
    name: string | undefined,
    found: readonly string[],
  ): readonly Diagnostic[] =>
    name === undefined || found.includes(name)
      ? []
      : [cliDiagnostics("unknown-filter", undefined, { kind, name, nearest: findSuggestions(name, found) })];
  const path = options.folder === undefined ? undefined : toSlashPath(root, resolve(folder, options.folder));
  const isEmpty = path !== undefined && !all.some(({ uri }) => isBelow(uri, path));
  return [
    ...words
      .filter((word) => !names.some((name) => matchesPattern(word, name)))
      .map((name) => cliDiagnostics("unknown-tool", undefined, { name, nearest: findSuggestions(name, names) })),
    ...known("tag", options.tag, [...new Set(result.tools.flatMap(({ spec }) => spec.tags ?? []))]),
    ...known("owner", options.owner, [...new Set(result.tools.flatMap(({ spec }) => spec.owner ?? []))]),
    ...known(
      "toolset",
      options.toolset,
      listToolsetMembers([], plan.toolsets).map(({ name }) => name),
    ),
    ...(options.flag ?? []).flatMap((flag) => known("flag", flag.split("=")[0], LISTED_FLAGS)),
    ...(isEmpty
      ? known("folder of specs", path, [
          ...new Set(all.map(({ uri }) => uri.slice(0, Math.max(0, uri.lastIndexOf("/"))))),
        ])
      : []),
  ];
}

/** True if a file is, or is below, a path; `""` is the whole project. */
function isBelow(uri: string, path: string): boolean {
  if (path === "") return !uri.startsWith("../");
  return uri === path || uri.startsWith(`${path}/`);
}

function hasFlag(tool: FlatTool, flag: string): boolean {
  const [name = "", value = "true"] = flag.split("=");
  return String(readFlags(tool)[name]) === value;
}
