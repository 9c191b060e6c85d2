import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { AnyTool } from "@hasp/runtime";
import { bindLazyTool, bindTool } from "@hasp/runtime/codegen/v1";
import { type Diagnostic, firstLine } from "@hasp/base/diagnostics";
import { listPredicates } from "@hasp/compiler/conditions";
import { type RunnableTool, createSpec } from "@hasp/compiler/run";
import { importModule } from "@hasp/project/modules";
import { readTextIfThere } from "@hasp/project/output";
import { serveDiagnostics } from "../diagnostics.js";
import type { ServedTool } from "./served-tools.js";

/**
 * Binds tools to their handlers. Imports modules on the first call if possible, one after the other, so that modules
 * shared by two handlers are evaluated once. Returns the finding about an unusable handler, or `undefined` if a handler
 * is not at its place: then only the registry knows where it is.
 */
export async function bindTools(
  served: readonly ServedTool[],
  root: string,
  withoutHandlers: boolean = false,
): Promise<{ readonly tools: readonly AnyTool[] } | { readonly finding: Diagnostic } | undefined> {
  let last: Promise<unknown> = Promise.resolve();
  const tools: AnyTool[] = [];
  for (const { tool, handler } of served) {
    const file = resolve(root, handler);
    const text = withoutHandlers ? "" : readTextIfThere(file);
    if (text === undefined) return undefined;
    const url = pathToFileURL(file);
    const load = async (): Promise<object> => {
      const loading = last.then(() => importModule(url.href)) as Promise<object>;
      last = loading.catch(() => undefined);
      return loading;
    };
    try {
      const isLoadedOnFirstCall = withoutHandlers ? !asksHandler(tool) : mayLoadLater(tool, text);
      tools.push(await bindModel({ ...tool, isLoadedOnFirstCall }, { url, load }));
    } catch (error) {
      return { finding: createHandlerFinding(handler, error) };
    }
  }
  return { tools };
}

export function createHandlerFinding(path: string, error: unknown): Diagnostic {
  return serveDiagnostics("handler-fails", undefined, { path, reason: firstLine(error) });
}

/**
 * True if a tool needs nothing of its handler before the first call: no function judges calls or gates the tool. False
 * if the text does not plainly show this, or the module has no `execute`, which must be refused at once.
 */
export function mayLoadLater(tool: RunnableTool, handler: string): boolean {
  if (tool.isLoadedOnFirstCall) return true;
  if (asksHandler(tool)) return false;
  return /\bexecute\b/u.test(handler) && !MAY_EXPORT_MORE.test(handler);
}

/** True if functions of the handler judge calls, which cannot be classified without it, or describe the tool. */
export function asksHandler(tool: RunnableTool): boolean {
  return tool.spec.describe !== undefined || listPredicates(tool).some((predicate) => "custom" in predicate);
}

/** Signs that a module gates the tool, or exports names we cannot see: re-exports, escapes, quoted names, CommonJS. */
const MAY_EXPORT_MORE = /isEnabled|\\u|\bexport\b[^\w{]*[*=]|\bas\b[^\w{},;]*["']|\b(?:exports|module|require)\b/u;

interface HandlerImport {
  readonly url: URL;
  readonly load: () => Promise<object>;
}

/** Binds a tool to its handler from the model, as the generated registry does. Rejects where the registry would. */
export async function bindModel(tool: RunnableTool, { url, load }: HandlerImport): Promise<AnyTool> {
  const spec = createSpec(tool);
  const isolated =
    tool.isolation === undefined
      ? undefined
      : (await import("@hasp/handlers/isolation")).isolate({ module: url, ...tool.isolation });
  // The type cannot express the spec's exports; binding checks them.
  return tool.isLoadedOnFirstCall
    ? bindLazyTool(spec, load as never, isolated)
    : bindTool(spec, (await load()) as never, isolated);
}
