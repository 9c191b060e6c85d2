import type { AnyTool } from "@hasp/runtime";
import { bindLazyTool, bindTool } from "@hasp/runtime/codegen/v1";
import { type RunnableTool, specOf } from "../../../compiler/src/run/runnable-spec.js";

export interface HandlerModule {
  readonly url: URL;
  readonly load: () => Promise<object>;
}

/** Binds a tool to its handler from the model, as the generated registry does. Rejects where the registry would. */
export async function bindModel(tool: RunnableTool, { url, load }: HandlerModule): Promise<AnyTool> {
  const spec = specOf(tool);
  const isolated =
    tool.isolation === undefined
      ? undefined
      : (await import("@hasp/handlers/isolation")).isolate({ module: url, ...tool.isolation });
  // The type cannot express the spec's exports; binding checks them.
  return tool.isLoadedOnFirstCall
    ? bindLazyTool(spec, load as never, isolated)
    : bindTool(spec, (await load()) as never, isolated);
}
