import { dirname, join } from "node:path";
import { format, type Options, resolveConfig } from "prettier";
import type { OutputFile } from "../../model/output.js";

/** Files that will be the user's, in the format of the user's own prettier configuration where there is one. */
export async function formatUserFiles(files: readonly OutputFile[], root: string): Promise<readonly OutputFile[]> {
  const settings = new Map<string, Promise<Options | null>>();
  const settingsFor = (path: string): Promise<Options | null> => {
    const folder = dirname(path);
    const known = settings.get(folder) ?? resolveConfig(path, { editorconfig: true });
    settings.set(folder, known);
    return known;
  };
  return Promise.all(files.map((file) => formatUserFile(file, join(root, file.path), settingsFor)));
}

async function formatUserFile(
  file: OutputFile,
  path: string,
  settingsFor: (path: string) => Promise<Options | null>,
): Promise<OutputFile> {
  try {
    const config = await settingsFor(path);
    return config === null ? file : { ...file, text: await format(file.text, { ...config, filepath: path }) };
  } catch {
    // A broken configuration, or a plugin that is not installed, is no reason to withhold the file.
    return file;
  }
}
