import { existsSync } from "node:fs";
import { exportDiagnostics } from "../diagnostics.js";
import type { ProjectFacts } from "../project-facts.js";
import type { Diagnostic } from "../../../../compiler/src/diagnostics/diagnostic.js";
import { slashPath } from "../../../../project/src/fs/slash-path.js";
import { ownFolder } from "../../../../project/src/installation/own-package.js";
import { addInstalledPackages } from "./installed-packages.js";
import { addProjectFile, addProjectFolder, type BundleFiles, outermostFolder } from "./project-files.js";

/** Absolute paths of the modules that a bundled server starts from. */
interface StartingModules {
  readonly registry: string;
  readonly policy: string | undefined;
  readonly context: string | undefined;
}

/** Collects the files of a bundle: the folders of these modules, the icon, hasp and the other installed packages. */
export function bundledFiles(
  root: string,
  { icon, dependencies }: Pick<ProjectFacts, "icon" | "dependencies">,
  { registry, policy, context }: StartingModules,
): BundleFiles | { readonly diagnostics: readonly Diagnostic[] } {
  const modules = [registry, policy, context].filter((module) => module !== undefined);
  // One problem is enough: a policy is beside its registry.
  const unfit = modules.map((module) => problemOf(root, module)).find((problem) => problem !== undefined);
  if (unfit !== undefined) return { diagnostics: [unfit] };
  const files: BundleFiles = new Map();
  const diagnostics: Diagnostic[] = [];
  for (const folder of new Set(modules.map((module) => outermostFolder(root, module)))) {
    diagnostics.push(...addProjectFolder(root, folder, files));
  }
  if (icon !== undefined) diagnostics.push(...addProjectFile(root, icon, files, "icon.png"));
  if (diagnostics.length === 0) diagnostics.push(...addInstalledPackages(root, dependencies, ownFolder(), files));
  return diagnostics.length === 0 ? files : { diagnostics };
}

/** Explains why a bundle cannot start from a module. */
function problemOf(root: string, module: string): Diagnostic | undefined {
  const path = slashPath(root, module);
  if (!existsSync(module)) return exportDiagnostics("not-javascript", undefined, { variant: "missing", path });
  if (!/\.[cm]?js$/u.test(module)) return exportDiagnostics("not-javascript", undefined, { variant: "other", path });
  return outermostFolder(root, module) === root ? exportDiagnostics("at-the-top", undefined, { path }) : undefined;
}
