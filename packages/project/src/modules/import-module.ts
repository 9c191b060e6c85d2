import { statSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { locateOwnFile } from "../installation/own-package.js";
import { privateFolder } from "../private-folder.js";

/** Imports a user's module, which runs it. TypeScript goes through jiti, because Node 20 does not run it. */
export async function importModule(url: string): Promise<unknown> {
  const version = versionOf(url);
  const isChanged = (firstVersions.get(url) ?? version) !== version;
  if (!isChanged) firstVersions.set(url, version);
  if (/\.[cm]?tsx?$/u.test(url)) {
    return runWithinLimit(importTypeScript(url, { moduleCache: !isChanged, extensions: EXTENSIONS }));
  }
  // Node caches modules by address; a query makes it read the file again.
  return runWithinLimit(import(isChanged ? `${url}?changed=${version}` : url));
}

/**
 * The extensions that jiti transpiles. It tries each of them for an import without a file, such as a `.ts` imported as
 * `.js`; with all of jiti's extensions, a large registry takes twice as long to load.
 */
const EXTENSIONS = [".ts", ".tsx", ".mts", ".cts", ".js"];

/** The modification time of each module at its first import: in watch mode, modules are imported again. */
const firstVersions = new Map<string, number>();

function versionOf(url: string): number {
  return url.startsWith("file:") ? (statSync(fileURLToPath(url), { throwIfNoEntry: false })?.mtimeMs ?? 0) : 0;
}

/**
 * Returns the syntax error of a module with its line, which jiti reports and Node does not. Call it only for a module
 * that does not parse: any other would be run.
 */
export async function findSyntaxError(url: string): Promise<unknown> {
  return runWithinLimit(importTypeScript(url)).catch((error: unknown) => error);
}

async function importTypeScript(
  url: string,
  options: { readonly moduleCache?: boolean; readonly extensions?: string[] } = {},
): Promise<unknown> {
  // `import` would first search the text of this CommonJS module for names.
  const { createJiti } = createRequire(import.meta.url)("jiti") as typeof import("jiti");
  const folder = privateFolder(process.env);
  // By default it keeps them in the folder for temporary files, where others can write.
  const fsCache = folder === undefined ? false : join(folder, "transpiled");
  return createJiti(import.meta.url, { ...options, fsCache }).import(url);
}

/** A time limit for the user's code, and the message for exceeding it. */
export interface WorkLimit {
  readonly seconds: number;
  readonly lapse: string;
}

const IMPORT_LIMIT: WorkLimit = { seconds: 10, lapse: "it was not imported" };

/** Awaits some work; rejects when its time is over. */
export async function runWithinLimit<Result>(
  work: PromiseLike<Result>,
  { seconds, lapse }: WorkLimit = IMPORT_LIMIT,
): Promise<Result> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const limit = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`${lapse} within ${seconds} seconds`)), seconds * 1000);
  });
  try {
    return await Promise.race([work, limit]);
  } finally {
    clearTimeout(timer);
  }
}

/** Lets isolated handlers be imported in their processes as they are here: TypeScript through jiti. */
export function offerImporter(): void {
  const importer = pathToFileURL(locateOwnFile("dist/modules/handlers/handler-importer.js"));
  process.env["HASP_HANDLER_IMPORTER"] = importer.href;
}
