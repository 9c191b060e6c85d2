import { flagsOfRow } from "@hasp/runtime";
import type { ToolSpec } from "@hasp/runtime/codegen/v1";
import type { CompiledPredicate } from "../cel/index.js";
import { isLoadedOnFirstCall } from "../emitters/module-parts/handler-type.js";
import { isolationOptions } from "../emitters/module-parts/isolation-options.js";
import { needsOf } from "../handlers/needs.js";
import type { CompilePlan } from "../model/plan.js";
import type { FlatTool } from "../model/tool.js";
import type { PredicateData, RunnableTool } from "./runnable-spec.js";

/**
 * Returns the part of a tool's model that running it needs: the content of its generated module, without its forms for
 * providers.
 */
export function runnableTool(
  tool: FlatTool,
  handlerFile: string,
  { connections }: Pick<CompilePlan, "connections">,
): RunnableTool {
  const { name, spec, metadata, input, bound, output, rules, flags, checks } = tool;
  const { title, description, owner, tags, aliases, searchHint, visibility, handler, examples, display } = spec;
  const isolation = isolationOptions(tool);
  return {
    isLoadedOnFirstCall: isLoadedOnFirstCall(tool),
    ...(isolation === undefined ? {} : { isolation }),
    spec: withoutAbsent({
      name,
      title,
      description,
      owner,
      tags,
      aliases,
      searchHint,
      handlerFile,
      metadata,
      featureGate: visibility?.featureGate,
      input: input.schema,
      bind: spec.bind,
      bound,
      output: output?.schema,
      outputCheck: spec.outputCheck,
      needs: needsOf(spec, connections),
      isolation: handler?.isolation,
      examples: examples?.map((example) => ({ input: example.input })),
      display,
    }),
    rules: rules.map((rule) => ({ when: dataOf(rule.when), class: rule.class, ...flagsOfRow(rule) })),
    flags: flags.map(({ flag, polarity, predicate }) => ({ flag, polarity, predicate: dataOf(predicate) })),
    checks: checks.map(({ that, message = "" }) => ({ that: dataOf(that), message })),
  };
}

/** Keys that are bound from predicates or read only by a provider. */
type NotCopied = "rules" | "flags" | "validate" | "dialects";

function dataOf(predicate: CompiledPredicate): PredicateData {
  return predicate.kind === "custom" ? { custom: predicate.name } : { expression: predicate.expression };
}

/** Every key is asked for, so that none is forgotten. */
function withoutAbsent(spec: {
  readonly [Key in Exclude<Extract<keyof ToolSpec, string>, NotCopied>]: ToolSpec[Key] | undefined;
}): ToolSpec {
  return Object.fromEntries(Object.entries(spec).filter(([, value]) => value !== undefined)) as unknown as ToolSpec;
}
