import { basename, dirname, join, posix } from "node:path";
import type { JsonObject, JsonValue } from "@hasp/schema";
import { Option } from "commander";
import { applyEdits, modify, parse, type ParseError } from "jsonc-parser";
import { isMap, isSeq, parseDocument } from "yaml";
import {
  findLineStart,
  type Diagnostic,
  hasErrors,
  fillPlaceholders,
  joinList,
  printVisibleText,
} from "@hasp/base/diagnostics";
import { mapMembers, readOwnMember, toList, toObject, isList, isObject, isSameJson } from "@hasp/base/json";
import { readJsonLayout } from "@hasp/compiler/edit";
import type { ApprovalProof } from "@hasp/compiler/model";
import { findConflict } from "@hasp/compiler/source";
import { isWithin, toSlashPath, readTemplate } from "@hasp/project";
import { editUserFile, makeUserFile, type UserFileResult, writeTaskInputs } from "@hasp/project/output";
import {
  findConfigs,
  findUp,
  findFirstExisting,
  listSettingFiles,
  OWNER_FILES,
  findOwnerLine,
  readPackageJson,
  readProjectPlan,
} from "@hasp/project/read";
import { addLines, hasPattern, withLines, writePattern } from "../project/pattern-lines.js";
import { findConfigsBelow } from "../project/run-all.js";
import { findConfigAbove, findEditorSchemaPath } from "@hasp/project/session";
import type { CommandModule, CommandResult, Invocation } from "../shell/command.js";
import { cliDiagnostics } from "../shell/diagnostics.js";
import { AGENTS } from "../shell/options.js";

type AddToJson = (path: readonly (string | number)[], value: unknown) => void;

/**
 * Adds values to a JSON text. Existing values, comments and layout stay. Returns `undefined` if nothing is added. Throws
 * an error that says why a text cannot be edited.
 */
function editJson(text: string, edit: (current: JsonObject, add: AddToJson) => void): string | undefined {
  if (findConflict(text) !== undefined) throw new Error("it has an unresolved merge conflict");
  const errors: ParseError[] = [];
  const current: unknown = parse(text, errors, { allowTrailingComma: true });
  if (errors.length > 0) throw new Error("it is not valid JSON");
  const formattingOptions = readJsonLayout(text);
  let result = text;
  edit(toObject(current), (path, value) => {
    result = applyEdits(result, modify(result, [...path], value, { formattingOptions, isArrayInsertion: true }));
  });
  return result === text ? undefined : result;
}

/** Adds missing parts of `addition`: entries one level below each top key (`scripts`, `tasks`), or items of a list. */
function mergedJson(text: string, addition: JsonObject): string | undefined {
  return editJson(text, (current, add) => {
    for (const [section, entries] of Object.entries(addition)) {
      const there = current[section];
      if (isList(entries)) addMissing(add, [section], there, entries);
      else if (isObject(entries)) {
        for (const [name, value] of Object.entries(entries)) {
          if (!isObject(there) || there[name] === undefined) add([section, name], value);
        }
      }
    }
  });
}

/** Adds the items that a list lacks. Anything but a list stays as it is. */
function addMissing(
  add: AddToJson,
  path: readonly string[],
  there: JsonValue | undefined,
  items: readonly JsonValue[],
): void {
  if (there === undefined) return add(path, items);
  if (!isList(there)) return;
  const missing = items.filter((item) => !there.some((each) => isSameJson(each, item)));
  for (const [index, item] of missing.entries()) add([...path, there.length + index], item);
}

/** Excludes a folder from what Biome reads: all files, if its settings name none. */
function excludeInBiome(text: string, excluded: string): string | undefined {
  return editJson(text, ({ files }, add) => {
    const includes = readOwnMember(files, "includes");
    addMissing(add, ["files", "includes"], includes, includes === undefined ? ["**", excluded] : [excluded]);
  });
}

interface InitFile {
  readonly path: string;
  readonly what: string;
  /** True for an executable file, which is created as a whole or not at all. */
  readonly isProgram?: boolean;
  edit(text: string | undefined): string | undefined;
}

