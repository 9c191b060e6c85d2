import { FIELDS, matchesPattern } from "@hasp/runtime/contract";
import type { Command } from "commander";
import { resolve } from "node:path";
import { findSuggestions, type Diagnostic } from "@hasp/base/diagnostics";
import { own } from "@hasp/base/json";
import { toSlashPath } from "@hasp/project";
import type { FlatTool } from "@hasp/compiler";
import { MOVED_KEYS } from "@hasp/compiler/formats";
import { listToolsetMembers } from "@hasp/compiler/model";
import { readFlags, LISTED_FLAGS } from "@hasp/report";
import type { Invocation } from "../shell/command.js";
import { cliDiagnostics } from "../shell/diagnostics.js";
import { declareSelector, type Selector } from "../shell/selector.js";
import { reportUnknownTools } from "./unknown-tools.js";
import type { ReportedProject } from "./project.js";

export interface ToolFilters {
  readonly only?: Selector;
}

/** Declares `--only` for tools; words of the command are names, too. */
export function declareToolFilters(command: Command, more: { readonly [property: string]: string } = {}): Command {
  const selector = declareSelector("tools", {
    tag: "<tag>",
    class: FIELDS.concurrency.class.values.join("|"),
    flag: "<flag> (isDestructive, isOpenWorld=false)",
    owner: "<name>",
    toolset: "<name>",
    folder: "<path>",
    tool: "<name>",
    ...more,
  });
  return command.addOption(selector);
}

export interface ToolSelection {
  has(tool: FlatTool): boolean;
  /** Checks the words and the folder only, for a tool or policy of which no more is known. */
  admits(name: string, uri: string | undefined): boolean;
  hasPolicy(policy: { readonly name: string; readonly toolset: string; readonly uri: string }): boolean;
  /** Reports words and values that are unknown: a typo must not look like an empty selection. */
  readonly unknown: readonly Diagnostic[];
}

/** Reads the selection of an invocation: words with `*` for any characters, and `--only`. `others` can be named, too. */
export function selectTools(
  { words, options: { only = {} }, folder }: Pick<Invocation<ToolFilters>, "words" | "options" | "folder">,
  { root, result, plan }: Pick<ReportedProject, "root" | "result" | "plan">,
  others: readonly { readonly name: string; readonly uri: string }[] = [],
): ToolSelection {
  const named = [...words, ...(only["tool"] ?? [])];
  const paths = only["folder"]?.map((path) => toSlashPath(root, resolve(folder, path)));
  const toolsets = listToolsetMembers(result.tools, plan.toolsets);
  const all = [...result.tools.map(({ name, document }) => ({ name, uri: document.uri })), ...others];
  const admits = (name: string, uri = ""): boolean =>
    (named.length === 0 || named.some((word) => matchesPattern(word, name))) &&
    paths?.some((path) => isBelow(uri, path)) !== false;
  const fits = (facets: Selector): boolean =>
    ["class", "flag", "tag", "owner", "toolset"].every((property) => {
      const has = (value: string): boolean => facets[property]?.includes(value) === true;
      return property === "flag" ? only[property]?.every(has) !== false : only[property]?.some(has) !== false;
    });
  const known = [
    ["tag", only["tag"], result.tools.flatMap(({ spec }) => spec.tags ?? [])],
    ["owner", only["owner"], result.tools.flatMap(({ spec }) => spec.owner ?? [])],
    ["toolset", only["toolset"], toolsets.map(({ name }) => name)],
    ["flag", only["flag"]?.map((flag) => flag.replace(/=.*/su, "")), LISTED_FLAGS],
    [
      "folder of specs",
      paths?.filter((path) => !all.some(({ uri }) => isBelow(uri, path))),
      all.map(({ uri }) => uri.slice(0, Math.max(0, uri.lastIndexOf("/")))),
    ],
  ] as const;
  const names = all.map(({ name }) => name);
  return {
    admits,
    has: (tool) =>
      admits(tool.name, tool.document.uri) &&
      fits({
        class: [tool.worstCase.class],
        flag: Object.entries(readFlags(tool)).flatMap(([flag, value]) => [
          `${flag}=${String(value)}`,
          ...(value === true ? [flag] : []),
        ]),
        tag: tool.spec.tags,
        owner: [tool.spec.owner ?? ""],
        toolset: only["toolset"]?.filter((wanted) =>
          toolsets.some(({ name, tools }) => name === wanted && tools.includes(tool)),
        ),
      }),
    hasPolicy: ({ name, uri, toolset }) => admits(name, uri) && fits({ toolset: [toolset] }),
    unknown: [
      ...reportUnknownTools(
        named.filter((word) => !names.some((name) => matchesPattern(word, name))),
        names,
      ),
      ...known.flatMap(([kind, wanted = [], found]) =>
        wanted
          .filter((name) => !found.includes(name))
          .map((name) => {
            const load = kind === "flag" ? own(MOVED_KEYS, `visibility.${name}`)?.word : undefined;
            const nearest = load === undefined ? findSuggestions(name, found) : [`load=${load}`];
            return cliDiagnostics("unknown-filter", undefined, { kind, name, nearest });
          }),
      ),
    ],
  };
}

/** True if a file is, or is below, a path; `""` is the whole project. */
function isBelow(uri: string, path: string): boolean {
  if (path === "") return !uri.startsWith("../");
  return uri === path || uri.startsWith(`${path}/`);
}
