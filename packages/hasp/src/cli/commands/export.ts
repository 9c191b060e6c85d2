import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { Argument } from "commander";
import { exportDiagnostics } from "../../bundles/diagnostics.js";
import { type NeededVariable, neededEnvironment } from "../../bundles/needed-environment.js";
import { type ExportKind, httpsOf, NEEDED_FIELDS, type ProjectFacts, readFacts } from "../../bundles/project-facts.js";
import { suggestionsFor } from "../../diagnostics/closest.js";
import type { Diagnostic } from "../../diagnostics/diagnostic.js";
import { hasErrors } from "../../diagnostics/severity.js";
import { thrownText } from "../../diagnostics/thrown-text.js";
import { slashPath } from "../../host/fs/slash-path.js";
import { isObject } from "../../model/json-kind.js";
import { policyToApply, toolsetMembers } from "../../model/toolset-members.js";
import { pluralize } from "../../reporters/words.js";
import { visibleText } from "../../reporters/visible-text.js";
import { collect } from "../project/open-runtime.js";
import { type CompiledProject, compileProject, isCompiled } from "../project/project.js";
import type { CommandModule, CommandResult, Invocation } from "../shell/command.js";
import { cliDiagnostics } from "../shell/diagnostics.js";

interface ExportOptions {
  readonly out?: string;
  readonly toolset?: string;
  readonly registry?: string;
  readonly context?: string;
  readonly allow?: readonly string[];
  readonly permit?: readonly string[];
  readonly bundle?: string;
  readonly remote?: string;
}

/** `hasp export`: what makes the project's MCP server known and installable. */
export const exportServer: CommandModule = {
  configure(command) {
    command
      .addArgument(
        new Argument("<kind>", "server.json of the MCP registry, or a bundle with all that it runs").choices(
          Object.keys(NEEDED_FIELDS),
        ),
      )
      .option("--out <file>", "write here (default: server.json, or <name>-<version>.mcpb)")
      .option("--toolset <name>", "the tools of this toolset only")
      .option("--registry <file>", "for a bundle: the compiled registry (default: that of the configuration)")
      .option("--context <file#export>", "for a bundle: what handlers are given beside their input")
      .option("--allow <tool>", "for a bundle: as for serve; repeatable", collect)
      .option("--permit <tool>", "for a bundle: as for serve; repeatable", collect)
      .option("--bundle <url>", "for server-json: where the bundle will be")
      .option("--remote <url>", "for server-json: where the server runs");
  },
  run: async (invocation) => runExport(invocation as Invocation<ExportOptions>),
};

/** A project that is to be exported. */
interface Exported {
  readonly project: CompiledProject;
  readonly facts: ProjectFacts;
  readonly tools: CompiledProject["result"]["tools"];
  readonly environment: readonly NeededVariable[];
}

async function runExport(invocation: Invocation<ExportOptions>): Promise<CommandResult> {
  const kind = invocation.words[0] as ExportKind;
  const project = await compileProject(invocation);
  if (!isCompiled(project)) return project;
  const failed = (...diagnostics: readonly Diagnostic[]): CommandResult => ({
    diagnostics,
    sources: project.texts,
    root: project.root,
    couldNotCheck: true,
  });
  if (hasErrors(project.diagnostics)) return failed(...project.diagnostics);
  const unknown = unknownTools(project, invocation.options);
  if (unknown.length > 0) return failed(...unknown);
  const chosen = toolsOf(project, invocation.options.toolset);
  if (!("tools" in chosen)) return failed(chosen);
  const manifest = readManifest(project.root);
  if (typeof manifest === "string") return failed(exportDiagnostics("no-package", undefined, { reason: manifest }));
  const read = readFacts(manifest, kind);
  if ("diagnostics" in read) return failed(...read.diagnostics);
  const { facts } = read;
  const environment = neededEnvironment(chosen.tools, project.plan.connections);
  const exported = { project, facts, tools: chosen.tools, environment };
  const made = await (kind === "mcpb" ? bundleOf(invocation, exported) : registryFile(invocation, exported));
  if ("diagnostics" in made) return failed(...made.diagnostics);
  const out = invocation.options.out ?? made.name;
  const problem = await write(resolve(invocation.folder, out), out, made);
  if (problem !== undefined) return failed(problem);
  return {
    diagnostics: [],
    root: project.root,
    summary: { tools: chosen.tools.length, variables: environment.length },
    text: `${invocation.terminal.paint("good", "✓")} ${pluralize(chosen.tools.length, "tool")} in ${visibleText(out)}${environment.length === 0 ? "" : `; it asks for ${environment.map(({ name }) => name).join(", ")}`}.\n`,
  };
}

