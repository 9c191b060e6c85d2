import { dropUndefined } from "@hasp/base/json";
import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { Argument } from "commander";
import type { JsonObject } from "@hasp/schema";
import { type Diagnostic, hasErrors, printVisibleText, pluralize } from "@hasp/base/diagnostics";
import { choosePolicy } from "@hasp/compiler/model";
import { createLayout } from "@hasp/compiler/layout";
import { createInsideCheck, isWithin, toSlashPath } from "@hasp/project";
import { findPolicyBeside } from "@hasp/project/modules";
import { readPackageJson } from "@hasp/project/read";
import { exportDiagnostics } from "../../bundles/diagnostics.js";
import {
  createMcpbManifest,
  listNeededEnvironment,
  type NeededVariable,
  createServerJson,
} from "../../bundles/manifests.js";
import { parseHttpsAddress, type PackageField, type ProjectFacts, readFacts } from "../../bundles/project-facts.js";
import { withLines, writePattern } from "../project/pattern-lines.js";
import { collect } from "../project/running.js";
import { type ReportedProject, compileProject, isCompiled } from "../project/project.js";
import type { CommandModule, CommandResult, Invocation } from "../shell/command.js";
import { cliDiagnostics } from "../shell/diagnostics.js";
import { selectTools } from "../project/tool-filters.js";
import { reportUnknownTools } from "../project/unknown-tools.js";

interface ExportedFile {
  readonly name: string;
  readonly content: JsonObject;
  /** True if the beginning of a file shows an earlier export, which may be replaced. */
  readonly isEarlier: (start: string) => boolean;
}

type ExportOutcome = ExportedFile | { readonly diagnostics: readonly Diagnostic[] };

interface ExportOptions {
  readonly out?: string;
  readonly toolset?: string;
  readonly registry?: string;
  readonly context?: string;
  readonly allow?: readonly string[];
  readonly permit?: readonly string[];
  readonly url?: string;
}

interface ProjectToExport {
  readonly project: ReportedProject;
  readonly facts: ProjectFacts;
  readonly tools: ReportedProject["result"]["tools"];
  readonly environment: readonly NeededVariable[];
}

async function readProjectToExport(
  invocation: Invocation<ExportOptions>,
  needs: readonly PackageField[],
): Promise<ProjectToExport | CommandResult> {
  const project = await compileProject(invocation);
  if (!isCompiled(project)) return project;
  const { root } = project;
  const failed = (...diagnostics: readonly Diagnostic[]): CommandResult => ({
    diagnostics,
    sources: project.texts,
    root,
    state: "unchecked",
  });
  if (hasErrors(project.diagnostics)) return failed(...project.diagnostics);
  const { toolset, allow = [], permit = [] } = invocation.options;
  const only = toolset === undefined ? {} : { toolset: [toolset] };
  const { has, unknown } = selectTools({ ...invocation, words: [], options: { ...invocation.options, only } }, project);
  const names = project.result.tools.map(({ name }) => name);
  const wrong = [...reportUnknownTools(new Set([...allow, ...permit]), names), ...unknown];
  if (wrong.length > 0) return failed(...wrong);
  const tools = project.result.tools.filter(has);
  const read = readPackageJson(root);
  if ("reason" in read) return failed(exportDiagnostics("no-package", undefined, { reason: read.reason }));
  const facts = readFacts(read.manifest, needs);
  if ("diagnostics" in facts) return failed(...facts.diagnostics);
  return { project, facts: facts.facts, tools, environment: listNeededEnvironment(tools, project.plan.connections) };
}

function isProjectToExport(value: ProjectToExport | CommandResult): value is ProjectToExport {
  return "facts" in value;
}

function bundleManifest(
  { project, facts, tools, environment }: ProjectToExport,
  { options, folder }: Invocation<ExportOptions>,
): ExportOutcome {
  const { root, plan, result } = project;
  const registry =
    options.registry === undefined ? resolve(root, createLayout(plan).registry) : resolve(folder, options.registry);
  const [contextFile, contextName] = options.context?.split("#") ?? [];
  const context = contextFile === undefined ? undefined : resolve(folder, contextFile);
  const applied = choosePolicy(
    options.toolset,
    result.policies.map((policy) => policy.toolset),
  );
  if (applied === "unclear") return { diagnostics: [exportDiagnostics("which-policy")] };
  const { toolset: policy } = applied;
  const modules = [registry, policy === undefined ? undefined : findPolicyBeside(registry, policy), context];
  // Report one problem only: a policy lies beside its registry.
  const problem = modules.flatMap((module) => (module === undefined ? [] : (problemOf(root, module) ?? [])))[0];
  if (problem !== undefined) return { diagnostics: [problem] };
  const { icon, isHaspForDevelopment } = facts;
  if (isHaspForDevelopment) return { diagnostics: [exportDiagnostics("without-hasp")] };
  if (icon !== undefined && !createInsideCheck(root)(icon)) {
    return { diagnostics: [exportDiagnostics("outside", undefined, { path: icon })] };
  }
  const contextWord = context && toSlashPath(root, context) + (contextName === undefined ? "" : `#${contextName}`);
  const words = [
    ...tools.map(({ name }) => name),
    ...optionWords("--registry", toSlashPath(root, registry)),
    ...optionWords("--toolset", policy),
    ...optionWords("--context", contextWord),
    ...optionWords("--allow", ...(options.allow ?? [])),
    ...optionWords("--permit", ...(options.permit ?? [])),
  ];
  const described = tools.map((tool) => ({ name: tool.name, description: tool.spec.description }));
  return {
    name: "manifest.json",
    content: createMcpbManifest(facts, environment, { words, tools: described }),
    isEarlier: (start) => start.includes('"manifest_version": "0.'),
  };
}

