import { hasErrors } from "../../../../compiler/src/diagnostics/severity.js";
import { digestFile, digestText } from "../../../../compiler/src/builtin/emitters/base/module-text.js";
import { findConnectionFile } from "../../../../compiler/src/builtin/emitters/base/names.js";
import { createLayout, handlerFile } from "../../../../compiler/src/typescript/layout.js";
import type { CompilerHost } from "../../../../project/src/read/compiler-host.js";
import { createRunnableTool } from "../../../../compiler/src/run/runnable-tool.js";
import { connectionNameOf, declarationOf } from "../../../../compiler/src/model/handlers.js";
import type { CompilePlan } from "../../../../compiler/src/model/plan.js";
import type { FlatTool } from "../../../../compiler/src/model/tool.js";
import { rules } from "../../../../compiler/src/builtin/rules/index.js";
import { type GeneratedNames, chooseGeneratedNames } from "../../../../compiler/src/typescript/names.js";
import type { Invocation } from "../shell/command.js";
import type { BuildOfTool, CurrentTool, DecidingOptions } from "./current-tool.js";
import { type CompiledProject, compileProject, isCompiled } from "./project.js";

/**
 * Compiles one tool, by name or alias, with its spec, the files that it refers to, its approvals and the configuration.
 * Returns `undefined` if there is no such tool, or an error.
 */
export async function compileTool(
  invocation: Invocation<DecidingOptions>,
  name: string,
  host: CompilerHost,
): Promise<CurrentTool | undefined> {
  const named = await compileNamed(invocation, [name], host);
  const tool = named?.result.tools.find((each) => each.name === name || each.spec.aliases?.includes(name) === true);
  if (tool === undefined) return undefined;
  // Approvals are stored under the tool's name. Also read tools that claim another of its names.
  const names = [tool.name, ...(tool.spec.aliases ?? [])];
  const project = names.length === 1 ? named : await compileNamed(invocation, names, host);
  if (project === undefined || hasErrors(project.diagnostics)) return undefined;
  const { plan, diagnostics, result } = project;
  const ownNames = chooseGeneratedNames(result.tools.map((each) => each.name)).get(tool.name);
  if (ownNames === undefined) return undefined;
  const handler = handlerFile(tool, ownNames, createLayout(plan));
  return {
    tool: createRunnableTool(tool, handler, plan),
    handler,
    ...(plan.context === undefined ? {} : { contextModule: plan.context.file }),
    isUnlocked: plan.unlocked,
    diagnostics: diagnostics.filter((each) => each.tool === tool.name && !OF_PROJECT.has(each.code)),
    build: buildOf(tool, ownNames, project),
  };
}

/** The rules that compare tools with each other, and so need all of them. */
const OF_PROJECT: ReadonlySet<string> = new Set(
  rules.filter((rule) => !("checkTool" in rule || "visitTool" in rule)).map(({ id }) => id),
);

async function compileNamed(
  invocation: Invocation<DecidingOptions>,
  tools: readonly string[],
  host: CompilerHost,
): Promise<CompiledProject | undefined> {
  const project = await compileProject(invocation, {
    unlocked: invocation.options.unlocked === true,
    tools,
    host,
    emits: true,
    // Toolsets and lists do not change how a tool is called.
    adapt: (plan) => ({ ...plan, toolsets: [] }),
  });
  return isCompiled(project) ? project : undefined;
}

function declaredModules(tool: FlatTool, names: GeneratedNames, plan: CompilePlan): readonly string[] {
  const declared = declarationOf(tool.spec);
  if (declared === undefined) return [];
  const layout = createLayout(plan);
  const connection = connectionNameOf(declared);
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
    outputs: result.files.filter(({ path }) => own.has(path)).map((file) => [file.path, digestFile(file)]),
  };
}
