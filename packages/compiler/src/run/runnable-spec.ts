import { mapMembers } from "@hasp/base/json";
import type { FlagValues, VaryingFlag } from "@hasp/runtime/contract";
import type { ToolDialect, ConcurrencyClass } from "@hasp/runtime";
import type { SpecCheck, SpecPredicate, ToolSpec } from "@hasp/runtime/codegen/v1";
import type { JsonObject } from "@hasp/schema";
import { createEvaluator, createValueEvaluator } from "../cel/check/evaluate.js";
import type { Expression } from "../model/conditions.js";
import type { IsolationOptions, PlainSpec } from "./spec-data.js";

/** A compiled tool as plain data, without its handler. */
export interface RunnableTool {
  readonly spec: PlainSpec;
  /** A dialect without an entry lists the input as it is. */
  readonly entries?: { readonly [dialect: string]: EntryData };
  readonly rules: readonly (Partial<FlagValues> & { readonly when: PredicateData; readonly class: ConcurrencyClass })[];
  readonly flags: readonly {
    readonly flag: VaryingFlag;
    readonly polarity: "when" | "unless";
    readonly predicate: PredicateData;
  }[];
  readonly checks: readonly { readonly that: PredicateData; readonly message: string }[];
  readonly destination?: Expression;
  /** True if the handler's module is imported on the first call. */
  readonly isLoadedOnFirstCall: boolean;
  /** Absent if `execute` runs in this process. */
  readonly isolation?: IsolationOptions;
}

export interface EntryData extends Pick<ToolDialect, "name" | "codec"> {
  readonly definition: JsonObject;
}

/** A checked predicate or the name of a handler function. */
export type PredicateData = { readonly expression: Expression } | { readonly custom: string };

/** Returns the spec of the generated module, with conditions as functions. */
export function createSpec(tool: RunnableTool): ToolSpec {
  const { input, output, ...stated } = tool.spec;
  return {
    ...stated,
    input: () => input,
    ...(output === undefined ? {} : { output: () => output }),
    rules: tool.rules.map((rule) => ({ ...rule, when: predicateOf(rule.when) })),
    flags: Object.fromEntries(
      tool.flags.map(({ flag, polarity, predicate }) => [flag, { [polarity]: predicateOf(predicate) }]),
    ),
    ...(tool.destination && { destination: createValueEvaluator(tool.destination) }),
    validate: tool.checks.map(({ that, message }): SpecCheck =>
      "custom" in that ? that : { that: createEvaluator(that.expression), message },
    ),
    dialects: mapMembers(tool.entries ?? {}, (entry) => ({ ...entry, definition: () => entry.definition })),
  };
}

function predicateOf(predicate: PredicateData): SpecPredicate {
  return "custom" in predicate ? predicate : createEvaluator(predicate.expression);
}
