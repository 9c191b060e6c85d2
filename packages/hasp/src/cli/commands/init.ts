import { existsSync } from "node:fs";
import { indexBy } from "@hasp/base/json";
import { dirname, join } from "node:path";
import { Option } from "commander";
import { hasErrors, joinList, printVisibleText } from "@hasp/base/diagnostics";
import { toSlashPath } from "@hasp/project";
import { findConfigs, findFirstExisting, findUp, readPackageJson } from "@hasp/project/read";
import { findConfigAbove, findEditorSchemaPath } from "@hasp/project/session";
import { describeTasks, type FoundConfiguration, readConfiguration } from "../init/configurations.js";
import { mergeHook, preCommitHook } from "../init/hooks.js";
import { agentsSection, codeOwners, formatterSettings, gitAttributes } from "../init/shared-files.js";
import { FileWriter } from "../init/write-files.js";
import { findConfigsBelow } from "../project/run-all.js";
import type { CommandModule, CommandResult, Invocation } from "../shell/command.js";
import { cliDiagnostics } from "../shell/diagnostics.js";
import { AGENTS } from "../shell/options.js";

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

async function runInit({ options, folder }: Invocation<InitOptions>): Promise<CommandResult> {
  // Beside configurations with names of their own, and above those of packages, another would read the same specs.
  const named =
    findConfigs(folder).length > 0
      ? []
      : await Promise.all(findConfigsBelow(folder).map(async (config) => readConfiguration(folder, config)));
  const repository = findUp(folder, ".git");
  const home = repository ?? folder;
  const writer = new FileWriter(folder, home);
  const above = findConfigAbove(folder);
  if (above !== undefined) {
    writer.diagnostics.push(cliDiagnostics("project-above", undefined, { path: toSlashPath(folder, above) }));
  }
  if (named.length === 0) await writer.copy("init/hasp.config.yaml", "hasp.config.yaml", "what is read and written");
  if (options.example === true) {
    const values = { SCHEMA: findEditorSchemaPath(folder, join(folder, "specs")) };
    await writer.copy("example/specs/count_words.tool.yaml", "specs/count_words.tool.yaml", "a first tool", { values });
    await writer.copy("example/src/tools/count-words.ts", "src/tools/count-words.ts", "its handler");
  }
  if (options.for !== undefined) await writer.put(await agentsSection(folder));
  const all = named.length === 0 ? [await readConfiguration(folder)] : named;
  if (options.hook === true) {
    const hook = await preCommitHook(home, folder);
    await writer.put(hook);
    if (hook.isProgram === true) await writer.put(await mergeHook(home, folder, all));
  }
  if (repository === folder) await writeWorkflow(writer, folder, named, all);
  if (named.length === 0) await writer.merge("package.json", "scripts tools:check, tools:build and tools:test");
  const tasks = {
    turbo: "the same three as tasks; all but tools:check are cached",
    nx: "tools:build as a cached task",
  };
  for (const runner of ["turbo", "nx"] as const) {
    await writer.merge(`${runner}.json`, tasks[runner], {
      adapt: (template) => describeTasks(template, runner, folder, all),
    });
  }
  const settings = { source: "vscode-settings.json", isMade: true };
  await writer.merge(".vscode/settings.json", "completes and checks specs as you type", settings);
  for (const outDir of new Set(all.map((each) => each.outDir))) {
    await writer.put(await gitAttributes(folder, outDir));
    for (const file of await formatterSettings(folder, outDir)) await writer.put(file);
  }
  await writer.put({
    path: join(folder, ".gitignore"),
    what: "what is installed, compiled or shown",
    edit: (text) => (text === undefined ? "node_modules/\ndist/\ncatalogue/\n.env\n" : undefined),
  });
  const homes = named.map(({ path }) => join(folder, dirname(path)));
  const files = all.flatMap((each) => each.settings.map((path) => join(folder, path)));
  await writer.put(await codeOwners(home, homes.length === 0 ? [folder] : [...new Set(homes)], files, options.owner));
  const later = remindOfWorkflow(folder, repository);
  const next =
    options.example === true
      ? "Next: `hasp build`."
      : "Next: `hasp new <name> --kind read`, or `hasp import openapi <file>`.";
  return reportWritten(writer, `${later}${describeBroken(all)}${describeModules(folder)}${next}`);
}

/** Says where the workflow is written, if it is not written here. */
function remindOfWorkflow(folder: string, repository: string | undefined): string {
  if (repository === undefined) {
    return "There is no Git repository here, so no workflow was written: run `git init`, then `hasp init` again.\n";
  }
  if (repository === folder || existsSync(join(repository, ".github/workflows/hasp.yml"))) return "";
  const root = printVisibleText(toSlashPath(folder, repository));
  return `There is no workflow yet: install hasp in the root of the repository (${root}) as well, and run \`hasp init\` there.\n`;
}

/** Writes the workflow of GitHub that checks pull requests. */
async function writeWorkflow(
  writer: FileWriter,
  folder: string,
  named: readonly FoundConfiguration[],
  all: readonly FoundConfiguration[],
): Promise<void> {
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
  await writer.copy(workflow, ".github/workflows/hasp.yml", "checks every pull request", { values, edit });
  await writer.copy("actions/hasp/action.yml", ".github/actions/hasp/action.yml", "the step that does it");
}

/** Runs a workflow again after a review, which may be the approval that it lacks. */
const AFTER_REVIEWS = "  pull_request_review:\n    types: [submitted, dismissed]\n";

function findManager(folder: string): { readonly name: string; readonly install: string } {
  const has = (name: string): boolean => findFirstExisting([join(folder, name)]) !== undefined;
  if (has("pnpm-lock.yaml")) return { name: "pnpm", install: "pnpm install --frozen-lockfile" };
  if (!has("yarn.lock")) return { name: "npm", install: "npm ci" };
  return { name: "yarn", install: `yarn install ${has(".yarnrc.yml") ? "--immutable" : "--frozen-lockfile"}` };
}

function describeBroken(all: readonly FoundConfiguration[]): string {
  const broken = all.filter(({ isBroken }) => isBroken).map(({ path }) => printVisibleText(path));
  return broken.length === 0
    ? ""
    : `What ${joinList(broken)} names is not covered yet: run \`hasp check --all\`, then \`hasp init\` again.\n`;
}

function describeModules(folder: string): string {
  const read = readPackageJson(folder);
  return "manifest" in read && read.manifest["type"] !== "module"
    ? "Generated files are ES modules, but package.json does not say so: run `npm pkg set type=module`.\n"
    : "";
}

function reportWritten({ steps, diagnostics }: FileWriter, next: string): CommandResult {
  if (steps.length === 0 && hasErrors(diagnostics)) {
    return { diagnostics, summary: { written: [] }, text: "Nothing was created.\n", state: "unchecked" };
  }
  const width = Math.max(0, ...steps.map(({ path }) => path.length));
  // Several projects may add lines to one file.
  const list = [...indexBy(steps, ({ path }) => path).values()].map(
    ({ path, what }) => `  ${printVisibleText(path.padEnd(width))}  ${printVisibleText(what)}`,
  );
  return {
    diagnostics,
    summary: { written: steps.map(({ path }) => path) },
    text: `${[steps.length > 0 ? "Created:" : "Everything already exists.", ...list, "", next].join("\n")}\n`,
    state: hasErrors(diagnostics) ? "unchecked" : undefined,
  };
}
