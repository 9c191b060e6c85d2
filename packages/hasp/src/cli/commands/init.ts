import { join } from "node:path";
import type { JsonObject, JsonValue } from "@hasp/schema";
import { applyEdits, modify, parse, type ParseError } from "jsonc-parser";
import { isMap, isSeq, parseDocument } from "yaml";
import { findLineStart, type Diagnostic, hasErrors, fillPlaceholders, printVisibleText } from "@hasp/base/diagnostics";
import { readOwnMember, toList, toObject, isList, isObject, isSameJson } from "@hasp/base/json";
import { readJsonLayout } from "@hasp/compiler/edit";
import { findConflict } from "@hasp/compiler/source";
import { toSlashPath, readTemplate } from "@hasp/project";
import { editUserFile, makeUserFile, type UserFileResult } from "@hasp/project/output";
import { findAllConfigs, findConfigs, findUp, findFirstExisting, readPackageJson } from "@hasp/project/read";
import { findConfigAbove, findEditorSchemaPath } from "@hasp/project/session";
import type { CommandModule, CommandResult, Invocation } from "../shell/command.js";
import { cliDiagnostics } from "../shell/diagnostics.js";

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
    FOLDER: `'${project.replaceAll("'", String.raw`'\''`)}'`,
  });
  return {
    path: join(repository, ".githooks/pre-commit"),
    what: "git config core.hooksPath .githooks",
    isProgram: true,
    edit: () => script,
  };
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
        "also create a pre-commit hook: .githooks/pre-commit, or an entry in an existing .pre-commit-config.yaml",
      )
      .addHelpText(
        "after",
        `
Creates hasp.config.yaml, unless there are configurations of other names, and, in the root of a Git repository,
.github/workflows/hasp.yml with the action that it uses, .github/actions/hasp/action.yml. Adds three scripts to an
existing package.json, three tasks to an existing turbo.json, the formats of hasp's files to .vscode/settings.json, two
lines to .gitattributes, to .prettierignore and to the exclusions of an existing biome.json the folders that hasp
writes, and to CODEOWNERS the files that decide what a tool may do (as comments, unless --owner names their reviewers).
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
  // Beside configurations with names of their own, another would read the same specs.
  const named = findConfigs(folder).length === 0 ? findAllConfigs(folder) : [];
  const repository = findUp(folder, ".git");
  const home = repository ?? folder;
  const shown = (path: string): string => toSlashPath(folder, path);
  const note = (path: string, result: UserFileResult, what: string): void => {
    if (result.state === "written" || result.state === "replaced") steps.push({ path: shown(path), what });
    else if (result.state === "exists") diagnostics.push(cliDiagnostics("file-kept", undefined, { path: shown(path) }));
    else if (result.state === "failed") {
      diagnostics.push(
        cliDiagnostics("cannot-write", undefined, { path: shown(path), reason: result.reason ?? "unknown" }),
      );
    }
  };
  const copy = async (
    template: string,
    target: string,
    what: string,
    { values = {}, more = "" }: { readonly values?: Readonly<Record<string, string>>; readonly more?: string } = {},
  ): Promise<void> => {
    const path = join(folder, target);
    note(path, await makeUserFile(home, path, fillPlaceholders(await readTemplate(template), values) + more), what);
  };
  const merge = async (name: string, what: string, source = name, isMade = false): Promise<void> => {
    const template = await readTemplate(`merge/${source}`);
    const addition = JSON.parse(template) as JsonObject;
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
  if (options.hook === true) await put(await preCommitHook(home, folder));
  if (repository === folder) {
    const manager = findFirstExisting([join(folder, "pnpm-lock.yaml")]) === undefined ? "npm" : "pnpm";
    // The action takes words.
    const words = named.filter((name) => /^[\w.-]+$/u.test(name));
    const more = words.length === 0 ? "" : `          configs: ${words.join(" ")}\n`;
    await copy(`workflows/${manager}.yml`, ".github/workflows/hasp.yml", "checks every pull request", { more });
    await copy("actions/hasp/action.yml", ".github/actions/hasp/action.yml", "the step that does it");
  }
  if (named.length === 0) {
    await merge("package.json", "scripts tools:check, tools:build and tools:test");
    await merge("turbo.json", "the same three as cached tasks");
  }
  await merge(".vscode/settings.json", "completes and checks specs as you type", "vscode-settings.json", true);
  for (const outDir of new Set(await findOutDirs(folder, named))) {
    await put(await gitAttributes(folder, outDir));
    for (const file of await formatterSettings(folder, outDir)) await put(file);
  }
  await put({
    path: join(folder, ".gitignore"),
    what: "what is installed, compiled or shown",
    edit: (text) => (text === undefined ? "node_modules/\ndist/\ncatalogue/\n.env\n" : undefined),
  });
  await put(await codeOwners(home, folder, options.owner));

  const width = Math.max(0, ...steps.map(({ path }) => path.length));
  const list = steps.map(({ path, what }) => `  ${printVisibleText(path.padEnd(width))}  ${printVisibleText(what)}`);
  const later =
    repository === undefined
      ? "There is no Git repository here, so no workflow was written: run `git init`, then `hasp init` again.\n"
      : "";
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
    text: `${[steps.length > 0 ? "Created:" : "Everything already exists.", ...list, "", `${later}${modules}${next}`].join("\n")}\n`,
    state: hasErrors(diagnostics) ? "unchecked" : undefined,
  };
}

/** Finds where the configurations put generated files, or where a new one would. */
async function findOutDirs(folder: string, named: readonly string[]): Promise<readonly string[]> {
  const { readProjectPlan } = await import("@hasp/project/read");
  const configs = named.length === 0 ? [undefined] : named;
  const read = configs.map((config) => readProjectPlan(folder, config));
  return (await Promise.all(read)).map(({ value: project }) => project?.plan.outDir ?? "src/generated");
}

/** Creates the Git attributes of generated files. */
async function gitAttributes(folder: string, outDir: string): Promise<InitFile> {
  const lines = fillPlaceholders(await readTemplate("merge/gitattributes"), { OUT: outDir });
  return {
    path: join(folder, ".gitattributes"),
    what: "keeps generated files out of merge conflicts",
    edit: (text) => withLines(text, lines, `/${outDir}/**`),
  };
}

/** Creates the exclusions that keep formatters from files that hasp writes: JSON has no comment that could. */
async function formatterSettings(folder: string, outDir: string): Promise<readonly InitFile[]> {
  const what = "keeps formatters from what hasp writes";
  const lines = fillPlaceholders(await readTemplate("merge/prettierignore"), { OUT: outDir });
  const biome = findFirstExisting(["biome.json", "biome.jsonc"].map((name) => join(folder, name)));
  return [
    { path: join(folder, ".prettierignore"), what, edit: (text) => withLines(text, lines, `/${outDir}/`) },
    ...(biome === undefined ? [] : [{ path: biome, what, edit: (text = "{}") => excludeInBiome(text, `!${outDir}`) }]),
  ];
}

function withLines(text: string | undefined, lines: string, mark: string): string | undefined {
  if (text === undefined || text === "") return lines;
  if (findConflict(text) !== undefined) throw new Error("it has an unresolved merge conflict");
  return text.includes(mark) ? undefined : `${text}${text.endsWith("\n") ? "\n" : "\n\n"}${lines}`;
}

/** The files of a project, beside its ledger, that decide what a tool may do. */
const DECIDING = ["hasp.*.*", "policies/", "presets/", "hasp-plugins/", "auth.yaml"];

async function codeOwners(repository: string, folder: string, owner: string | undefined): Promise<InitFile> {
  const candidates = ["CODEOWNERS", ".github/CODEOWNERS", "docs/CODEOWNERS"].map((path) => join(repository, path));
  const home = toSlashPath(repository, folder);
  const project = home === "" ? "/" : `/${home}/`;
  const ledger = `${project}hasp-ledger/`;
  const paths = [ledger, ...DECIDING.map((path) => project + path), "/.github/actions/hasp/"];
  const lines = fillPlaceholders(await readTemplate("merge/CODEOWNERS"), {
    PATHS: paths.map((path) => `${owner === undefined ? "# " : ""}${path} ${owner ?? "@your/reviewers"}`).join("\n"),
  });
  return {
    path: findFirstExisting(candidates) ?? join(repository, ".github/CODEOWNERS"),
    what: owner === undefined ? "name the owners there, and remove the #" : `${owner} owns what decides about tools`,
    edit: (text) => withLines(text, lines, ledger),
  };
}