interface Product {
  /** The file's name where none is given. */
  readonly name: string;
  readonly content: string | Uint8Array;
  readonly isEarlier: (start: string) => boolean;
}
type Made = Product | { readonly diagnostics: readonly Diagnostic[] };

async function registryFile(invocation: Invocation<ExportOptions>, exported: Exported): Promise<Made> {
  const { bundle, remote } = invocation.options;
  for (const url of [bundle, remote]) {
    if (url !== undefined && httpsOf(url) === undefined) {
      return { diagnostics: [exportDiagnostics("not-an-address", undefined, { url })] };
    }
  }
  const npm = exported.facts.hasBin && !exported.facts.isPrivate;
  if (!npm && bundle === undefined && remote === undefined) {
    return { diagnostics: [exportDiagnostics("no-way-to-run", undefined, undefined)] };
  }
  const made = bundle === undefined ? undefined : await bundleOf(invocation, exported);
  if (made !== undefined && "diagnostics" in made) return made;
  const { serverJson } = await import("../../bundles/server-json.js");
  const ways = {
    npm,
    ...(remote !== undefined && { remote }),
    ...(bundle !== undefined &&
      made !== undefined && {
        bundle: { url: bundle, sha256: createHash("sha256").update(made.content).digest("hex") },
      }),
  };
  return {
    name: "server.json",
    content: `${JSON.stringify(serverJson(exported.facts, exported.environment, ways), undefined, 2)}\n`,
    isEarlier: (start) => start.includes('"$schema": "https://static.modelcontextprotocol.io/schemas/'),
  };
}

