import { NotExecuted } from "../results/tool-result.js";
import type { ExecutionOptions } from "../tool/definition.js";
import type { DispatcherOptions } from "./state/dispatcher-types.js";

/** Functions by the names of the tools whose calls they execute. */
type ExternalFunctions<Tools extends { readonly [Name in keyof Tools]: ExternalTypes }, Context = unknown> = {
  readonly [Name in keyof Tools]?: (
    call: { readonly callId: string; readonly toolName: Name; readonly input: Tools[Name]["input"] },
    options: ExecutionOptions<Context>,
  ) => Tools[Name]["output"] | Promise<Tools[Name]["output"]>;
};

interface ExternalTypes {
  readonly input: unknown;
  readonly output: unknown;
}

/**
 * Creates the `external` of a dispatcher from a function for each tool, typed by the generated `Tools`. The calls of a
 * tool without one are not executed, and have no effect.
 */
export function externalBy<Tools extends { readonly [Name in keyof Tools]: ExternalTypes }, Context = unknown>(
  functions: ExternalFunctions<Tools, Context>,
): NonNullable<DispatcherOptions<Context>["external"]> {
  const byName = functions as object as { readonly [name: string]: DispatcherOptions<Context>["external"] };
  return (call, options) => {
    const { toolName } = call;
    const execute = Object.hasOwn(byName, toolName) ? byName[toolName] : undefined;
    if (execute === undefined) throw new NotExecuted(`nobody executes the calls of ${toolName} here`);
    return execute(call, options);
  };
}
