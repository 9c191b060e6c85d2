import { createHash } from "node:crypto";
import { posix } from "node:path";
import type { CompilePlan } from "../../model/plan.js";
import { createImportMappings } from "./import-mappings.js";
import type { ProjectFiles } from "../project/project-files.js";
import type { ModuleText } from "./read-module-text.js";

const LANGUAGES = ["ts", "tsx", "js", "jsx"] as const;
/** The endings of files that hold code. */
export const CODE_ENDINGS: readonly string[] = ["", "c", "m"].flatMap((module) =>
  LANGUAGES.map((language) => `.${module}${language}`),
);

/** More modules than these are the whole of an application; what is beyond them is not covered. */
const MOST_MODULES = 500;

/**
 * Digests of handlers, each of its file and of the files of the project that it imports, directly or through others, by
 * their paths or by names that `package.json` and `tsconfig.json` explain. Not followed: packages, what the build writes
 * (specs cover it), types, and paths that the program puts together.
 */
export async function digestHandlers(
  files: ProjectFiles,
  handlers: readonly string[],
  outDir: string,
): Promise<CompilePlan["handlerDigests"]> {
  const modules = new Map<string, ModuleText | undefined>();
  const moduleAt = async (path: string): Promise<ModuleText | undefined> => {
    if (!modules.has(path)) modules.set(path, await files.ask("module", path));
    return modules.get(path);
  };
  const targets = new Map<string, string | undefined>();
  const targetOf = async (path: string): Promise<string | undefined> => {
    if (!targets.has(path)) targets.set(path, await firstOf(candidatesFor(path), moduleAt));
    return targets.get(path);
  };
  const mappings = createImportMappings(files);

  const digests: [string, string][] = [];
  for (const handler of handlers) {
    const reached = new Set([handler]);
    const mappedBy = new Set<string>();
    // A set that grows while it is walked is walked to its new end.
    for (const path of reached) {
      const folder = posix.dirname(path);
      const { imports = [], names = [] } = (await moduleAt(path)) ?? {};
      const paths = imports.map((written) => posix.join(folder, written));
      for (const name of names) {
        const mapped = await mappings.of(folder, name);
        paths.push(...mapped.targets);
        for (const words of mapped.words) mappedBy.add(words);
      }
      for (const each of paths) {
        const target = await targetOf(each);
        if (target === undefined || `${target}/`.startsWith(`${outDir}/`) || reached.size >= MOST_MODULES) continue;
        reached.add(target);
      }
    }
    const lines = [...reached].toSorted().map((path) => `${path} ${modules.get(path)?.digest ?? ""}`);
    const own = modules.get(handler)?.digest ?? "";
    const isAlone = reached.size === 1 && mappedBy.size === 0;
    digests.push([handler, isAlone ? own : digestOfLines([...lines, ...[...mappedBy].toSorted()])]);
  }
  return Object.fromEntries(digests);
}

function digestOfLines(lines: readonly string[]): string {
  return createHash("sha256").update(lines.join("\n")).digest("hex");
}

/**
 * The files that an import may mean, the likeliest first: itself, its TypeScript, with an ending, the index of a
 * folder.
 */
function candidatesFor(path: string): readonly string[] {
  // What leads out of the project is nobody's to read.
  if (path === ".." || path.startsWith("../")) return [];
  const [, stem = "", module = "", language = ""] = /^(.*)\.([cm]?)(jsx?|tsx?)$/u.exec(path) ?? [];
  if (language !== "") {
    return [path, ...(language.startsWith("js") ? [`${stem}.${module}ts`, `${stem}.${module}tsx`] : [])];
  }
  if (path.endsWith(".json")) return [path];
  return [
    ...CODE_ENDINGS.map((ending) => `${path}${ending}`),
    ...CODE_ENDINGS.map((ending) => posix.join(path, `index${ending}`)),
  ];
}

async function firstOf(
  paths: readonly string[],
  moduleAt: (path: string) => Promise<ModuleText | undefined>,
): Promise<string | undefined> {
  for (const path of paths) if ((await moduleAt(path)) !== undefined) return path;
  return undefined;
}