/** Creates the hook: an entry for the pre-commit framework if the repository uses it, else a Git hook script. */
async function preCommitHook(repository: string, folder: string): Promise<InitFile> {
  const project = toSlashPath(repository, folder) || ".";
  const framework = findFirstExisting([join(repository, ".pre-commit-config.yaml")]);
  if (framework !== undefined) {
    const entry = fillPlaceholders(await readTemplate("hooks/pre-commit-config.yaml"), {
      FOLDER: JSON.stringify(project),
    });
    return {
      path: framework,
      what: "an entry that runs hasp ci",
      edit: (text) => (text === undefined ? entry : withHook(text, entry)),
    };
  }
  const script = fillPlaceholders(await readTemplate("hooks/pre-commit"), {
    FOLDER: quoteForShell(project),
  });
  return {
    path: join(repository, ".githooks/pre-commit"),
    what: "git config core.hooksPath .githooks",
    isProgram: true,
    edit: () => script,
  };
}

/** Creates the hook that builds when branches merge: each has built without the tools of the other. */
async function mergeHook(
  repository: string,
  folder: string,
  configurations: readonly FoundConfiguration[],
): Promise<InitFile> {
  const builds = configurations.flatMap(({ path, outDir }) => [
    `npx --no-install hasp build --quiet${path === "" ? "" : ` --config ${quoteForShell(path)}`}`,
    `git add -A -- ${quoteForShell(outDir)}`,
  ]);
  const values = { FOLDER: quoteForShell(toSlashPath(repository, folder) || "."), BUILDS: builds.join("\n") };
  const script = fillPlaceholders(await readTemplate("hooks/pre-merge-commit"), values);
  return {
    path: join(repository, ".githooks/pre-merge-commit"),
    what: "builds when branches merge",
    isProgram: true,
    edit: () => script,
  };
}

function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

function withHook(text: string, entry: string): string | undefined {
  const document = parseDocument(text);
  const repos = document.get("repos", true);
  if (isSeq(repos) && toList(repos.toJS(document)).some(hasOurHook)) return undefined;
  const lines = entry.split("\n").slice(1);
  const [first] = isSeq(repos) && repos.flow !== true ? repos.items : [];
  if (isSeq(repos) && isMap(first)) {
    const lineStart = findLineStart(text, first.range?.[0] ?? 0);
    const indent = /^[ \t]*/u.exec(text.slice(lineStart))?.[0] ?? "";
    const end = text.slice(0, repos.range?.[1]).trimEnd().length;
    const added = lines.filter((line) => line !== "").map((line) => indent + line.slice(2));
    return `${text.slice(0, end)}\n${added.join("\n")}${text.slice(end) === "" ? "\n" : text.slice(end)}`;
  }
  // The list is on one line, or missing: print it again, with its comments.
  const [ours] = toList(readOwnMember(parseDocument(entry).toJS(), "repos"));
  document.addIn(["repos"], document.createNode(ours));
  return document.toString({ lineWidth: 0 });
}

function hasOurHook(repo: JsonValue): boolean {
  return toList(readOwnMember(repo, "hooks")).some((hook) => readOwnMember(hook, "id") === "hasp");
}

interface InitOptions {
  readonly owner?: string;
  readonly example?: boolean;
  readonly hook?: boolean;
  readonly for?: typeof AGENTS;
}

/** `hasp init` writes whole files from `templates/` and adds lines to existing ones. It never overwrites. */
export const init: CommandModule = {
  showsNotes: true,
  configure(command) {
    command
      .option("--owner <team>", "who reviews the ledger, such as @acme/agents, for CODEOWNERS")
      .option("--example", "also create an example spec, specs/count_words.tool.yaml, with its handler")
      .option(
        "--hook",
        "also create hooks: .githooks/pre-commit checks, pre-merge-commit builds; or an entry in .pre-commit-config.yaml",
      )
      .addOption(
        new Option("--for <readers>", "also tell agents that write specs how, in AGENTS.md or CLAUDE.md").choices([
          AGENTS,
        ]),
      )
      .addHelpText(
        "after",
        `
Creates hasp.config.yaml, unless another configuration is here or below, and in
the root of a Git repository a workflow with its action. Adds scripts to
package.json, tasks to turbo.json or nx.json, formats to .vscode/settings.json,
hasp's folders to .gitattributes, .prettierignore and biome.json, and to
CODEOWNERS what decides what a tool may do (as comments, without --owner).
Overwrites nothing.`,
      );
  },
  run: runInit,
};

