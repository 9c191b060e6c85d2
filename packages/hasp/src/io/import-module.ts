import { statSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** So long a module of the user's may take until it is imported. */
const SECONDS_TO_IMPORT = 10;

/**
 * Imports a module of the user's: what it exports, whatever it does meanwhile. Node 20 runs no TypeScript; jiti does, and is
 * loaded for that only.
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
 * Why a module cannot be parsed, with its line: Node keeps the line of such an error to itself, jiti's parser tells it. Only
 * for a module that does not parse; another one would be run.
 */
export async function syntaxErrorOf(url: string): Promise<unknown> {
  return withinLimit(importTypeScript(url)).catch((error: unknown) => error);
}

async function importTypeScript(url: string, options: { readonly moduleCache?: boolean } = {}): Promise<unknown> {
  const { createJiti } = await import("jiti");
  return createJiti(import.meta.url, options).import(url);
}

/** The result of some work, or an error once its time is over: a module may wait for what never comes. */
export async function withinLimit<Result>(work: Promise<Result>): Promise<Result> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const limit = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`it was not imported within ${SECONDS_TO_IMPORT} seconds`)), SECONDS_TO_IMPORT * 1000);
  });
  try {
    return await Promise.race([work, limit]);
  } finally {
    clearTimeout(timer);
  }
}
