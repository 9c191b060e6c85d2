import { flagsOfRow } from "@hasp/runtime";
import type { ToolSpec } from "@hasp/runtime/codegen/v1";
import type { CompiledPredicate } from "../cel/index.js";
import { isLoadedOnFirstCall } from "../emitters/module-parts/handler-type.js";
import { isolationOptions } from "../emitters/module-parts/isolation-options.js";
import type { FlatTool } from "../model/tool.js";
import type { PredicateData, RunnableTool } from "./bind-model.js";

/** What running a tool takes of its model: what its generated module holds, without its forms for providers. */
export function runnableTool(tool: FlatTool, handlerFile: string): RunnableTool {
  const { name, spec, metadata, input, output, rules, flags, checks } = tool;
  const { title, description, owner, tags, aliases, searchHint, visibility, needs, handler, examples, display } = spec;
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
      output: output?.schema,
      needs,
      isolation: handler?.isolation,
      examples: examples?.map((example) => ({ input: example.input })),
      display,
    }),
    rules: rules.map((rule) => ({ when: dataOf(rule.when), class: rule.class, ...flagsOfRow(rule) })),
    flags: flags.map(({ flag, polarity, predicate }) => ({ flag, polarity, predicate: dataOf(predicate) })),
    checks: checks.map(({ that, message = "" }) => ({ that: dataOf(that), message })),
  };
}

function dataOf(predicate: CompiledPredicate): PredicateData {
  return predicate.kind === "custom" ? { custom: predicate.name } : { expression: predicate.expression };
}

function withoutAbsent(spec: { readonly [Key in keyof ToolSpec]: ToolSpec[Key] | undefined }): ToolSpec {
  return Object.fromEntries(Object.entries(spec).filter(([, value]) => value !== undefined)) as unknown as ToolSpec;
}
