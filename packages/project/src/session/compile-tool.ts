import { type Diagnostic, hasErrors } from "@hasp/base/diagnostics";
import { type RunnableTool, createRunnableTool } from "@hasp/compiler/run";
import { findConnectionName, declarationOf } from "@hasp/compiler/model";
import { digestCode, digestText, findConnectionFile, prepare, printEjectedHandler } from "@hasp/builtin";
import { createContextFor } from "@hasp/compiler/plugins";
import { createLayout, handlerFile, type GeneratedNames, chooseGeneratedNames } from "@hasp/compiler/layout";
import type { CompilerHost } from "../read/host-questions.js";
import type { CompilePlan, FlatTool } from "@hasp/compiler";
import { type CompiledProject, compileProject, type ReadSession } from "./compile-project.js";

/** The digests that prove a tool's last build. Paths are relative to the root. */
export interface BuildOfTool {
  readonly manifest: string;
  readonly isUnlocked: boolean;
  readonly spec: readonly [tool: string, digest: string];
  readonly inputs: readonly (readonly [path: string, digest: string])[];
  /** The generated files that its call needs, with the digests of their code. */
  readonly outputs: readonly (readonly [path: string, digest: string])[];
}

/** One tool of a project that may run as specified, approved and generated. Plain data. */
export interface CurrentTool {
  readonly tool: RunnableTool;
  /** Path relative to the root. */
  readonly handler: string;
  readonly contextModule?: string;
  readonly isUnlocked: boolean;
  readonly diagnostics: readonly Diagnostic[];
  readonly build: BuildOfTool;
}

export interface ToolOptions {
  readonly host: CompilerHost;
  /** True to continue without approvals. */
  readonly isUnlocked: boolean;
}

/**
 * Compiles one tool, by name or alias, with its spec, the files that it refers to, its approvals and the configuration.
 * Returns `undefined` if there is no such tool, or an error.
 */
export async function compileTool(
  session: ReadSession,
  name: string,
  { host, isUnlocked }: ToolOptions,
): Promise<CurrentTool | undefined> {
  const named = await compileNamed(session, [name], { host, isUnlocked });
  const tool = named?.result.tools.find((each) => each.name === name || each.spec.aliases?.includes(name) === true);
  if (tool === undefined) return undefined;
  // Approvals are stored under the tool's name. Also read tools that claim another of its names.
  const names = [tool.name, ...(tool.spec.aliases ?? [])];
  const project = names.length === 1 ? named : await compileNamed(session, names, { host, isUnlocked });
  if (project === undefined || hasErrors(project.diagnostics)) return undefined;
  const { plan, diagnostics, result, plugins } = project;
  const ownNames = chooseGeneratedNames(result.tools.map((each) => each.name)).get(tool.name);
  if (ownNames === undefined) return undefined;
  // Rules that compare tools with each other need all of them.
  const ofProject = new Set(
    plugins.rules.filter((rule) => !("checkTool" in rule || "visitTool" in rule)).map(({ id }) => id),
  );
  const handler = handlerFile(tool, ownNames, createLayout(plan));
  return {
    tool: createRunnableTool(tool, handler, plan, plugins.handlerKinds),
    handler,
    ...(plan.context === undefined ? {} : { contextModule: plan.context.file }),
    isUnlocked: plan.unlocked,
    diagnostics: diagnostics.filter((each) => each.tool === tool.name && !ofProject.has(each.code)),
    build: buildOf(tool, ownNames, project),
  };
}

/** Prints the declared handler of a compiled tool as a file of the user's own. Throws if the tool declares none. */
export async function printOwnHandler(
  { name }: FlatTool,
  { result, plan, plugins }: Pick<CompiledProject, "result" | "plan" | "plugins">,
): Promise<{ readonly path: string; readonly text: string }> {
  const input = { ...result, plan };
  const emitted = prepare(input, createContextFor(input, plugins)).tools.find(({ tool }) => tool.name === name);
  if (emitted === undefined) throw new Error(`${name} is not part of the build.`);
  return printEjectedHandler(emitted);
}

async function compileNamed(
  session: ReadSession,
  tools: readonly string[],
  { host, isUnlocked }: ToolOptions,
): Promise<CompiledProject | undefined> {
  const { value } = await compileProject(session, {
    unlocked: isUnlocked,
    tools,
    host,
    emits: true,
    // Toolsets and lists do not change how a tool is called.
    adapt: (plan) => ({ ...plan, toolsets: [] }),
  });
  return value;
}

function declaredModules(tool: FlatTool, names: GeneratedNames, plan: CompilePlan): readonly string[] {
  const declared = declarationOf(tool.spec);
  if (declared === undefined) return [];
  const layout = createLayout(plan);
  const connection = findConnectionName(declared);
  return [
    layout.declaredHandler(names),
    ...(connection === undefined ? [] : [findConnectionFile(connection, plan, layout).path]),
  ];
}

function buildOf(tool: FlatTool, names: GeneratedNames, { plan, sources, result }: CompiledProject): BuildOfTool {
  const layout = createLayout(plan);
  const own = new Set([layout.toolModule(names), ...declaredModules(tool, names, plan)]);
  return {
    manifest: layout.manifest,
    isUnlocked: plan.unlocked,
    spec: [tool.name, digestText(sources.find(({ uri }) => uri === tool.document.uri)?.text ?? "")],
    inputs: sources.filter(({ role }) => role === "shared").map(({ uri, text }) => [uri, digestText(text)]),
    outputs: result.files.filter(({ path }) => own.has(path)).map(({ path, text }) => [path, digestCode(text)]),
  };
}
