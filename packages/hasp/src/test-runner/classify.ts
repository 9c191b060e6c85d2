import { buildTool, type Classification } from "@hasp/runtime";
import type { FlatTool } from "../model/tool.js";
import type { CompiledPredicate } from "../predicates/index.js";

/** Functions that a handler brings, by name; `undefined` for one that is not known here. */
export type CustomFunctions = (name: string) => ((...parameters: readonly unknown[]) => unknown) | undefined;

/** The answer of a tool's decision table to one input. */
export interface Classified {
  readonly answer: Classification;
  /** Custom functions that were asked and are not known: with them the answer might be another. */
  readonly unknown: readonly string[];
}

/** The runtime's own classification, over the compiled predicates: what a test sees is what a call will get. */
export function classifierOf(tool: FlatTool, custom: CustomFunctions): (input: unknown) => Classified {
  let unknown: string[] = [];
  const judgeOf = (predicate: CompiledPredicate): ((input: unknown) => boolean) => {
    if (predicate.kind === "expression") return predicate.evaluate;
    const given = custom(predicate.name);
    if (given !== undefined) return (input) => given(input) === true;
    return () => {
      unknown.push(predicate.name);
      throw new Error(`${predicate.name} is not known here`);
    };
  };

  const { behavior, concurrency } = tool.metadata;
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
      class: concurrency.class,
      rules: tool.rules.map(({ when, class: ownClass, isDestructive, isIdempotent, requiresPermission, isReadOnly }) => ({
        when: judgeOf(when),
        class: ownClass,
        ...(isDestructive === undefined ? {} : { isDestructive }),
        ...(isIdempotent === undefined ? {} : { isIdempotent }),
        ...(requiresPermission === undefined ? {} : { requiresPermission }),
        ...(isReadOnly === undefined ? {} : { isReadOnly }),
      })),
    },
    behavior: { ...behavior, ...varying },
    execute: () => undefined,
  });
  return (input) => {
    unknown = [];
    const answer = built.classify(input);
    return { answer, unknown };
  };
}
