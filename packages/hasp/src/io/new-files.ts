import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname } from "node:path";

/** What became of one file that was to be made for the user. */
export interface NewFileResult {
  readonly state: "written" | "replaced" | "unchanged" | "exists" | "failed";
  /** Why it failed, in the words of the operating system. */
  readonly reason?: string;
}

/**
 * Makes one file that belongs to the user from then on. A file that is there already is never touched (`exists`, or
 * `unchanged` if it says the same) unless `replace` is set.
 */
export async function makeUserFile(path: string, text: string, options: { readonly replace?: boolean } = {}): Promise<NewFileResult> {
  try {
    await mkdir(dirname(path), { recursive: true });
    try {
      // `wx` fails if anything is there: no moment between looking and writing.
      await writeFile(path, text, { flag: "wx" });
      return { state: "written" };
    } catch (error) {
      if (codeOf(error) !== "EEXIST") throw error;
    }
    if ((await readFile(path, "utf8")) === text) return { state: "unchanged" };
    if (options.replace !== true) return { state: "exists" };
    const temporary = `${path}.${process.pid}.tmp`;
    await writeFile(temporary, text, { flag: "wx" });
    await rename(temporary, path);
    return { state: "replaced" };
  } catch (error) {
    return { state: "failed", reason: error instanceof Error ? error.message : String(error) };
  }
}

function codeOf(error: unknown): unknown {
  return typeof error === "object" && error !== null && "code" in error ? error.code : undefined;
}
