import { existsSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { thrownText } from "../../../compiler/src/diagnostics/thrown-text.js";
import { importModule } from "./import-module.js";

/** A handler module, or why it could not be loaded. */
type LoadedHandler = { readonly exports: Readonly<Record<string, unknown>> } | { readonly reason: string };

/** Imports a handler by the absolute path of its TypeScript file. The user's code runs then. */
export async function loadHandler(file: string): Promise<LoadedHandler> {
  if (!existsSync(file)) return { reason: "there is no such file" };
  try {
    const loaded = await importModule(pathToFileURL(file).href);
    return typeof loaded === "object" && loaded !== null
      ? { exports: { ...loaded } }
      : { reason: "it exports nothing" };
  } catch (error) {
    const [reason = "it throws"] = thrownText(error).split("\n");
    return { reason };
  }
}