interface WrittenFile {
  readonly path: string;
  readonly what: string;
}

async function runInit({ options, folder }: Invocation<InitOptions>): Promise<CommandResult> {
  const diagnostics: Diagnostic[] = [];
  const steps: WrittenFile[] = [];
  // Beside configurations with names of their own, and above those of packages, another would read the same specs.
  const named =
    findConfigs(folder).length > 0
      ? []
      : await Promise.all(findConfigsBelow(folder).map(async (config) => readConfiguration(folder, config)));
  const repository = findUp(folder, ".git");
  const home = repository ?? folder;
  const shown = (path: string): string => toSlashPath(folder, path);
  const note = (path: string, result: UserFileResult, what: string): void => {
    if (result.state === "written" || result.state === "replaced") steps.push({ path: shown(path), what });
    else if (result.state === "exists") diagnostics.push(cliDiagnostics("file-kept", undefined, { path: shown(path) }));
    else if (result.state === "failed") {
      diagnostics.push(cliDiagnostics("cannot-write", undefined, { path: shown(path), reason: result.reason }));
    }
  };
  const copy = async (
    template: string,
    target: string,
    what: string,
    {
      values = {},
      edit = (text) => text,
    }: { readonly values?: Readonly<Record<string, string>>; readonly edit?: (text: string) => string } = {},
  ): Promise<void> => {
    const path = join(folder, target);
    note(path, await makeUserFile(home, path, edit(fillPlaceholders(await readTemplate(template), values))), what);
  };
  const merge = async (name: string, what: string, source = name, isMade = false): Promise<void> => {
    const template = await readTemplate(`merge/${source}`);
    const whole = JSON.parse(template) as JsonObject;
    const runner = (["turbo", "nx"] as const).find((each) => name === `${each}.json`);
    const addition = runner === undefined ? whole : describeTasks(whole, runner, folder, all);
    const path = join(folder, name);
    const absent = isMade ? template : undefined;
    note(
      path,
      await editUserFile(home, path, (text) => (text === undefined ? absent : mergedJson(text, addition))),
      what,
    );
  };
  const put = async ({ path, what, edit, isProgram = false }: InitFile): Promise<void> => {
    // Most files can take a few lines; leave other people's programs alone and say so.
    note(
      path,
      isProgram
        ? await makeUserFile(home, path, edit(undefined) ?? "", { isExecutable: true })
        : await editUserFile(home, path, edit),
      what,
    );
  };

  const above = findConfigAbove(folder);
  if (above !== undefined) diagnostics.push(cliDiagnostics("project-above", undefined, { path: shown(above) }));
  if (named.length === 0) await copy("init/hasp.config.yaml", "hasp.config.yaml", "what is read and written");
  if (options.example === true) {
    const values = { SCHEMA: findEditorSchemaPath(folder, join(folder, "specs")) };
    await copy("example/specs/count_words.tool.yaml", "specs/count_words.tool.yaml", "a first tool", { values });
    await copy("example/src/tools/count-words.ts", "src/tools/count-words.ts", "its handler");
  }
  if (options.for !== undefined) await put(await agentsSection(folder));
  const all = named.length === 0 ? [await readConfiguration(folder)] : named;
  if (options.hook === true) {
    const hook = await preCommitHook(home, folder);
    await put(hook);
    if (hook.isProgram === true) await put(await mergeHook(home, folder, all));
  }
  if (repository === folder) {
    // The action takes words.
    const words = named.map(({ path }) => path).filter((path) => /^[\w./-]+$/u.test(path));
    const isReviewed = all.some(({ approvedBy }) => approvedBy === "codeowners");
    const inputs = [
      ...(words.length === 0 ? [] : [`configs: ${words.join(" ")}`]),
      ...(isReviewed ? ["reviews: true"] : []),
    ];
    const edit = (text: string): string =>
      (isReviewed ? text.replace(/^ {2}push:/mu, `${AFTER_REVIEWS}$&`) : text) +
      inputs.map((line) => `          ${line}\n`).join("");
    const manager = findManager(folder);
    const values = { MANAGER: manager.name, INSTALL: manager.install };
    const workflow = `workflows/${manager.name === "pnpm" ? "pnpm" : "npm"}.yml`;
    await copy(workflow, ".github/workflows/hasp.yml", "checks every pull request", { values, edit });
    await copy("actions/hasp/action.yml", ".github/actions/hasp/action.yml", "the step that does it");
  }
  if (named.length === 0) {
    await merge("package.json", "scripts tools:check, tools:build and tools:test");
  }
  await merge("turbo.json", "the same three as tasks; all but tools:check are cached");
  await merge("nx.json", "tools:build as a cached task");
  await merge(".vscode/settings.json", "completes and checks specs as you type", "vscode-settings.json", true);
  for (const outDir of new Set(all.map((each) => each.outDir))) {
    await put(await gitAttributes(folder, outDir));
    for (const file of await formatterSettings(folder, outDir)) await put(file);
  }
  await put({
    path: join(folder, ".gitignore"),
    what: "what is installed, compiled or shown",
    edit: (text) => (text === undefined ? "node_modules/\ndist/\ncatalogue/\n.env\n" : undefined),
  });
  const homes = new Set(named.map(({ path }) => join(folder, dirname(path))));
  const settings = all.flatMap((each) => each.settings.map((path) => join(folder, path)));
  await put(await codeOwners(home, homes.size === 0 ? [folder] : [...homes], settings, options.owner));

  const width = Math.max(0, ...steps.map(({ path }) => path.length));
  // Several projects may add lines to one file.
  const list = [...new Map(steps.map((step) => [step.path, step])).values()].map(
    ({ path, what }) => `  ${printVisibleText(path.padEnd(width))}  ${printVisibleText(what)}`,
  );
  const later =
    repository === undefined
      ? "There is no Git repository here, so no workflow was written: run `git init`, then `hasp init` again.\n"
      : "";
  const broken = all.filter(({ isBroken }) => isBroken).map(({ path }) => printVisibleText(path));
  const again =
    broken.length === 0
      ? ""
      : `What ${joinList(broken)} names is not covered yet: run \`hasp check --all\`, then \`hasp init\` again.\n`;
  const read = readPackageJson(folder);
  const isOfScripts = "manifest" in read && read.manifest["type"] !== "module";
  const modules = isOfScripts
    ? "Generated files are ES modules, but package.json does not say so: run `npm pkg set type=module`.\n"
    : "";
  if (steps.length === 0 && hasErrors(diagnostics)) {
    return { diagnostics, summary: { written: [] }, text: "Nothing was created.\n", state: "unchecked" };
  }
  const next =
    options.example === true
      ? "Next: `hasp build`."
      : "Next: `hasp new <name> --kind read`, or `hasp import openapi <file>`.";
  return {
    diagnostics,
    summary: { written: steps.map(({ path }) => path) },
    text: `${[steps.length > 0 ? "Created:" : "Everything already exists.", ...list, "", `${later}${again}${modules}${next}`].join("\n")}\n`,
    state: hasErrors(diagnostics) ? "unchecked" : undefined,
  };
}

