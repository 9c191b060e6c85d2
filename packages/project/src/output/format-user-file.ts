import { dirname, join } from "node:path";
import { findOrAdd } from "@hasp/base/json";
import type { OutputFile } from "@hasp/compiler";
import { loadPrettier } from "@hasp/compiler/layout";

/** Formats the user's new files with the user's own prettier, if installed and configured; else keeps hasp's format. */
export async function formatUserFiles(files: readonly OutputFile[], root: string): Promise<readonly OutputFile[]> {
  const prettier = await loadPrettier();
  if (prettier === undefined) return files;
  const settings = new Map<string, ReturnType<typeof prettier.resolveConfig>>();
  const settingsFor = (path: string): ReturnType<typeof prettier.resolveConfig> => {
    return findOrAdd(settings, dirname(path), () => prettier.resolveConfig(path, { editorconfig: true }));
  };
  return Promise.all(
    files.map(async (file) => {
      const path = join(root, file.path);
      try {
        const config = await settingsFor(path);
        return config === null
          ? file
          : { ...file, text: await prettier.format(file.text, { ...config, filepath: path }) };
      } catch {
        // A broken configuration, or a missing plugin, is no reason to withhold the file.
        return file;
      }
    }),
  );
}
