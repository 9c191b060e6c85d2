import { existsSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { thrownText } from "../diagnostics/thrown-text.js";
import { importModule } from "./import-module.js";

/** A handler module, or why it could not be loaded. */
export type LoadedHandler = { readonly exports: Readonly<Record<string, unknown>> } | { readonly reason: string };

/**
 * Loads a handler by the path of its TypeScript file, as it is. The user's code runs then, so only a command that cannot do
 * without its functions calls this.
 */
export async function loadHandler(root: string, path: string): Promise<LoadedHandler> {
  const file = join(root, path);
  if (!existsSync(file)) return { reason: "there is no such file" };
  try {
    const loaded = await importModule(pathToFileURL(file).href);
    return typeof loaded === "object" && loaded !== null ? { exports: { ...loaded } } : { reason: "it exports nothing" };
  } catch (error) {
    const [reason = "it throws"] = thrownText(error).split("\n");
    return { reason };
  }
}