/** A configuration in the folder or below it; the paths begin in the folder. */
interface FoundConfiguration {
  readonly path: string;
  readonly outDir: string;
  /** The files that it consists of or names, beside specs. */
  readonly settings: readonly string[];
  /** Files, and folders with `/**`. */
  readonly reads: readonly string[];
  /** The proof that `hasp ci` asks for each new approval. */
  readonly approvedBy: ApprovalProof | undefined;
  /** True if it has errors, so that the usual folders stand for its own. */
  readonly isBroken: boolean;
}

/** Reads a named configuration, or the one of the folder. */
async function readConfiguration(folder: string, config?: string): Promise<FoundConfiguration> {
  const root = config === undefined ? folder : dirname(config);
  const { value } = await readProjectPlan(root, config && basename(config));
  const { plan, specs = [], plugins = [] } = value ?? {};
  const settings = [
    ...listSettingFiles(plan ?? {}, plugins),
    ...(plan?.toolsets ?? []).flatMap(({ policy }) => policy ?? []),
  ];
  const reads = [...settings, ...[...specs, "hasp-ledger"].map((path) => `${path}/**`)];
  const place = (path: string): string => toSlashPath(folder, join(root, path));
  return {
    path: place(basename(config ?? "")),
    outDir: place(plan?.outDir ?? "src/generated"),
    settings: settings.map(place),
    reads: [...new Set(reads.map(place))],
    approvedBy: plan?.approvals?.verify,
    isBroken: plan === undefined,
  };
}

