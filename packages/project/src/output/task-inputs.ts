import { existsSync, readFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import ignore from "ignore";
import { parse } from "jsonc-parser";
import { attempt, createLocation, type Diagnostic } from "@hasp/base/diagnostics";
import { isList, readOwnMember, toObject, type JsonObject, type JsonValue } from "@hasp/base/json";
import { findUp } from "../fs/read-git.js";
import { toSlashPath } from "../fs/slash-path.js";
import { driftDiagnostics } from "./output-diagnostics.js";

interface TaskFile {
  readonly runner: "turbo" | "nx";
  /** The names of the file in the root of a workspace. */
  readonly name: string;
  /** A path from the root of the workspace, as an input. */
  write(path: string): string;
  /** Returns the inputs of a package's task; `undefined` if it is not cached. */
  read(settings: JsonValue, task: PackageTask): readonly string[] | undefined;
  /** Returns an input as a pattern from the root of the workspace, with `!` if it excludes. */
  place(input: string, folder: string): string;
}

interface PackageTask {
  readonly name: string;
  /** `//` for that of the workspace's root. */
  readonly packageName: string;
  /** The settings of the package itself. */
  readonly own: JsonValue;
}

const RUNNERS: readonly TaskFile[] = [
  {
    runner: "turbo",
    name: "turbo.json",
    write: (path) => `$TURBO_ROOT$/${path}`,
    read(settings, { name, packageName, own }) {
      const tasks = toObject(readOwnMember(settings, "tasks"));
      const inherited = tasks[`${packageName}#${name}`] ?? tasks[name];
      const stated = readOwnMember(readOwnMember(own, "tasks"), name);
      const task = { ...toObject(inherited), ...toObject(stated) };
      if ((inherited ?? stated) === undefined || task["cache"] === false) return undefined;
      const shared = listTexts(readOwnMember(settings, "globalDependencies")).map((path) => `$TURBO_ROOT$/${path}`);
      const { inputs } = task;
      return [...shared, ...(inputs === undefined ? ["$TURBO_DEFAULT$"] : listTexts(inputs))];
    },
    place: (input, folder) =>
      input.startsWith("$TURBO_ROOT$/")
        ? input.slice("$TURBO_ROOT$/".length)
        : posix.join(folder, input === "$TURBO_DEFAULT$" ? "**" : input),
  },
  {
    runner: "nx",
    name: "nx.json",
    write: (path) => `{workspaceRoot}/${path}`,
    read(settings, { name, own }) {
      const target = toObject(readOwnMember(readOwnMember(own, "targets"), name));
      const common = findDefaults(toObject(readOwnMember(settings, "targetDefaults")), name);
      if ((target["cache"] ?? common["cache"]) !== true) return undefined;
      const named = {
        ...toObject(readOwnMember(settings, "namedInputs")),
        ...toObject(readOwnMember(own, "namedInputs")),
      };
      const expand = (input: string, chain: readonly string[]): readonly string[] => {
        if (input === "default" && named[input] === undefined) return ["{projectRoot}/**"];
        if (named[input] === undefined || chain.includes(input)) return [input];
        return listTexts(named[input]).flatMap((each) => expand(each, [...chain, input]));
      };
      return listTexts(target["inputs"] ?? common["inputs"] ?? ["default"]).flatMap((each) => expand(each, []));
    },
    place: (input, folder) =>
      posix.normalize(input.replace("{projectRoot}", folder === "" ? "." : folder).replace("{workspaceRoot}/", "")),
  },
];

/** Finds the defaults that nx has for a script: those of all scripts, of its name, or of the longest pattern of names. */
function findDefaults(defaults: JsonObject, name: string): JsonObject {
  const patterns = Object.keys(defaults)
    .filter((key) => /[*?{[]/u.test(key) && ignore().add(expandBraces(key)).ignores(name))
    .toSorted((left, right) => right.length - left.length);
  const key = ["nx:run-script", name, ...patterns].find((each) => Object.hasOwn(defaults, each));
  return toObject(readOwnMember(defaults, key ?? ""));
}

function listTexts(value: JsonValue | undefined): readonly string[] {
  return isList(value) ? value.filter((each) => typeof each === "string") : [];
}

/**
 * Finds what a build reads that its cached task does not name: when only that changes, turbo or nx restores the old
 * build. `read` holds paths from the root.
 */
export function checkTaskInputs(
  { root, outDir, config }: { readonly root: string; readonly outDir: string; readonly config: string | undefined },
  read: readonly string[],
): readonly Diagnostic[] {
  return RUNNERS.flatMap((runner) => {
    const workspace = findWorkspace(root, runner.name);
    if (workspace === undefined) return [];
    const settings = readSettings(join(workspace, runner.name));
    return listBuilds(root, outDir, config).flatMap(({ folder, name, packageName }) => {
      const own = readOwn(runner, folder, workspace);
      const home = toSlashPath(workspace, folder);
      const inputs = runner.read(settings, { name, packageName: home === "" ? "//" : packageName, own });
      if (inputs === undefined) return [];
      const [excludes, includes] = [true, false].map((isExclusion) =>
        ignore().add(
          inputs
            .filter((input) => input.startsWith("!") === isExclusion)
            .flatMap((input) => expandBraces(runner.place(input.replace("!", ""), home)))
            .map((pattern) => `/${pattern}`),
        ),
      );
      const missing = read
        .map((path) => toSlashPath(workspace, join(root, path)))
        .filter((path) => !path.startsWith("../") && !/(?:^|\/)node_modules\//u.test(path))
        .filter((path) => !includes?.ignores(path) || excludes?.ignores(path));
      const [first] = missing;
      if (first === undefined) return [];
      const file = toSlashPath(root, join(workspace, runner.name));
      const also = missing.length > 1 ? ` and ${missing.length - 1} more` : "";
      const needed = missing.map((path) => runner.write(path));
      const facts = { runner: runner.runner, task: name, package: home === "" ? "." : home, first, also, needed };
      return [driftDiagnostics("inputs", createLocation(file), facts)];
    });
  });
}

/** Returns the inputs of a build's task in the workspace's runner, each a path from the workspace's root. */
export function writeTaskInputs(runner: "turbo" | "nx", paths: readonly string[]): readonly string[] {
  return RUNNERS.filter((each) => each.runner === runner).flatMap(({ write }) => paths.map(write));
}

/** Finds the scripts that build a configuration: in the package of its root, and in that of its output. */
function listBuilds(
  root: string,
  outDir: string,
  config: string | undefined,
): readonly { readonly folder: string; readonly name: string; readonly packageName: string }[] {
  const folders = new Set([root, findUp(dirname(join(root, outDir)), "package.json") ?? root]);
  return [...folders].flatMap((folder) => {
    const { name: packageName, scripts } = toObject(readSettings(join(folder, "package.json")));
    return Object.entries(toObject(scripts)).flatMap(([name, command]) => {
      const [, words = ""] = /\bhasp build\b([^&|;]*)/u.exec(String(command)) ?? [];
      const [, named] = /--config[ =](\S+)/u.exec(words) ?? [];
      const isBuild = /\bhasp build\b/u.test(String(command)) && !/--(?:check|clean|pin)\b/u.test(words);
      const isThis =
        named === undefined
          ? folder === root && config === undefined
          : join(folder, named) === join(root, config ?? "");
      return isBuild && isThis ? [{ folder, name, packageName: String(packageName) }] : [];
    });
  });
}

/** Finds the root of a workspace: the settings of a package in it extend those of the root. */
function findWorkspace(folder: string, name: string): string | undefined {
  const found = findUp(folder, name);
  if (found === undefined || readOwnMember(readSettings(join(found, name)), "extends") === undefined) return found;
  return (dirname(found) === found ? undefined : findWorkspace(dirname(found), name)) ?? found;
}

/** Reads a package's own settings of its tasks. */
function readOwn({ runner, name }: TaskFile, folder: string, workspace: string): JsonValue {
  if (runner === "turbo") return folder === workspace ? null : readSettings(join(folder, name));
  const inPackage = readOwnMember(readSettings(join(folder, "package.json")), "nx");
  return { ...toObject(inPackage), ...toObject(readSettings(join(folder, "project.json"))) };
}

function readSettings(path: string): JsonValue {
  if (!existsSync(path)) return null;
  return attempt(() => parse(readFileSync(path, "utf8"), [], { allowTrailingComma: true }) as JsonValue) ?? null;
}

/** Expands the alternatives of a pattern, which `.gitignore` does not know. */
function expandBraces(pattern: string): readonly string[] {
  const [all, alternatives] = /\{([^{}]*)\}/u.exec(pattern) ?? [];
  if (all === undefined || alternatives === undefined) return [pattern];
  return alternatives.split(",").flatMap((each) => expandBraces(pattern.replace(all, each)));
}
