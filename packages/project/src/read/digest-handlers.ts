import { attempt } from "../../../compiler/src/diagnostics/thrown-text.js";
import { createHash } from "node:crypto";
import { posix } from "node:path";
import type { CompilePlan, HandlerDigest } from "../../../compiler/src/model/plan.js";
import { createImportMappings, type ImportMappings } from "./import-mappings.js";
import type { CompilerHost } from "./compiler-host.js";
import type { ModuleText } from "../modules/read-module-text.js";

const LANGUAGES = ["ts", "tsx", "js", "jsx"] as const;
/** The endings of files that hold code. */
export const CODE_ENDINGS: readonly string[] = ["", "c", "m"].flatMap((module) =>
  LANGUAGES.map((language) => `.${module}${language}`),
);

/** The most modules that one approval covers; a handler that imports more is a whole application. */
const MOST_MODULES = 500;

/**
 * Digests handlers, each with the project's files that it imports, directly or through others: by paths, as Node and
 * TypeScript resolve them, or by names that `package.json` and `tsconfig.json` map. Packages, types and build outputs
 * (which the specs cover) are not followed.
 */
export async function digestHandlers(
  files: CompilerHost,
  handlers: readonly string[],
  outDir: string,
): Promise<CompilePlan["handlerDigests"]> {
  const modules = new Map<string, ModuleText | undefined>();
  const moduleAt = async (path: string): Promise<ModuleText | undefined> => {
    if (!modules.has(path)) modules.set(path, await files.ask("module", path));
    return modules.get(path);
  };
  const mappings = createImportMappings(files);
  const targets = new Map<string, readonly string[]>();
  const targetsOf = async (path: string): Promise<readonly string[]> => {
    const known = targets.get(path) ?? (await filesFor(path, moduleAt, mappings));
    targets.set(path, known);
    return known;
  };

  const digests: [string, HandlerDigest][] = [];
  for (const handler of handlers) {
    const reached = new Set([handler]);
    const mappedBy = new Set<string>();
    let obstacle: string | undefined;
    // A set that grows during iteration is iterated to its new end.
    for (const path of reached) {
      const folder = posix.dirname(path);
      const module = await moduleAt(path);
      const { imports = [], names = [], certain = [] } = module ?? {};
      if (module?.obstacle !== undefined) obstacle ??= `${path} cannot be followed: ${module.obstacle}`;
      const outside = certain.find((specifier) => leadsOut(folder, specifier));
      if (outside !== undefined) obstacle ??= `${path} imports ${JSON.stringify(outside)}, outside the project`;
      const paths = imports.flatMap((specifier) => pathsOf(folder, specifier));
      for (const name of names) {
        const mapped = await mappings.of(folder, name);
        paths.push(...mapped.targets.flatMap((target) => pathsOf(".", `./${target}`)));
        for (const words of mapped.words) mappedBy.add(words);
      }
      for (const each of paths) {
        for (const target of await targetsOf(each)) {
          if (`${target}/`.startsWith(`${outDir}/`) || reached.has(target)) continue;
          if (reached.size < MOST_MODULES) reached.add(target);
          else obstacle ??= `it imports more than ${MOST_MODULES} files`;
        }
      }
    }
    const lines = [...reached].toSorted().map((path) => `${path} ${modules.get(path)?.digest ?? ""}`);
    const own = modules.get(handler)?.digest ?? "";
    const isAlone = reached.size === 1 && mappedBy.size === 0;
    const digest = isAlone ? own : digestOfLines([...lines, ...[...mappedBy].toSorted()]);
    const someModule = (holds: (module: ModuleText) => boolean): boolean =>
      [...reached].some((path) => {
        const module = modules.get(path);
        return module !== undefined && holds(module);
      });
    digests.push([
      handler,
      {
        digest,
        own,
        ...(obstacle === undefined ? {} : { obstacle }),
        ...(someModule((module) => module.isolates === true) ? { isolates: true } : {}),
        ...(someModule((module) => module.marksRetryable === true) ? { marksRetryable: true } : {}),
      },
    ]);
  }
  return Object.fromEntries(digests);
}

function digestOfLines(lines: readonly string[]): string {
  return createHash("sha256").update(lines.join("\n")).digest("hex");
}

/**
 * Returns the possible paths of a relative specifier: as written, as `require` takes it, and as a URL, as `import`
 * does, without its query and fragment and with its escapes undone. Paths outside the project begin with `..`.
 */
function pathsOf(folder: string, specifier: string): readonly string[] {
  const { href, pathname } = new URL(specifier, `${ROOT}${folder.split("/").map(encodeURIComponent).join("/")}/`);
  const byUrl = href.startsWith(ROOT) ? decoded(pathname.slice(new URL(ROOT).pathname.length)) : "..";
  return [posix.join(folder, specifier), byUrl].map((path) => path.replace(/\/$/u, ""));
}

/** A placeholder for the folder of the project in URLs. */
const ROOT = "file:///hasp-project/";

function decoded(path: string): string {
  return attempt(() => decodeURIComponent(path)) ?? path;
}

function leadsOut(folder: string, specifier: string): boolean {
  if (/^file:/iu.test(specifier)) return true;
  return specifier.startsWith(".") && pathsOf(folder, specifier).some((path) => /^\.\.(?:\/|$)/u.test(path));
}

/**
 * Finds the possible files of a path: itself and its TypeScript source, else the file with an ending, else the main
 * file of a folder. Any of several may run.
 */
async function filesFor(
  path: string,
  moduleAt: (path: string) => Promise<ModuleText | undefined>,
  mappings: ImportMappings,
): Promise<readonly string[]> {
  // Files outside of the project are not read.
  if (path === ".." || path.startsWith("../") || path.includes("\0")) return [];
  const [, stem = "", module = "", language = ""] = /^(.*)\.([cm]?)(jsx?)$/u.exec(path) ?? [];
  const groups = [
    [path, ...(language === "" ? [] : [`${stem}.${module}ts`, `${stem}.${module}tsx`])],
    ENDINGS.map((ending) => `${path}${ending}`),
    [...(await mappings.mainOf(path)), ...ENDINGS.map((ending) => posix.join(path, `index${ending}`))],
  ];
  for (const group of groups) {
    const found: string[] = [];
    for (const each of group) if ((await moduleAt(each)) !== undefined) found.push(each);
    if (found.length > 0) return found;
  }
  return [];
}

/** The endings that Node and TypeScript add to a path. */
const ENDINGS: readonly string[] = [...CODE_ENDINGS, ".json", ".node"];
