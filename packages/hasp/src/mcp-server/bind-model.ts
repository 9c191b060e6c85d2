import type { AnyTool, ConcurrencyClass, FlagValues, VaryingFlag } from "@hasp/runtime";
import { bindLazyTool, bindTool, type SpecCheck, type SpecPredicate, type ToolSpec } from "@hasp/runtime/codegen/v1";
import { evaluatorOf } from "../cel/evaluate.js";
import type { Expression } from "../cel/model/expression.js";
import type { IsolationOptions } from "../emitters/module-parts/isolation-options.js";

/** A tool that was compiled, as plain data: all that running it takes beside its handler. */
export interface RunnableTool {
  /** What is plain data in the spec of its generated module. */
  readonly spec: Omit<ToolSpec, "rules" | "flags" | "validate">;
  readonly rules: readonly (Partial<FlagValues> & { readonly when: PredicateData; readonly class: ConcurrencyClass })[];
  readonly flags: readonly {
    readonly flag: VaryingFlag;
    readonly polarity: "when" | "unless";
    readonly predicate: PredicateData;
  }[];
  readonly checks: readonly { readonly that: PredicateData; readonly message: string }[];
  /** Whether its handler's module is imported on its first call. */
  readonly isLoadedOnFirstCall: boolean;
  /** How its `execute` is isolated; absent if it runs in this process. */
  readonly isolation?: IsolationOptions;
}

/** The module of a tool's handler. */
export interface HandlerModule {
  readonly url: URL;
  /** Imports it. */
  readonly load: () => Promise<object>;
}

/** A predicate as it was checked, or the name of a function that the handler exports. */
export type PredicateData = { readonly expression: Expression } | { readonly custom: string };

/**
 * Binds a tool to its handler as the generated registry does, but straight from the model: what runs is what the spec
 * says, whatever the generated module says. Rejects where the registry would.
 */
export async function bindModel(tool: RunnableTool, { url, load }: HandlerModule): Promise<AnyTool> {
  const spec: ToolSpec = {
    ...tool.spec,
    rules: tool.rules.map((rule) => ({ ...rule, when: predicateOf(rule.when) })),
    flags: Object.fromEntries(
      tool.flags.map(({ flag, polarity, predicate }) => [flag, { [polarity]: predicateOf(predicate) }]),
    ),
    validate: tool.checks.map(({ that, message }): SpecCheck =>
      "custom" in that ? that : { that: evaluatorOf(that.expression), message },
    ),
  };
  const isolated =
    tool.isolation === undefined
      ? undefined
      : (await import("@hasp/runtime/node")).isolate({ module: url, ...tool.isolation });
  // No type here can express that the handler has the exports that the spec asks for; binding checks it.
  return tool.isLoadedOnFirstCall
    ? bindLazyTool(spec, load as never, isolated)
    : bindTool(spec, (await load()) as never, isolated);
}

function predicateOf(predicate: PredicateData): SpecPredicate {
  return "custom" in predicate ? predicate : evaluatorOf(predicate.expression);
}
