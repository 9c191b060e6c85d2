/** So long a module of the user's may take until it is imported. */
const SECONDS_TO_IMPORT = 10;

/**
 * Imports a module of the user's: what it exports, whatever it does meanwhile. Node 20 runs no TypeScript; jiti does, and is
 * loaded for that only.
 */
export async function importModule(url: string): Promise<unknown> {
  return withinLimit(/\.[cm]?tsx?$/u.test(url) ? importTypeScript(url) : import(url));
}

/**
 * Why a module cannot be parsed, with its line: Node keeps the line of such an error to itself, jiti's parser tells it. Only
 * for a module that does not parse; another one would be run.
 */
export async function syntaxErrorOf(url: string): Promise<unknown> {
  return withinLimit(importTypeScript(url)).catch((error: unknown) => error);
}

async function importTypeScript(url: string): Promise<unknown> {
  const { createJiti } = await import("jiti");
  return createJiti(import.meta.url).import(url);
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
