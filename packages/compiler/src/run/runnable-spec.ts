import type { ConcurrencyClass, FlagValues, ToolDialect, VaryingFlag } from "@hasp/runtime";
import type { SpecCheck, SpecPredicate, ToolSpec } from "@hasp/runtime/codegen/v1";
import type { JsonObject } from "@hasp/schema";
import { evaluatorOf } from "../cel/evaluate.js";
import type { Expression } from "../model/conditions/expression.js";
import type { IsolationOptions } from "../builtin/emitters/module-parts/isolation-options.js";
import type { PlainSpec } from "../builtin/emitters/module-parts/spec-data.js";

/** A tool that was compiled, as plain data: all that running it takes beside its handler. */
export interface RunnableTool {
  /** The plain data in the spec of its generated module. */
  readonly spec: PlainSpec;
  /** Its entries in the lists of dialects, by dialect; a dialect without one lists the input as it is. */
  readonly entries?: { readonly [dialect: string]: EntryData };
  readonly rules: readonly (Partial<FlagValues> & { readonly when: PredicateData; readonly class: ConcurrencyClass })[];
  readonly flags: readonly {
    readonly flag: VaryingFlag;
    readonly polarity: "when" | "unless";
    readonly predicate: PredicateData;
  }[];
  readonly checks: readonly { readonly that: PredicateData; readonly message: string }[];
  /** True if its handler's module is imported on its first call. */
  readonly isLoadedOnFirstCall: boolean;
  /** Options for isolating its `execute`; absent if it runs in this process. */
  readonly isolation?: IsolationOptions;
}

/** A tool's name, shape and entry in the list of a dialect. */
export interface EntryData extends Pick<ToolDialect, "name" | "codec"> {
  readonly definition: JsonObject;
}

/** A predicate as it was checked, or the name of a function that the handler exports. */
export type PredicateData = { readonly expression: Expression } | { readonly custom: string };

/** Returns the spec of a tool as its generated module has it, with its conditions as functions. */
export function specOf(tool: RunnableTool): ToolSpec {
  const { input, output, ...stated } = tool.spec;
  return {
    ...stated,
    input: () => input,
    ...(output === undefined ? {} : { output: () => output }),
    rules: tool.rules.map((rule) => ({ ...rule, when: predicateOf(rule.when) })),
    flags: Object.fromEntries(
      tool.flags.map(({ flag, polarity, predicate }) => [flag, { [polarity]: predicateOf(predicate) }]),
    ),
    validate: tool.checks.map(({ that, message }): SpecCheck =>
      "custom" in that ? that : { that: evaluatorOf(that.expression), message },
    ),
    dialects: Object.fromEntries(
      Object.entries(tool.entries ?? {}).map(([dialect, entry]) => [
        dialect,
        { ...entry, definition: () => entry.definition },
      ]),
    ),
  };
}

function predicateOf(predicate: PredicateData): SpecPredicate {
  return "custom" in predicate ? predicate : evaluatorOf(predicate.expression);
}
