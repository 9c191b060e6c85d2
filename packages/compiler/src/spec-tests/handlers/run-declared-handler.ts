import type { ToolResult } from "@hasp/runtime";
import type { JsonObject } from "@hasp/schema";
import { bindTool } from "@hasp/runtime/codegen/v1";
import { runCall } from "../../run/run-call.js";
import { specOf } from "../../run/runnable-spec.js";
import { runnableTool } from "../../run/runnable-tool.js";
import { collectNeeds } from "../../builtin/handlers/connection-needs.js";
import { declarationOf, type HandlerKindName } from "../../model/handlers.js";
import type { CompilePlan } from "../../model/plan.js";
import type { SpecTest } from "../../model/tool-spec.js";
import type { FlatTool } from "../../model/tool.js";

export type ModuleScope = Readonly<Record<string, unknown>>;

/** Replaces the runtime's connection with a stated answer; `record` receives the requests. */
export type StatedAnswers = {
  readonly [Kind in HandlerKindName]: (
    respond: JsonObject,
    record: (request: JsonObject) => void,
  ) => Promise<ModuleScope>;
};

export interface HandlerModule {
  readonly path: string;
  /** Runs the modules of the build with other functions in place of the runtime's. */
  load(runtime: () => ModuleScope): (path: string) => ModuleScope;
  readonly answers: StatedAnswers;
  readonly plan: Pick<CompilePlan, "connections">;
}

export interface HandlerOutcome {
  readonly result: ToolResult;
  readonly requests: readonly JsonObject[];
}

/**
 * Calls a generated handler through the dispatcher, with every permission and a stated answer instead of the outside
 * world.
 */
export async function runDeclaredHandler(
  tool: FlatTool,
  { path, load, answers, plan }: HandlerModule,
  { input, context, respond = {} }: SpecTest,
): Promise<HandlerOutcome> {
  const declared = declarationOf(tool.spec);
  if (declared === undefined) throw new Error(`${tool.name} declares no handler.`);
  const requests: JsonObject[] = [];
  const scope = await answers[declared.kind](respond, (request) => requests.push(request));
  const { execute } = load(() => scope)(path);
  const { spec, ...runnable } = runnableTool(tool, path, plan);
  const visibility = { ...spec.metadata.visibility, shouldDefer: false };
  // No secret is read. The answer replaces context members that only the connection needs.
  const needs = { context: collectNeeds(tool.spec)?.context ?? [] };
  const bound = bindTool(
    specOf({ ...runnable, spec: { ...spec, needs, metadata: { ...spec.metadata, visibility } } }),
    {
      execute,
    } as never,
  );
  const { result } = await runCall({
    tools: [bound],
    call: { id: "test", name: tool.name, input: input as object },
    context: context ?? {},
    features: tool.spec.visibility?.featureGate === undefined ? [] : [tool.spec.visibility.featureGate],
    isAllowed: true,
    ask: async () => "allow",
    isDryRun: false,
  });
  if (result === undefined) throw new Error(`The call of ${tool.name} has no result.`);
  return { result, requests };
}
