import { dropUndefined } from "@hasp/base/json";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Diagnostic, hasErrors, isError } from "@hasp/base/diagnostics";
import { createLayout } from "@hasp/compiler/layout";
import type { OutputFile } from "@hasp/compiler";
import { serveDiagnostics } from "../diagnostics.js";
import type { ServedTool } from "./served-tools.js";
import {
  compileProject,
  type FoundInTexts,
  refuseUnlocked,
  type ReadSession,
  openRunCache,
  type RunRecord,
} from "@hasp/project/session";

/** The data that binds tools to handlers; absent if only generated code has it. */
interface KeptTools {
  readonly served?: readonly ServedTool[];
}

export interface CurrentProject extends Pick<RunRecord, "callStore" | "diagnostics" | "toolsets">, KeptTools {
  readonly instructions: string | undefined;
  readonly root: string;
  readonly isUnlocked: boolean;
  readonly registry: string;
  readonly contextModule: string | undefined;
  readonly policies: ReadonlyMap<string, string>;
}

/** The way in which tools are to run. */
export interface RunMode {
  /** True to continue without approvals. */
  readonly isUnlocked: boolean;
  /** False if no earlier run may answer. */
  readonly isCached: boolean;
  /** True if no generated code runs: none is compared. */
  readonly withoutHandlers?: boolean;
  /** Called when the results have been saved. */
  readonly onSaved: () => void;
}

/** Returns findings in place of a value. */
export function refuse(
  diagnostics: readonly Diagnostic[],
  texts: ReadonlyMap<string, string> = new Map(),
): FoundInTexts<undefined> {
  return { value: undefined, diagnostics, texts };
}

/**
 * Compiles the project and compares its generated code with the specs, unless an earlier run did so and no text (spec,
 * configuration, generated code) has changed since. Ignores modification times. Without a value, its tools may not run,
 * and the findings say why.
 */
export async function ensureCurrentProject(
  session: ReadSession,
  { isUnlocked, isCached, withoutHandlers = false, onSaved }: RunMode,
): Promise<FoundInTexts<CurrentProject | undefined>> {
  const { root } = session;
  const refusal = refuseUnlocked(session, isUnlocked);
  if (refusal !== undefined) return refuse([refusal]);
  const runs = openRunCache<KeptTools>(session, {
    command: withoutHandlers ? "judge calls" : "run tools",
    settings: [
      ["unlocked", isUnlocked],
      ["exact", session.isExact ?? null],
    ],
    isCached,
    onSaved,
  });
  const last = await runs.lastRun();
  if (last?.upToDate !== undefined) return currentProject(last, root, isUnlocked, last.texts);

  const { value: project, ...found } = await compileProject(session, {
    unlocked: isUnlocked,
    emits: true,
    host: runs.host,
    cache: runs.tools,
  });
  if (project === undefined) return refuse(found.diagnostics, found.texts);
  const { texts, result, plan, plugins } = project;
  const run = result.files.filter(isRun);
  if (!withoutHandlers && !hasErrors(project.diagnostics) && !existsSync(join(root, createLayout(plan).manifest))) {
    return refuse([serveDiagnostics("not-built")]);
  }
  const drifted = withoutHandlers || hasErrors(project.diagnostics) ? [] : await drifts(root, plan.outDir, run);
  const diagnostics = [...project.diagnostics, ...drifted];
  if (hasErrors(diagnostics)) return refuse(diagnostics.filter(isError), texts);
  const { listServedTools } = await import("./served-tools.js");
  const served = listServedTools(result, plan, plugins.handlerKinds);
  const record = runs.save(
    { ...project, diagnostics, result: { ...result, files: run } },
    served === undefined ? {} : { served },
  );
  return currentProject(record, root, isUnlocked, texts);
}

function currentProject(
  { plan, callStore, toolsets, outputs, diagnostics, served }: RunRecord & KeptTools,
  root: string,
  isUnlocked: boolean,
  texts: ReadonlyMap<string, string>,
): FoundInTexts<CurrentProject> {
  const layout = createLayout(plan);
  const written = new Set(outputs.map(({ path }) => path));
  const modules = toolsets.map(({ name }) => [name, layout.policy(name)] as const);
  const value: CurrentProject = {
    root,
    registry: layout.registry,
    contextModule: plan.context?.file,
    instructions: plan.instructions,
    policies: new Map(modules.filter(([, path]) => written.has(path))),
    toolsets,
    diagnostics,
    isUnlocked,
    ...dropUndefined({ callStore, served }),
  };
  return { value, diagnostics, texts };
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
