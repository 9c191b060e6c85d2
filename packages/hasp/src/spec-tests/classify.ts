import { buildTool, flagsOfRow, type Classification } from "@hasp/runtime";
import type { FlatTool } from "../model/tool.js";
import type { CompiledPredicate } from "../cel/index.js";

/** The answer of a tool's decision table to one input. */
export interface Classified {
  readonly answer: Classification;
  /** Custom functions whose answers were wanted and are not known: with them the classification might be another. */
  readonly unknown: readonly string[];
}

/** What functions of the handler said of an input, by their names. */
export type KnownAnswers = ReadonlyMap<string, boolean>;

/** The runtime's own classification, over the compiled predicates: what a test sees is what a call will get. */
export function classifierOf(tool: FlatTool): (input: unknown, answers?: KnownAnswers) => Classified {
  const unknown = new Set<string>();
  let known: KnownAnswers = new Map();
  const judgeOf = (predicate: CompiledPredicate): ((input: unknown) => boolean) => {
    if (predicate.kind === "expression") return predicate.evaluate;
    const { name } = predicate;
    return () => {
      const answer = known.get(name);
      if (answer !== undefined) return answer;
      unknown.add(name);
      throw new Error(`${name} is not known here`);
    };
  };

  const { behavior = {}, concurrency } = tool.spec;
  const fixed = Object.entries(behavior).filter(([, value]) => typeof value !== "object");
  const varying = Object.fromEntries(
    tool.flags.map(({ flag, polarity, predicate }) => {
      const judge = judgeOf(predicate);
      return [flag, polarity === "when" ? { when: judge } : { unless: judge }];
    }),
  );
  const built = buildTool({
    name: tool.name,
    description: tool.spec.description,
    input: tool.input.schema,
    concurrency: {
      class: concurrency?.class,
      rules: tool.rules.map((rule) => ({ when: judgeOf(rule.when), class: rule.class, ...flagsOfRow(rule) })),
    },
    behavior: { ...Object.fromEntries(fixed), ...varying },
    execute: () => undefined,
  });
  return (input, answers = new Map()) => {
    known = answers;
    unknown.clear();
    const answer = built.classify(input);
    return { answer, unknown: [...unknown] };
  };
}
