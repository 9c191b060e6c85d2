import { posix } from "node:path";
import { isDynamicPattern } from "tinyglobby";
import { normalisePath, type ProjectPlan } from "@hasp/compiler/model";
import type { Diagnostic, Found } from "@hasp/base/diagnostics";
import { LEDGER_FOLDER } from "@hasp/compiler/claims";
import { foldersAbove } from "../fs/folders-above.js";
import { CONFIG_NAMES } from "./file-names.js";
import { projectDiagnostics } from "./diagnostics.js";
import type { CompilerHost } from "./host-questions.js";

/** The first key of every spec, at the top level of a text. */
const SAYS_TO_BE_A_SPEC = /^(?:\{\s*)?(["']?)hasp\1[ \t]*:/mu;

/**
 * Returns the sorted paths of all specs of the configuration; none, with a finding, if one entry is unusable. An earlier
 * version may lack them.
 */
export async function findSpecs(
  files: CompilerHost,
  { specs, plan }: ProjectPlan,
  isEarlier = false,
): Promise<Found<readonly string[]>> {
  const diagnostics: Diagnostic[] = [];
  const patterns: string[] = [];
  const entries = specs.map((entry, index) => ({
    entry,
    path: normalisePath(entry),
    location: plan.locations?.[`/specs/${index}`],
  }));
  const isFixed = (entry: string): boolean => !isDynamicPattern(entry);
  const fixed = entries.flatMap(({ entry, path }) => (path !== undefined && isFixed(entry) ? [path] : []));
  const present = new Map((await files.ask("present", fixed)).map(({ path, isFolder }) => [path, isFolder]));
  for (const { entry, path, location } of entries) {
    if (path === undefined) diagnostics.push(projectDiagnostics("specs-outside", location, { path: entry }));
    else if (!isFixed(entry)) patterns.push(path, `${path}/**`);
    else if (!present.has(path)) {
      if (!isEarlier) diagnostics.push(projectDiagnostics("specs-not-found", location, { path: entry }));
    } else if (present.get(path) === true) patterns.push(path === "" ? "**" : `${escapeGlob(path)}/**`);
    else patterns.push(escapeGlob(path));
  }
  const ignore = ["**/node_modules/**", "**/.git/**", `${plan.outDir}/**`, `${LEDGER_FOLDER}/**`];
  const { paths: value, oddities, neighbours } = await files.ask("specs", { patterns, ignore });
  // A misspelt glob would silently leave out specs.
  for (const { entry, path, location } of entries.length > 1 && !isEarlier ? entries : []) {
    if (path === undefined || isFixed(entry)) continue;
    const matched = await files.ask("specs", { patterns: [path, `${path}/**`], ignore });
    if (matched.paths.length > 0) continue;
    diagnostics.push(projectDiagnostics("glob-without-match", location, { glob: entry }));
  }
  diagnostics.push(...oddities.map((oddity) => projectDiagnostics("not-a-file", undefined, oddity)));
  for (const path of neighbours) {
    const source = await files.ask("text", { uri: path, role: "shared" });
    if (source !== undefined && SAYS_TO_BE_A_SPEC.test(source.text)) {
      diagnostics.push(
        projectDiagnostics("spec-misnamed", undefined, { path, name: path.replace(/\.(\w+)$/u, ".tool.$1") }),
      );
    }
  }
  diagnostics.push(...(await findNestedProjects(files, value)));
  if (value.length === 0 && diagnostics.length === 0 && !isEarlier) {
    diagnostics.push(
      projectDiagnostics("no-specs", entries[0]?.location, { places: specs.map((entry) => `"${entry}"`) }),
    );
  }
  return { value: diagnostics.length === 0 ? value : [], diagnostics };
}

/** Finds specs below another configuration: they would belong to two projects, with two ledgers. */
async function findNestedProjects(files: CompilerHost, specs: readonly string[]): Promise<readonly Diagnostic[]> {
  const folders = new Set(specs.flatMap((path) => foldersAbove(path).slice(0, -1)));
  const configs = [...folders].flatMap((folder) => CONFIG_NAMES.map((name) => `${folder}/${name}`));
  const present = await files.ask("present", configs);
  return present.map(({ path }) => {
    const folder = posix.dirname(path);
    const spec = specs.find((each) => each.startsWith(`${folder}/`)) ?? folder;
    return projectDiagnostics("nested-project", undefined, { path, folder, spec });
  });
}

function escapeGlob(path: string): string {
  return path.replaceAll(/[\\*?[\](){}!+@|]/gu, String.raw`\$&`);
}
