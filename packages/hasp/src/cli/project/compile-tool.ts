import { join } from "node:path";
import { hasErrors } from "../../diagnostics/severity.js";
import type { Diagnostic } from "../../diagnostics/diagnostic.js";
import { digestOfText } from "../../emitters/base/digest.js";
import { createLayout, type Layout } from "../../emitters/base/layout.js";
import { isUnedited, readTextIfThere } from "../../host/output/previous-manifest.js";
import { interruptedManifests } from "../../host/output/temp-files.js";
import { ownMember } from "../../model/own.js";
import type { FlatTool } from "../../model/tool.js";
import { rules } from "../../rules/index.js";
import { type GeneratedNames, generatedNames } from "../../typescript/names.js";
import type { Invocation } from "../shell/command.js";
import { type CompiledProject, compileProject, isCompiled } from "./project.js";

/** One tool of a project that may run: what its spec says, somebody approved, and the last build generated. */
export interface CurrentTool {
  readonly root: string;
  readonly tool: FlatTool;
  /** The module of its handler, relative to the root. */
  readonly handler: string;
  /** The module of the handlers' context, relative to the root; `undefined` where the configuration names none. */
  readonly contextModule: string | undefined;
  readonly isUnlocked: boolean;
  /** What was found of this tool and stops nothing. */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Compiles one tool, by its name or an alias, with what it needs of the project: its spec, the files to which that
 * leads, its approvals, the configuration. Returns `undefined` where this does not settle that the tool may run, so that
 * the project must tell: there is no such tool, something has an error, or a build has other files to write.
 */
export async function compileTool(
  invocation: Invocation<{ readonly unlocked?: boolean }>,
  name: string,
): Promise<CurrentTool | undefined> {
  const named = await compileNamed(invocation, [name]);
  const tool = named?.result.tools.find((each) => each.name === name || each.spec.aliases?.includes(name) === true);
  if (tool === undefined) return undefined;
  // Its approvals stand under its name, and another tool may claim another of its names: those are read, too.
  const names = [tool.name, ...(tool.spec.aliases ?? [])];
  const project = names.length === 1 ? named : await compileNamed(invocation, names);
  if (project === undefined || hasErrors(project.diagnostics)) return undefined;
  const ownNames = generatedNames(project.result.tools.map((each) => each.name)).get(tool.name);
  if (ownNames === undefined || !isBuilt(tool, ownNames, project)) return undefined;
  const { root, plan, diagnostics } = project;
  return {
    root,
    tool,
    handler: createLayout(plan).handler(ownNames),
    contextModule: plan.context?.file,
    isUnlocked: plan.unlocked,
    diagnostics: diagnostics.filter((each) => each.tool === tool.name && !OF_PROJECT.has(each.code)),
  };
}

/** Rules that compare tools with each other; where some are not read, what they find says nothing. */
const OF_PROJECT: ReadonlySet<string> = new Set(rules.filter(({ scope }) => scope === "project").map(({ id }) => id));

/** Compiles what may have one of these names; `undefined` where the project cannot be read. */
async function compileNamed(
  invocation: Invocation<{ readonly unlocked?: boolean }>,
  tools: readonly string[],
): Promise<CompiledProject | undefined> {
  const project = await compileProject(invocation, {
    unlocked: invocation.options.unlocked === true,
    tools,
    // A tool is called by its own name and input, whatever toolsets and lists it is in.
    adapt: (plan) => ({ ...plan, toolsets: [] }),
  });
  return isCompiled(project) ? project : undefined;
}

/**
 * Whether the last build read this very spec, these shared files and this configuration, and nobody has changed what it
 * generated from them for the tool. Nothing generated is run here: this only tells whether it is up to date.
 */
function isBuilt(tool: FlatTool, names: GeneratedNames, { root, plan, sources }: CompiledProject): boolean {
  const layout = createLayout(plan);
  if (interruptedManifests(root, layout.manifest).length > 0) return false;
  const manifest = manifestIn(root, layout);
  const inputs = [
    ...Object.entries(plan.configDigests ?? {}),
    ...sources
      .filter(({ uri, role }) => role === "shared" || uri === tool.document.uri)
      .map(({ uri, text }) => [uri, digestOfText(text)] as const),
  ];
  const outputs = [layout.registry, layout.toolModule(names)];
  return (
    ownMember(manifest, "unlocked") === (plan.unlocked || undefined) &&
    inputs.every(([path, digest]) => ownMember(ownMember(manifest, "inputs"), path) === digest) &&
    outputs.every((path) => {
      const digest = ownMember(ownMember(manifest, "outputs"), path);
      const text = readTextIfThere(join(root, path));
      return text !== undefined && typeof digest === "string" && isUnedited(text, [digest]);
    })
  );
}

function manifestIn(root: string, layout: Layout): unknown {
  try {
    return JSON.parse(readTextIfThere(join(root, layout.manifest)) ?? "null");
  } catch {
    return undefined;
  }
}
