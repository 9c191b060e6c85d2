import type { AnyTool } from "@hasp/runtime";
import { bindLazyTool, bindTool } from "@hasp/runtime/codegen/v1";
import { type RunnableTool, specOf } from "../../../compiler/src/run/runnable-spec.js";

/** The module of a tool's handler. */
export interface HandlerModule {
  readonly url: URL;
  /** Imports it. */
  readonly load: () => Promise<object>;
}

/**
 * Binds a tool to its handler as the generated registry does, but straight from the model: what runs is what the spec
 * says, whatever the generated module says. Rejects where the registry would.
 */
export async function bindModel(tool: RunnableTool, { url, load }: HandlerModule): Promise<AnyTool> {
  const spec = specOf(tool);
  const isolated =
    tool.isolation === undefined
      ? undefined
      : (await import("@hasp/handlers/isolation")).isolate({ module: url, ...tool.isolation });
  // No type here can express that the handler has the exports that the spec asks for; binding checks it.
  return tool.isLoadedOnFirstCall
    ? bindLazyTool(spec, load as never, isolated)
    : bindTool(spec, (await load()) as never, isolated);
}
