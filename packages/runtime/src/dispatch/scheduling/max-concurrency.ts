const DEFAULT = 10;

/** The environment of the process, where there is one: edge workers may have none. */
export function environment(): { readonly [name: string]: string | undefined } | undefined {
  const { process } = globalThis as { process?: { env?: { readonly [name: string]: string | undefined } } };
  return process?.env;
}

/** Most calls at once: the option, else `HASP_MAX_CONCURRENCY`, else 10. Nonsense in the one that speaks is 10. */
export function maxConcurrency(
  option: number | undefined,
  env: { readonly [name: string]: string | undefined } | undefined,
): number {
  if (option !== undefined) return isCap(option) ? option : DEFAULT;
  const text = env?.["HASP_MAX_CONCURRENCY"];
  if (text === undefined || !/^\d+$/.test(text)) return DEFAULT;
  const number = Number(text);
  return isCap(number) ? number : DEFAULT;
}

function isCap(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 1;
}