/** Adds what builds read to the inputs of cached tasks, and where they write to the outputs. */
function describeTasks(
  template: JsonObject,
  runner: "turbo" | "nx",
  folder: string,
  named: readonly FoundConfiguration[],
): JsonObject {
  const placed = named.map(({ outDir, reads }) => {
    const above = findUp(dirname(join(folder, outDir)), "package.json");
    const home = above !== undefined && isWithin(folder, above) ? above : folder;
    // A runner takes the package's own files by default.
    const others = reads.filter((path) => !isWithin(home, join(folder, path)));
    return { outDir: toSlashPath(home, join(folder, outDir)), others };
  });
  const outDirs = placed.map(({ outDir }) => outDir);
  const reads = writeTaskInputs(runner, [...new Set(placed.flatMap(({ others }) => others))]);
  const list = (items: JsonValue | undefined): readonly JsonValue[] =>
    toList(items).flatMap((item) => [
      ...new Set(outDirs.map((outDir) => String(item).replace("src/generated", outDir))),
    ]);
  return mapMembers(template, (tasks) =>
    mapMembers(toObject(tasks), (task) => ({
      ...toObject(task),
      ...("inputs" in toObject(task) ? { inputs: [...list(readOwnMember(task, "inputs")), ...reads] } : {}),
      ...("outputs" in toObject(task) ? { outputs: list(readOwnMember(task, "outputs")) } : {}),
    })),
  );
}

/** Runs a workflow again after a review, which may be the approval that it lacks. */
const AFTER_REVIEWS = "  pull_request_review:\n    types: [submitted, dismissed]\n";

function findManager(folder: string): { readonly name: string; readonly install: string } {
  const has = (name: string): boolean => findFirstExisting([join(folder, name)]) !== undefined;
  if (has("pnpm-lock.yaml")) return { name: "pnpm", install: "pnpm install --frozen-lockfile" };
  if (!has("yarn.lock")) return { name: "npm", install: "npm ci" };
  return { name: "yarn", install: `yarn install ${has(".yarnrc.yml") ? "--immutable" : "--frozen-lockfile"}` };
}

