import { type AnyTool, flagsOfRow } from "@hasp/runtime";
import { bindLazyTool, bindTool, type SpecCheck, type SpecPredicate, type ToolSpec } from "@hasp/runtime/codegen/v1";
import type { CompiledPredicate } from "../cel/index.js";
import { isLoadedOnFirstCall } from "../emitters/module-parts/handler-type.js";
import type { FlatTool } from "../model/tool.js";

/**
 * Binds a tool to its handler as the generated registry does, but straight from the model: what runs is what the spec
 * says, whatever the generated module says. `load` imports the handler's module. Rejects where the registry would.
 */
export async function bindModel(tool: FlatTool, handlerFile: string, load: () => Promise<object>): Promise<AnyTool> {
  const spec = runtimeSpec(tool, handlerFile);
  // No type here can express that the handler has the exports that the spec asks for; binding checks it.
  return isLoadedOnFirstCall(tool) ? bindLazyTool(spec, load as never) : bindTool(spec, (await load()) as never);
}

/** What the generated module of a tool holds for the runtime, without its forms for providers. */
function runtimeSpec(
  { name, spec, metadata, input, output, rules, flags, checks }: FlatTool,
  handlerFile: string,
): ToolSpec {
  const { title, description, owner, tags, aliases, searchHint, visibility, needs, examples, display } = spec;
  return withoutAbsent({
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
    rules: rules.map((rule) => ({ when: predicateOf(rule.when), class: rule.class, ...flagsOfRow(rule) })),
    flags: Object.fromEntries(
      flags.map(({ flag, polarity, predicate }) => [flag, { [polarity]: predicateOf(predicate) }]),
    ),
    validate: checks.map(({ that, message = "" }): SpecCheck =>
      that.kind === "custom" ? { custom: that.name } : { that: that.evaluate, message },
    ),
    needs,
    examples: examples?.map((example) => ({ input: example.input })),
    display,
  });
}

function predicateOf(predicate: CompiledPredicate): SpecPredicate {
  return predicate.kind === "custom" ? { custom: predicate.name } : predicate.evaluate;
}

/** A copy, since binding freezes what it is given. */
function withoutAbsent(spec: { readonly [Key in keyof ToolSpec]: ToolSpec[Key] | undefined }): ToolSpec {
  return Object.fromEntries(Object.entries(spec).filter(([, value]) => value !== undefined)) as unknown as ToolSpec;
}
