import { flagsOfRow } from "@hasp/runtime";
import type { JsonObject } from "@hasp/schema";
import { dialectName } from "../../emitters/base/dialect-constants.js";
import { handlerFile } from "../../emitters/base/layout.js";
import { needsOf } from "../../handlers/needs.js";
import type { ToolToEmit } from "../../emitters/base/emitter.js";
import type { CompiledPredicate, ExpressionPredicate } from "../../cel/index.js";

/** What a spec constant must hold: data, names of other constants, and conditions. */
export type ExpectedValue =
  | null
  | boolean
  | number
  | string
  | Name
  | ExpressionPredicate
  | readonly ExpectedValue[]
  | { readonly [key: string]: ExpectedValue | undefined };

/** The name of another constant. */
export class Name {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/**
 * What the spec constant of a tool must hold, worked out from the model and not from the emitter. `undefined` is
 * absence. Without `dialects`, that key is left out: a form that an earlier build lowered is not lowered again for it.
 */
export function expectedSpec(
  { tool, names, forms, layout, plan }: ToolToEmit,
  options: { readonly dialects: boolean },
): { readonly [key: string]: ExpectedValue | undefined } {
  const { spec } = tool;
  const { rules } = spec.concurrency ?? {};
  const hasFlags = Object.values(spec.behavior ?? {}).some((value) => typeof value === "object");
  return {
    name: tool.name,
    title: spec.title,
    description: new Name("description"),
    owner: spec.owner,
    tags: spec.tags,
    aliases: spec.aliases,
    searchHint: spec.searchHint,
    handlerFile: handlerFile(tool, names, layout),
    metadata: new Name(`${names.camel}Metadata`),
    featureGate: spec.visibility?.featureGate,
    input: new Name("input"),
    output: spec.output === undefined ? undefined : new Name("output"),
    outputCheck: spec.outputCheck,
    // Of a tool without conditions nothing is compiled to know that.
    rules:
      rules === undefined || rules.length === 0
        ? undefined
        : tool.rules.map((rule) => ({ when: conditionOf(rule.when), class: rule.class, ...flagsOfRow(rule) })),
    flags: hasFlags
      ? Object.fromEntries(
          tool.flags.map(({ flag, polarity, predicate }) => [flag, { [polarity]: conditionOf(predicate) }]),
        )
      : undefined,
    validate:
      spec.validate === undefined || spec.validate.length === 0
        ? undefined
        : tool.checks.map(({ that, message }) => (that.kind === "custom" ? conditionOf(that) : { that, message })),
    needs: needsOf(spec, plan.connections) as ExpectedValue | undefined,
    isolation: spec.handler?.isolation as ExpectedValue | undefined,
    examples: spec.examples?.map(({ input }) => ({ input })),
    display: spec.display as ExpectedValue | undefined,
    dialects: options.dialects ? dialectsOf(tool.name, forms) : undefined,
  };
}

function conditionOf(predicate: CompiledPredicate): ExpectedValue {
  return predicate.kind === "custom" ? { custom: predicate.name } : predicate;
}

function dialectsOf(tool: string, forms: ToolToEmit["forms"]): ExpectedValue | undefined {
  const listed = forms.filter((form) => form.kind === "listed");
  if (listed.length === 0) return undefined;
  return Object.fromEntries(
    listed.map(({ dialect, lowered: { wireName, lowering } }) => [
      dialect,
      {
        name: wireName === tool ? undefined : wireName,
        codec: lowering.codec as unknown as JsonObject | undefined,
        definition: new Name(dialectName(dialect)),
      },
    ]),
  );
}