/** Creates the Git attributes of generated files. */
async function gitAttributes(folder: string, outDir: string): Promise<InitFile> {
  const pattern = writePattern(`/${outDir}/`) + "**";
  // Attributes begin after the first space that is not in quotes.
  const quoted = /[\s"]/u.test(pattern) ? JSON.stringify(pattern) : pattern;
  const lines = fillPlaceholders(await readTemplate("merge/gitattributes"), { PATTERN: quoted });
  return {
    path: join(folder, ".gitattributes"),
    what: "keeps generated files out of merge conflicts",
    edit: (text) => withLines(text, lines, quoted),
  };
}

/** Creates the exclusions that keep formatters from files that hasp writes: JSON has no comment that could. */
async function formatterSettings(folder: string, outDir: string): Promise<readonly InitFile[]> {
  const what = "keeps formatters from what hasp writes";
  const pattern = writePattern(`/${outDir}/`);
  const lines = fillPlaceholders(await readTemplate("merge/prettierignore"), { PATTERN: pattern });
  const biome = findFirstExisting(["biome.json", "biome.jsonc"].map((name) => join(folder, name)));
  return [
    { path: join(folder, ".prettierignore"), what, edit: (text) => withLines(text, lines, pattern) },
    ...(biome === undefined ? [] : [{ path: biome, what, edit: (text = "{}") => excludeInBiome(text, `!${outDir}`) }]),
  ];
}

async function agentsSection(folder: string): Promise<InitFile> {
  const [first = "", ...others] = ["AGENTS.md", "CLAUDE.md"].map((name) => join(folder, name));
  const lines = await readTemplate("agents/section.md");
  return {
    path: findFirstExisting([first, ...others]) ?? first,
    what: "tells agents how to write specs",
    edit: (text) => withLines(text, lines, "<!-- hasp: tools -->"),
  };
}

/** The files that check a pull request. */
const WORKFLOW = ["/.github/workflows/hasp.yml", "/.github/actions/hasp/"];

/** The files of a project, beside its ledger, that decide what a tool may do. */
const DECIDING = ["hasp.*.*", "policies/", "presets/", "hasp-plugins/", "auth.yaml"];

async function codeOwners(
  repository: string,
  folders: readonly string[],
  settings: readonly string[],
  owner: string | undefined,
): Promise<InitFile> {
  const candidates = [...OWNER_FILES, ".gitlab/CODEOWNERS"].map((path) => join(repository, path));
  const projects = folders.map((folder) => posix.join("/", toSlashPath(repository, folder), "/"));
  const decidingIn = (project: string): readonly string[] =>
    ["hasp-ledger/", ...DECIDING].map((path) => project + path);
  const isOwned = (path: string): boolean =>
    projects.some(
      (project) =>
        decidingIn(project).some((each) => path.startsWith(each)) ||
        (path.startsWith(project) && /^hasp\.[^./]*\.[^/]*$/u.test(path.slice(project.length))),
    );
  const others = settings
    .filter((path) => isWithin(repository, path))
    .map((path) => `/${toSlashPath(repository, path)}`)
    .filter((path) => !path.includes("/node_modules/") && !isOwned(path));
  const paths = [
    ...projects.map(writeOwnedPath).flatMap(decidingIn),
    ...new Set(others.map(writeOwnedPath)),
    ...WORKFLOW,
  ];
  const template = await readTemplate("merge/CODEOWNERS");
  return {
    path: findFirstExisting(candidates) ?? join(repository, ".github/CODEOWNERS"),
    what:
      owner === undefined
        ? "name the owners there, and remove the #"
        : `${owner} owns what decides about tools and had no owner`,
    edit: (text) => {
      const lacks = (pattern: string): boolean => !hasPattern(text, pattern);
      const missing = paths.filter((path) =>
        owner === undefined ? lacks(path) && lacks(`# ${path}`) : !isDecidedBy(path, text ?? ""),
      );
      if (missing.length === 0) return undefined;
      const lines = missing.map((path) => (owner === undefined ? `# ${path} @your/reviewers` : `${path} ${owner}`));
      return addLines(text, fillPlaceholders(template, { PATHS: lines.join("\n") }));
    },
  };
}

/** True if the line of CODEOWNERS for a path names an owner, and none below it matches the same files. */
function isDecidedBy(path: string, rules: string): boolean {
  const file = path.replace("/", "").replaceAll("\\ ", " ").replaceAll("*", "x").replace(/\/$/u, "/x");
  const line = findOwnerLine(rules, file);
  return line?.pattern === path && line.owners.length > 0;
}

/** Writes a path for CODEOWNERS. GitHub knows no escapes but that of a space; `?` matches any character instead. */
function writeOwnedPath(path: string): string {
  return path.replaceAll(/[^\S ]|[\\*?[\]#!]/gu, "?").replaceAll(" ", String.raw`\ `);
}
