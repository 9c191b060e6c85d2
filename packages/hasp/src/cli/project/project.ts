import { basename } from "node:path";
import type { Diagnostic } from "@hasp/base/diagnostics";
import { once } from "@hasp/base/json";
import type { BuildFacts } from "@hasp/report";
import { type CommandResult, type Invocation, refuse } from "../shell/command.js";
import {
  type CompiledProject,
  compileProject as compile,
  type FoundInTexts,
  type ProjectOptions,
  refuseUnlocked as refusalOf,
  type ReadSession,
} from "@hasp/project/session";

/** A compiled project with what reports print of it. */
export interface ReportedProject extends CompiledProject {
  readonly facts: BuildFacts;
}

export function findNamedConfig({ options, terminal }: Pick<Invocation, "options" | "terminal">): string | undefined {
  return options.config ?? terminal.environment["HASP_CONFIG"];
}

/** Returns the project of an invocation as the functions behind the command line take it. */
export function createSession({ root, options, terminal, cache }: Invocation): ReadSession {
  const config = findNamedConfig({ options, terminal });
  return {
    root,
    config: config && basename(config),
    environment: terminal.environment,
    isExact: options.exact,
    onProgress: terminal.progress.report,
    cache,
  };
}

export function refuseUnlocked(invocation: Invocation, unlocked: boolean): CommandResult | undefined {
  const refusal = refusalOf(createSession(invocation), unlocked);
  return refusal && refuse(refusal);
}

/** Reads and compiles the project of an invocation, or explains why it cannot. */
export async function compileProject(
  invocation: Invocation,
  options: ProjectOptions = {},
): Promise<ReportedProject | CommandResult> {
  const { value, ...found } = await compile(createSession(invocation), options);
  if (value === undefined) return refuseFound(found, invocation);
  return addFacts(value, options.emits === true);
}

/** Adds what reports print; `tokens` also counts what the lists for providers cost. */
export async function addFacts(project: CompiledProject, tokens: boolean): Promise<ReportedProject> {
  const { buildFacts } = await import("@hasp/report");
  const facts = once(() => buildFacts(project.result, project.plan, { tokens }));
  return {
    ...project,
    get facts() {
      return facts();
    },
  };
}

/** Returns the result of a command that could not do its work, with the texts of its findings. */
export function refuseFound(
  { diagnostics, texts }: Pick<FoundInTexts<unknown>, "texts"> & { readonly diagnostics: readonly Diagnostic[] },
  { root }: Pick<Invocation, "root">,
): CommandResult {
  return { diagnostics, sources: texts, root, state: "unchecked" };
}

export function isCompiled(project: ReportedProject | CommandResult): project is ReportedProject {
  return "result" in project;
}
