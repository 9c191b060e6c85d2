import { join } from "node:path";
import { format, resolveConfig } from "prettier";
import type { OutputFile } from "../model/output.js";

/** A file that will be the user's, in the format of the user's own prettier configuration where there is one. */
export async function formatUserFile(file: OutputFile, root: string): Promise<OutputFile> {
  const path = join(root, file.path);
  try {
    const config = await resolveConfig(path, { editorconfig: true });
    return config === null ? file : { ...file, text: await format(file.text, { ...config, filepath: path }) };
  } catch {
    // A broken configuration, or a plugin that is not installed, is no reason to withhold the file.
    return file;
  }
}
