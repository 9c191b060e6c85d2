import { join } from "node:path";
import type { OutputFile } from "../model/output.js";

/** A file that will be the user's, in the format of the user's own prettier configuration where there is one. */
export async function formatUserFile(file: OutputFile, root: string): Promise<OutputFile> {
  if (file.owner !== "user") return file;
  // Loaded only when a stub is made: it costs more than the whole of a small build.
  const prettier = await import("prettier");
  const path = join(root, file.path);
  try {
    const config = await prettier.resolveConfig(path, { editorconfig: true });
    return config === null ? file : { ...file, text: await prettier.format(file.text, { ...config, filepath: path }) };
  } catch {
    // A broken configuration, or a plugin that is not installed, is no reason to withhold the file.
    return file;
  }
}
