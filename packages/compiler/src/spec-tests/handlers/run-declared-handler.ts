import type { ToolResult } from "@hasp/runtime";
import type { JsonObject } from "@hasp/schema";
import { bindTool } from "@hasp/runtime/codegen/v1";
import { runCall } from "../../run/run-call.js";
import { specOf } from "../../run/runnable-spec.js";
import { runnableTool } from "../../run/runnable-tool.js";
import { collectNeeds } from "../../builtin/handlers/needs.js";
import { declarationOf } from "../../model/handlers/declaration-of.js";
import type { HandlerKindName } from "../../model/handlers/declaration.js";
import type { CompilePlan } from "../../model/plan.js";
import type { SpecTest } from "../../model/spec/tool-spec.js";
import type { FlatTool } from "../../model/tool.js";

/** The values for the names that a generated module imports. */
export type ModuleScope = Readonly<Record<string, unknown>>;

/**
 * Makes the names of the runtime for the handlers of a kind, with a stated answer in place of the outside world. `record`
 * is told what was sent.
 */
export type StatedAnswers = {
  readonly [Kind in HandlerKindName]: (
    respond: JsonObject,
    record: (request: JsonObject) => void,
  ) => Promise<ModuleScope>;
};

/** The generated module of a declared handler. */
export interface HandlerModule {
  readonly path: string;
  /** Runs the build's modules with other functions in place of the runtime's. */
  load(runtime: () => ModuleScope): (path: string) => ModuleScope;
  readonly answers: StatedAnswers;
  readonly plan: Pick<CompilePlan, "connections">;
}

/** The outcome of a call in a stated outside world. */
export interface HandlerOutcome {
  readonly result: ToolResult;
  /** The requests of the handler, in order. */
  readonly requests: readonly JsonObject[];
}

/**
 * Calls a tool through the dispatcher, with its handler as it was generated and the stated answer in place of the outside
 * world: nothing is connected to, no secret is read. Every permission is given.
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
  // No secret is read. A member of the context that only the connection needs, the answer takes the place of.
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
