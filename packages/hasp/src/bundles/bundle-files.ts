import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { zipSync } from "fflate";
import type { Diagnostic } from "@hasp/base/diagnostics";
import { describeOddity, createInsideCheck, toSlashPath, ownFolder } from "@hasp/project";
import { exportDiagnostics } from "./diagnostics.js";
import type { ProjectFacts } from "./project-facts.js";
import { addInstalledPackages, NOT_RUN, type BundleFiles } from "./installed-packages.js";

/** The first file of a bundle; clients expect the manifest there. */
const FIRST = "manifest.json";

/** Packs files reproducibly: sorted, and all with the earliest date that the format allows. */
export function zip(files: BundleFiles): Uint8Array {
  const paths = [...files.keys()].toSorted((one, other) =>
    one === FIRST ? -1 : other === FIRST ? 1 : one < other ? -1 : 1,
  );
  return zipSync(Object.fromEntries(paths.map((path) => [path, files.get(path) ?? new Uint8Array()])), {
    mtime: new Date(1980, 0, 1),
    level: 6,
  });
}

interface StartingModules {
  readonly registry: string;
  readonly policy: string | undefined;
  readonly context: string | undefined;
}

/** Collects the files of a bundle: the folders of these modules, the icon, hasp and the other installed packages. */
export function listBundledFiles(
  root: string,
  { icon, dependencies }: Pick<ProjectFacts, "icon" | "dependencies">,
  { registry, policy, context }: StartingModules,
): BundleFiles | { readonly diagnostics: readonly Diagnostic[] } {
  const modules = [registry, policy, context].filter((module) => module !== undefined);
  // Report one problem only: a policy lies beside its registry.
  const unfit = modules.map((module) => problemOf(root, module)).find((problem) => problem !== undefined);
  if (unfit !== undefined) return { diagnostics: [unfit] };
  const files: BundleFiles = new Map();
  const diagnostics: Diagnostic[] = [];
  const isInside = createInsideCheck(root);
  for (const folder of new Set(modules.map((module) => outermostFolder(root, module)))) {
    diagnostics.push(...addProjectFolder(root, folder, files, isInside));
  }
  if (icon !== undefined) diagnostics.push(...addProjectFile(root, icon, files, isInside, "icon.png"));
  if (diagnostics.length === 0) diagnostics.push(...addInstalledPackages(root, dependencies, ownFolder(), files));
  return diagnostics.length === 0 ? files : { diagnostics };
}

function problemOf(root: string, module: string): Diagnostic | undefined {
  const path = toSlashPath(root, module);
  if (!existsSync(module)) return exportDiagnostics("not-javascript", undefined, { variant: "missing", path });
  if (!/\.[cm]?js$/u.test(module)) return exportDiagnostics("not-javascript", undefined, { variant: "other", path });
  return outermostFolder(root, module) === root ? exportDiagnostics("at-the-top", undefined, { path }) : undefined;
}

/** Adds the files below a folder. Skips hidden ones, which may hold secrets; reports links and irregular files. */
function addProjectFolder(
  root: string,
  folder: string,
  files: BundleFiles,
  isInside: (path: string) => boolean,
): readonly Diagnostic[] {
  if (!isInside(join(folder, "x"))) {
    return [exportDiagnostics("outside", undefined, { path: toSlashPath(root, folder) })];
  }
  return readdirSync(folder)
    .filter((name) => !name.startsWith(".") && name !== "node_modules" && !NOT_RUN.test(name))
    .toSorted()
    .flatMap((name) => {
      const path = join(folder, name);
      const oddity = describeOddity(path);
      if (oddity === "a folder") return addProjectFolder(root, path, files, isInside);
      return addProjectFile(root, path, files, isInside);
    });
}

function addProjectFile(
  root: string,
  file: string,
  files: BundleFiles,
  isInside: (path: string) => boolean,
  as: string = toSlashPath(root, resolve(root, file)),
): readonly Diagnostic[] {
  const path = resolve(root, file);
  const shown = toSlashPath(root, path);
  const what = describeOddity(path);
  if (what !== undefined) return [exportDiagnostics("not-a-regular-file", undefined, { path: shown, what })];
  if (!isInside(path)) return [exportDiagnostics("outside", undefined, { path: shown })];
  files.set(as, readFileSync(path));
  return [];
}

function outermostFolder(root: string, file: string): string {
  const [first = ""] = toSlashPath(root, dirname(resolve(root, file))).split("/");
  return join(root, first);
}
