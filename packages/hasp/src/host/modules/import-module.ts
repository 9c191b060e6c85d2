import { statSync } from "node:fs";
import { fileURLToPath } from "node:url";

/**
 * Imports a module of the user's: what it exports, whatever it does meanwhile. Node 20 runs no TypeScript; jiti does,
 * and is loaded for that only.
 */
export async function importModule(url: string): Promise<unknown> {
  const version = versionOf(url);
  const isChanged = (firstVersions.get(url) ?? version) !== version;
  if (!isChanged) firstVersions.set(url, version);
  if (/\.[cm]?tsx?$/u.test(url)) return withinLimit(importTypeScript(url, { moduleCache: !isChanged }));
  // Node keeps each module as it was first imported; under another address it reads it anew.
  return withinLimit(import(isChanged ? `${url}?changed=${version}` : url));
}

/** When each module was changed last, at its first import in this process: who watches imports it again. */
const firstVersions = new Map<string, number>();

function versionOf(url: string): number {
  return url.startsWith("file:") ? (statSync(fileURLToPath(url), { throwIfNoEntry: false })?.mtimeMs ?? 0) : 0;
}

/**
 * Why a module cannot be parsed, with its line: Node keeps the line of such an error to itself, jiti's parser tells it.
 * Only for a module that does not parse; another one would be run.
 */
export async function syntaxErrorOf(url: string): Promise<unknown> {
  return withinLimit(importTypeScript(url)).catch((error: unknown) => error);
}

async function importTypeScript(url: string, options: { readonly moduleCache?: boolean } = {}): Promise<unknown> {
  const { createJiti } = await import("jiti");
  return createJiti(import.meta.url, options).import(url);
}

/** How long work of the user's may take, and what is said of work that takes longer. */
export interface WorkLimit {
  readonly seconds: number;
  readonly lapse: string;
}

const IMPORT_LIMIT: WorkLimit = { seconds: 10, lapse: "it was not imported" };

/** The result of some work, or an error once its time is over: a module may wait for what never comes. */
export async function withinLimit<Result>(
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