async function bundleOf({ options, folder }: Invocation<ExportOptions>, exported: Exported): Promise<Made> {
  const { project, facts, tools, environment } = exported;
  const { root, plan } = project;
  const [{ mcpbManifest }, { addProjectFile, addProjectFolder, outermostFolder }, { addInstalledPackages }, { zip }] =
    await Promise.all([
      import("../../bundles/mcpb-manifest.js"),
      import("../../host/bundles/project-files.js"),
      import("../../host/bundles/installed-packages.js"),
      import("../../host/bundles/zip.js"),
    ]);
  const [{ createLayout }, { ownFolder }, { policyBeside }] = await Promise.all([
    import("../../emitters/base/layout.js"),
    import("../../host/installation/own-package.js"),
    import("../../host/modules/load-registry.js"),
  ]);
  const registry = resolve(
    options.registry === undefined ? root : folder,
    options.registry ?? createLayout(plan).registry,
  );
  const shown = slashPath(root, registry);
  if (!/\.m?js$/u.test(registry) || !existsSync(registry)) {
    const problem = existsSync(registry) ? "is TypeScript" : "does not exist";
    return { diagnostics: [exportDiagnostics("not-javascript", undefined, { path: shown, problem })] };
  }
  const files = new Map<string, Uint8Array>();
  const [contextFile, contextName] = options.context?.split("#") ?? [];
  const ownFolders = [registry, ...(contextFile === undefined ? [] : [resolve(folder, contextFile)])];
  const atTheTop = ownFolders.find((file) => outermostFolder(root, file) === root);
  if (atTheTop !== undefined) {
    return { diagnostics: [exportDiagnostics("at-the-top", undefined, { path: slashPath(root, atTheTop) })] };
  }
  const applied = policyToApply(
    options.toolset,
    project.result.policies.map((policy) => policy.toolset),
  );
  if (applied === "unclear") return { diagnostics: [exportDiagnostics("which-policy", undefined, undefined)] };
  const { toolset: policy } = applied;
  if (policy !== undefined && !existsSync(policyBeside(registry, policy))) {
    const path = slashPath(root, policyBeside(registry, policy));
    return { diagnostics: [exportDiagnostics("not-javascript", undefined, { path, problem: "does not exist" })] };
  }
  const problems = [
    ...[...new Set(ownFolders.map((file) => outermostFolder(root, file)))].flatMap((each) =>
      addProjectFolder(root, each, files),
    ),
    ...(facts.icon === undefined ? [] : addProjectFile(root, facts.icon, files, "icon.png")),
  ];
  if (problems.length === 0) {
    problems.push(...addInstalledPackages(root, facts.dependencies, ownFolder(), files));
  }
  if (problems.length > 0) return { diagnostics: problems };
  const repeated = (option: string, names: readonly string[] = []): readonly string[] =>
    names.flatMap((name) => [option, name]);
  const context =
    contextFile === undefined
      ? []
      : [
          "--context",
          slashPath(root, resolve(folder, contextFile)) + (contextName === undefined ? "" : `#${contextName}`),
        ];
  const words = [
    ...tools.map(({ name }) => name),
    "--registry",
    shown,
    ...(policy === undefined ? [] : ["--toolset", policy]),
    ...context,
    ...repeated("--allow", options.allow),
    ...repeated("--permit", options.permit),
  ];
  const described = tools.map(({ name, spec }) => ({ name, description: spec.description }));
  const { name, version, description, type } = facts;
  const own = { name, version, description, ...(type !== undefined && { type }) };
  const json = (value: object): Uint8Array => Buffer.from(`${JSON.stringify(value, undefined, 2)}\n`);
  files.set("package.json", json(own));
  files.set("manifest.json", json(mcpbManifest(facts, environment, { words, tools: described })));
  return {
    name: `${name.replace(/^@/u, "").replace("/", "-")}-${version}.mcpb`,
    content: zip(files),
    isEarlier: (start) => start.startsWith("PK") && start.includes("manifest.json"),
  };
}

/** Names of `--allow` and `--permit` with which the server would not start. */
function unknownTools({ result }: CompiledProject, { allow = [], permit = [] }: ExportOptions): readonly Diagnostic[] {
  const known = result.tools.map(({ name }) => name);
  return [...new Set([...allow, ...permit])]
    .filter((name) => !known.includes(name))
    .map((name) => cliDiagnostics("unknown-tool", undefined, { name, nearest: suggestionsFor(name, known) }));
}

function toolsOf(
  { result, plan }: CompiledProject,
  toolset: string | undefined,
): Diagnostic | { readonly tools: CompiledProject["result"]["tools"] } {
  if (toolset === undefined) return { tools: result.tools };
  const toolsets = toolsetMembers(result.tools, plan.toolsets);
  const found = toolsets.find(({ name }) => name === toolset);
  if (found !== undefined) return found;
  const nearest = suggestionsFor(
    toolset,
    toolsets.map(({ name }) => name),
  );
  return exportDiagnostics("unknown-toolset", undefined, { name: toolset, nearest });
}

/** The project's package.json, or why there is none. */
function readManifest(root: string): { readonly [field: string]: unknown } | string {
  try {
    const manifest: unknown = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    return isObject(manifest) ? manifest : "it is not an object";
  } catch (error) {
    return thrownText(error);
  }
}

async function write(path: string, shown: string, { content, isEarlier }: Product): Promise<Diagnostic | undefined> {
  const { writeReport } = await import("../../host/output/write-report.js");
  const outcome = await writeReport(path, content, isEarlier);
  if (outcome.state === "written") return undefined;
  return outcome.state === "occupied"
    ? exportDiagnostics("over-file", undefined, { path: shown })
    : cliDiagnostics("cannot-write", undefined, { path: shown, reason: outcome.reason });
}
