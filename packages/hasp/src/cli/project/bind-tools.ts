import type { AnyTool } from "@hasp/runtime";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { Diagnostic } from "../../../../compiler/src/diagnostics/diagnostic.js";
import { importModule } from "../../../../project/src/modules/import-module.js";
import { firstLine } from "../../../../project/src/modules/load-registry.js";
import { readTextIfThere } from "../../../../project/src/output/previous-manifest.js";
import { bindModel } from "../../mcp-server/bind-model.js";
import { serveDiagnostics } from "../../mcp-server/diagnostics.js";
import { mayLoadLater } from "../../mcp-server/may-load-later.js";
import type { ServedTool } from "../../mcp-server/served-tools.js";

/**
 * Binds tools to their handlers. Imports on the first call what is not needed before, one module after the other, so
 * that
 * modules shared by two handlers are evaluated once. Returns the finding about an unusable handler, or `undefined` if
 * a handler is not at its place: then only the registry knows where it is.
 */
export async function bindTools(
  served: readonly ServedTool[],
  root: string,
): Promise<{ readonly tools: readonly AnyTool[] } | { readonly finding: Diagnostic } | undefined> {
  let last: Promise<unknown> = Promise.resolve();
  const tools: AnyTool[] = [];
  for (const { tool, handler } of served) {
    const file = resolve(root, handler);
    const text = readTextIfThere(file);
    if (text === undefined) return undefined;
    const url = pathToFileURL(file);
    const load = async (): Promise<object> => {
      const loading = last.then(() => importModule(url.href)) as Promise<object>;
      last = loading.catch(() => undefined);
      return loading;
    };
    try {
      tools.push(await bindModel({ ...tool, isLoadedOnFirstCall: mayLoadLater(tool, text) }, { url, load }));
    } catch (error) {
      return { finding: handlerFinding(handler, error) };
    }
  }
  return { tools };
}

export function handlerFinding(path: string, error: unknown): Diagnostic {
  return serveDiagnostics("handler-fails", undefined, { path, reason: firstLine(error) });
}
