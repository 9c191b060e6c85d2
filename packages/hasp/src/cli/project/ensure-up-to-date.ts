import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Diagnostic, hasErrors, isError } from "@hasp/base/diagnostics";
import { createLayout } from "@hasp/compiler/layout";
import type { OutputFile } from "@hasp/compiler";
import { serveDiagnostics } from "../../mcp-server/diagnostics.js";
import type { Invocation, CommandResult } from "../shell/command.js";
import { compileProject, isCompiled, locateProject, refuseUnlocked } from "./project.js";
import { type CacheOption, openRunCache, type RunRecord } from "./run-cache.js";

export interface CurrentProject extends Pick<RunRecord, "callStore" | "diagnostics" | "toolsets" | "served"> {
  readonly root: string;
  readonly isUnlocked: boolean;
  readonly registry: string;
  readonly contextModule: string | undefined;
  readonly policies: ReadonlyMap<string, string>;
}

/**
 * Compiles the project and compares its generated code with the specs, unless an earlier run did so and no text (spec,
 * configuration, generated code) has changed since. Ignores modification times. With `withoutHandlers`, neither runs
 * nor compares generated code.
 */
export async function ensureCurrentProject(
  invocation: Invocation<CacheOption & { readonly unlocked?: boolean }>,
  withoutHandlers: boolean = false,
): Promise<CurrentProject | CommandResult> {
  const { cache, config, cwd, exact, unlocked = false } = invocation.options;
  const refusal = refuseUnlocked(invocation, unlocked);
  if (refusal !== undefined) return refusal;
  // Other options change the run, not the project.
  const told = Object.entries({ cache, config, cwd, exact, unlocked }).filter(([, value]) => value !== undefined);
  const plain = { ...invocation, options: { format: invocation.options.format, ...Object.fromEntries(told) } };
  const runs = openRunCache(plain, withoutHandlers ? "judge calls" : "run tools");
  const last = await runs.lastRun();
  if (last?.upToDate !== undefined) return projectOf(last, locateProject(invocation).root, unlocked);

  const project = await compileProject(invocation, {
    unlocked,
    emits: true,
    host: runs.host,
    cache: runs.tools,
  });
  if (!isCompiled(project)) return project;
  const { root, texts, result, plan } = project;
  const run = result.files.filter(isRun);
  if (!withoutHandlers && !hasErrors(project.diagnostics) && !existsSync(join(root, createLayout(plan).manifest))) {
    return { diagnostics: [serveDiagnostics("not-built", undefined, undefined)], root, state: "unchecked" };
  }
  const found = withoutHandlers || hasErrors(project.diagnostics) ? [] : await drifts(root, plan.outDir, run);
  const diagnostics = [...project.diagnostics, ...found];
  if (hasErrors(diagnostics)) {
    return { diagnostics: diagnostics.filter(isError), sources: texts, root, state: "unchecked" };
  }
  const { listServedTools } = await import("../../mcp-server/served-tools.js");
  const served = listServedTools(result, plan);
  const record = runs.save(
    { ...project, diagnostics, result: { ...result, files: run } },
    served === undefined ? {} : { served },
  );
  return projectOf(record, root, unlocked);
}

export function isCurrent(project: CurrentProject | CommandResult): project is CurrentProject {
  return "registry" in project;
}

function projectOf(
  { plan, callStore, toolsets, outputs, diagnostics, served }: RunRecord,
  root: string,
  isUnlocked: boolean,
): CurrentProject {
  const layout = createLayout(plan);
  const written = new Set(outputs.map(({ path }) => path));
  const modules = toolsets.map(({ name }) => [name, layout.policy(name)] as const);
  return {
    root,
    registry: layout.registry,
    contextModule: plan.context?.file,
    policies: new Map(modules.filter(([, path]) => written.has(path))),
    toolsets,
    diagnostics,
    isUnlocked,
    ...(callStore === undefined ? {} : { callStore }),
    ...(served === undefined ? {} : { served }),
  };
}

/** True for executed code. Only that matters here: a missing provider list must not block a call. */
function isRun({ path }: OutputFile): boolean {
  return path.endsWith(".ts") && !path.includes("/providers/");
}

async function drifts(root: string, outDir: string, files: readonly OutputFile[]): Promise<readonly Diagnostic[]> {
  const { checkFiles } = await import("@hasp/project/output");
  return checkFiles(files, { root, outDir }).diagnostics.filter(
    ({ code }) => code !== "drift/leftover" && code !== "drift/stranger",
  );
}
