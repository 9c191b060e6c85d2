import type { CompilePlan } from "../model/plan.js";
import { type GeneratedNames, generatedNames } from "../typescript/names.js";

/** Where every file of a build goes, relative to the project's root, and what its tool is called there. */
export interface Layout {
  names(toolName: string): GeneratedNames;
  toolModule(toolName: string): string;
  handler(toolName: string): string;
  /** A list for one dialect; the toolset `all` has no folder of its own. */
  providerList(toolset: string, dialect: string, extension: "json" | "ts"): string;
  readonly sharedTypes: string;
  readonly registry: string;
  readonly losses: string;
  readonly manifest: string;
}

/** The toolset of a project that names none. */
export const wholeToolset = "all";

/** The layout of a project with these tools. */
export function createLayout(toolNames: readonly string[], plan: Pick<CompilePlan, "outDir" | "handlersDir">): Layout {
  const names = generatedNames(toolNames);
  const namesOf = (toolName: string): GeneratedNames => {
    const found = names.get(toolName);
    if (found === undefined) throw new Error(`The tool ${toolName} is not part of this build.`);
    return found;
  };
  return {
    names: namesOf,
    toolModule: (toolName) => `${plan.outDir}/tools/${namesOf(toolName).kebab}.ts`,
    handler: (toolName) => `${plan.handlersDir}/${namesOf(toolName).kebab}.ts`,
    providerList: (toolset, dialect, extension) =>
      `${plan.outDir}/${toolset === wholeToolset ? "" : `${toolset}/`}providers/${dialect}.${extension}`,
    sharedTypes: `${plan.outDir}/types.ts`,
    registry: `${plan.outDir}/registry.ts`,
    losses: `${plan.outDir}/losses.json`,
    manifest: `${plan.outDir}/manifest.json`,
  };
}

/** What one file writes to import another: relative, with the extension that the file has once it is JavaScript. */
export function importPath(from: string, to: string): string {
  const folders = from.split("/").slice(0, -1).filter((part) => part !== ".");
  const target = to.split("/").filter((part) => part !== ".");
  let shared = 0;
  while (shared < folders.length && shared < target.length - 1 && folders[shared] === target[shared]) shared += 1;
  const up = "../".repeat(folders.length - shared);
  const path = `${up === "" ? "./" : up}${target.slice(shared).join("/")}`;
  return path.replace(/(?:\.d)?\.(?<module>[cm]?)tsx?$/u, ".$<module>js");
}