/** Finds out why a packed server could not load a module. */
function problemOf(root: string, module: string): Diagnostic | undefined {
  const path = toSlashPath(root, module);
  if (!existsSync(module)) return exportDiagnostics("not-javascript", undefined, { variant: "missing", path });
  if (!/\.[cm]?js$/u.test(module)) return exportDiagnostics("not-javascript", undefined, { variant: "other", path });
  return createInsideCheck(root)(path) ? undefined : exportDiagnostics("outside", undefined, { path });
}

function optionWords(option: string, ...values: readonly (string | undefined)[]): readonly string[] {
  return values.flatMap((value) => (value === undefined ? [] : [option, value]));
}

function serverJson(
  { facts, environment }: ProjectToExport,
  { options: { url } }: Invocation<ExportOptions>,
): ExportOutcome {
  if (url !== undefined && parseHttpsAddress(url) === undefined) {
    return { diagnostics: [exportDiagnostics("not-an-address", undefined, { url })] };
  }
  const npm = facts.hasBin && !facts.isPrivate;
  if (!npm && url === undefined) return { diagnostics: [exportDiagnostics("no-way-to-run")] };
  return {
    name: "server.json",
    content: createServerJson(facts, environment, { npm, ...dropUndefined({ remote: url }) }),
    isEarlier: (start) => start.includes('"$schema": "https://static.modelcontextprotocol.io/schemas/'),
  };
}

interface ExportForm {
  readonly needs: readonly PackageField[];
  /** True if a bundle is made of the folder that holds the file. */
  readonly isPacked: boolean;
  make(exported: ProjectToExport, invocation: Invocation<ExportOptions>): ExportOutcome;
}

type ExportKind = "server-json" | "mcpb";

const EXPORT_KINDS: { readonly [kind in ExportKind]: ExportForm } = {
  "server-json": { needs: ["mcpName"], isPacked: false, make: serverJson },
  mcpb: { needs: ["author"], isPacked: true, make: bundleManifest },
};

export const exportServer: CommandModule = {
  configure(command) {
    command
      .addArgument(
        new Argument("<kind>", "server.json of the MCP registry, or manifest.json of a bundle").choices(
          Object.keys(EXPORT_KINDS),
        ),
      )
      .option("--out <file>", "write to this file (default: server.json, or manifest.json)")
      .option("--toolset <name>", "export the tools of this toolset only")
      .option("--registry <file>", "for a bundle: the compiled registry (default: that of the configuration)")
      .option("--context <file#export>", "for a bundle: what handlers receive besides their input")
      .option("--allow <tool>", "for a bundle: as for serve; repeatable", collect)
      .option("--permit <tool>", "for a bundle: as for serve; repeatable", collect)
      .option("--url <address>", "for server-json: the address at which the server runs");
  },
  run: runExport,
};

async function runExport(invocation: Invocation<ExportOptions>): Promise<CommandResult> {
  const kind = EXPORT_KINDS[invocation.words[0] as ExportKind];
  const exported = await readProjectToExport(invocation, kind.needs);
  if (!isProjectToExport(exported)) return exported;
  const { project, tools, environment } = exported;
  const failed = (diagnostics: readonly Diagnostic[]): CommandResult => ({
    diagnostics,
    root: project.root,
    state: "unchecked",
  });
  const file = kind.make(exported, invocation);
  if ("diagnostics" in file) return failed(file.diagnostics);
  const out = invocation.options.out ?? file.name;
  const path = resolve(invocation.folder, out);
  const problem =
    (kind.isPacked ? await keepCallsOut(project, dirname(path)) : undefined) ?? (await write(path, out, file));
  if (problem !== undefined) return failed([problem]);
  const asksFor = environment.length === 0 ? "" : `; clients ask for ${environment.map(({ name }) => name).join(", ")}`;
  return {
    diagnostics: [],
    root: project.root,
    summary: { tools: tools.length, variables: environment.length },
    text: `${invocation.terminal.paint("good", "✓")} ${pluralize(tools.length, "tool")} in ${printVisibleText(out)}${asksFor}.\n`,
  };
}

/** Keeps stored calls and their results out of a bundle: git ignores their folder, and `mcpb pack` does not ask git. */
async function keepCallsOut({ root, callStore }: ReportedProject, packed: string): Promise<Diagnostic | undefined> {
  if (callStore === undefined || !("files" in callStore)) return undefined;
  const folder = resolve(root, callStore.files);
  if (folder === packed || !isWithin(packed, folder)) return undefined;
  const { editUserFile } = await import("@hasp/project/output");
  const pattern = writePattern(`/${toSlashPath(packed, folder)}/`);
  const path = join(packed, ".mcpbignore");
  const result = await editUserFile(packed, path, (text) =>
    withLines(text, `# Calls of this machine, and their results.\n${pattern}\n`, pattern),
  );
  if (result.state !== "failed") return undefined;
  return cliDiagnostics("cannot-write", undefined, { path: ".mcpbignore", reason: result.reason });
}

async function write(
  path: string,
  shown: string,
  { content, isEarlier }: ExportedFile,
): Promise<Diagnostic | undefined> {
  const { writeReport } = await import("@hasp/project/output");
  const outcome = await writeReport(path, `${JSON.stringify(content, undefined, 2)}\n`, isEarlier);
  if (outcome.state === "written") return undefined;
  return outcome.state === "occupied"
    ? exportDiagnostics("over-file", undefined, { path: shown })
    : cliDiagnostics("cannot-write", undefined, { path: shown, reason: outcome.reason });
}
