import { buildTool, type Classification } from "@hasp/runtime";
import { flagsOfRow } from "@hasp/runtime/contract";
import type { FlatTool } from "../model/tool.js";
import type { CompiledPredicate } from "../model/conditions.js";

export interface Classified {
  readonly answer: Classification;
  /** Custom functions whose missing answers might change the result. */
  readonly unknown: readonly string[];
}

export type KnownAnswers = ReadonlyMap<string, boolean>;

/** Classifies with the runtime's own code, so that tests see what calls get. */
export function createClassifier(tool: FlatTool): (input: unknown, answers?: KnownAnswers) => Classified {
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

  const built = builtOrStrict({ ...createDefinition(tool, judgeOf), execute: () => undefined });
  return (input, answers = new Map()) => {
    known = answers;
    unknown.clear();
    const answer = built.classify(input);
    return { answer, unknown: [...unknown] };
  };
}

/** Builds the definition that `buildTool` takes, without a handler. */
export function createDefinition(
  tool: FlatTool,
  judgeOf: (predicate: CompiledPredicate) => (input: unknown) => boolean,
): Omit<Parameters<typeof buildTool>[0], "execute"> {
  const { behavior: { destination: _destination, ...behavior } = {}, concurrency } = tool.spec;
  const fixed = Object.entries(behavior).filter(([, value]) => typeof value !== "object");
  const varying = Object.fromEntries(
    tool.flags.map(({ flag, polarity, predicate }) => {
      const evaluate = judgeOf(predicate);
      return [flag, polarity === "when" ? { when: evaluate } : { unless: evaluate }];
    }),
  );
  return {
    name: tool.name,
    description: tool.spec.description,
    // Nothing is validated here, and a flat schema may still recurse.
    input: { type: "object", properties: {} },
    concurrency: {
      class: concurrency?.class,
      rules: tool.rules.map((rule) => ({ when: judgeOf(rule.when), class: rule.class, ...flagsOfRow(rule) })),
    },
    behavior: { ...Object.fromEntries(fixed), ...varying },
  };
}

/** Builds a tool. A definition that the runtime refuses gets the strict answer; `check` reports it. */
function builtOrStrict(definition: Parameters<typeof buildTool>[0]): Pick<ReturnType<typeof buildTool>, "classify"> {
  try {
    return buildTool(definition);
  } catch {
    const { name, description, execute } = definition;
    return buildTool({ name, description, input: { type: "object", properties: {} }, execute });
  }
}
