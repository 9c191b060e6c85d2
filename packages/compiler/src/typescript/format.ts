import type { Code } from "./code.js";

/** Thrown where neither formatter can be loaded. */
export class NoFormatterError extends Error {
  override readonly name = "NoFormatterError";
}

/** The releases of prettier that lay out a module exactly as oxfmt does. Later ones break unions elsewhere. */
const EQUAL_PRETTIER = /^3\.8\./u;

/**
 * Formats a module with oxfmt. Where its native part does not load, a release of prettier that gives the same bytes does
 * it. Throws a {@link NoFormatterError} where there is neither.
 */
export async function formatModule({ text }: Code): Promise<string> {
  let result;
  try {
    const { format } = await import("oxfmt");
    result = await format("module.ts", text, { printWidth: 80 });
  } catch (error) {
    return formatWithPrettier(text, String(error));
  }
  const [fault] = result.errors;
  if (fault !== undefined) throw new Error(`Generated code does not parse: ${fault.message}\n${text}`);
  return result.code;
}

async function formatWithPrettier(text: string, reason: string): Promise<string> {
  const prettier = await loadPrettier();
  if (prettier === undefined || !EQUAL_PRETTIER.test(prettier.version)) throw new NoFormatterError(reason);
  return prettier.format(text, { parser: "typescript" });
}

/** Loads prettier where it is installed. */
export async function loadPrettier(): Promise<typeof import("prettier") | undefined> {
  return import("prettier").catch(() => undefined);
}
