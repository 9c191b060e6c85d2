import { exportDiagnostics } from "../../bundles/diagnostics.js";
import { type NeededVariable, neededEnvironment } from "../../bundles/needed-environment.js";
import { type PackageField, type ProjectFacts, readFacts } from "../../bundles/project-facts.js";
import { suggestionsFor } from "../../../../compiler/src/diagnostics/closest.js";
import type { Diagnostic } from "../../../../compiler/src/diagnostics/diagnostic.js";
import { hasErrors } from "../../../../compiler/src/diagnostics/severity.js";
import { readPackageJson } from "../../../../project/src/read/project-info.js";
import { toolsetMembers } from "../../../../compiler/src/model/toolset-members.js";
import { type CompiledProject, compileProject, isCompiled } from "../project/project.js";
import type { CommandResult, Invocation } from "../shell/command.js";
import { cliDiagnostics } from "../shell/diagnostics.js";

export interface ExportOptions {
  readonly out?: string;
  readonly toolset?: string;
  readonly registry?: string;
  readonly context?: string;
  readonly allow?: readonly string[];
  readonly permit?: readonly string[];
  readonly bundle?: string;
  readonly remote?: string;
}

export interface ProjectToExport {
  readonly project: CompiledProject;
  readonly facts: ProjectFacts;
  readonly tools: CompiledProject["result"]["tools"];
  readonly environment: readonly NeededVariable[];
}

/** Compiles the project and reads what an export needs; returns the command's result if that fails. */
export async function readProjectToExport(
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
    couldNotCheck: true,
  });
  if (hasErrors(project.diagnostics)) return failed(...project.diagnostics);
  const unknown = unknownTools(project, invocation.options);
  if (unknown.length > 0) return failed(...unknown);
  const chosen = toolsOf(project, invocation.options.toolset);
  if (!("tools" in chosen)) return failed(chosen);
  const { tools } = chosen;
  const read = readPackageJson(root);
  if ("reason" in read) return failed(exportDiagnostics("no-package", undefined, { reason: read.reason }));
  const facts = readFacts(read.manifest, needs);
  if ("diagnostics" in facts) return failed(...facts.diagnostics);
  return { project, facts: facts.facts, tools, environment: neededEnvironment(tools, project.plan.connections) };
}

export function isProjectToExport(value: ProjectToExport | CommandResult): value is ProjectToExport {
  return "facts" in value;
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
