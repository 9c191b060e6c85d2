import type { Code } from "./code.js";

export class NoFormatterError extends Error {
  override readonly name = "NoFormatterError";
}

/** Prettier releases that format exactly as oxfmt does; later ones break unions elsewhere. */
const EQUAL_PRETTIER = /^3\.8\./u;

/** Formats with oxfmt, or with an equal prettier. Throws a {@link NoFormatterError} if neither loads. */
export async function formatModule({ text }: Pick<Code, "text">): Promise<string> {
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

export async function loadPrettier(): Promise<typeof import("prettier") | undefined> {
  return import("prettier").catch(() => undefined);
}
