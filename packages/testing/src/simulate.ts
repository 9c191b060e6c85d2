import type { JsonValue } from "@hasp/schema";
import { generateValue, randomFrom } from "@hasp/schema/internal/generate";
import { canonicalText, cloneJson, copyJson, deepFreeze } from "@hasp/base/json";
import type { AnyTool, DispatcherExtension } from "@hasp/runtime";
import {
  callError,
  failure,
  createTextContent,
  aList,
  anObject,
  anything,
  checkShape,
  type OptionKind,
} from "@hasp/runtime/internal";
import { type TapedCall, type TapedOutcome, tapeExtension } from "./tape.js";

interface SimulatedAnswer {
  /** The input that it answers, as a call or with defaults filled in. Default: any. */
  readonly input?: unknown;
  readonly output: unknown;
}

export interface SimulateOptions {
  /** Another seed gives other generated values. Default 0. */
  readonly seed?: number | string | undefined;
  /** Answers by the name of the tool; the first that fits counts. */
  readonly answers?: { readonly [tool: string]: readonly SimulatedAnswer[] } | undefined;
}

const aSeed: OptionKind = {
  expected: "a number or a string",
  fits: (value) => typeof value === "number" || typeof value === "string",
};

/**
 * Answers every call without its handler: with an answer that was given, an example or the default of the output schema,
 * or a generated value that fits it. The same seed, tool and input give the same output.
 */
export function simulate(options: SimulateOptions = {}): DispatcherExtension<undefined> {
  return tapeExtension({ replay: createSimulation(options) });
}

export function createSimulation(options: SimulateOptions = {}): (call: TapedCall) => TapedOutcome {
  const refuse = (path: string, what: string): never => {
    throw new TypeError(`simulate: ${path} ${what}.`);
  };
  checkShape(options, { seed: aSeed, answers: anObject }, "", refuse);
  const { seed = 0, answers = {} } = options;
  for (const [tool, list] of Object.entries(answers)) {
    if (!aList.fits(list)) refuse(`\`answers.${tool}\``, "must be a list");
    for (const [index, answer] of list.entries()) {
      const path = `answers.${tool}[${index}]`;
      if (!anObject.fits(answer) || answer.output === undefined) refuse(`\`${path}\``, "needs `output`");
      checkShape(answer, { input: anObject, output: anything }, `${path}.`, refuse);
    }
  }
  const copies = new Map(Object.entries(answers).map(([tool, list]) => [tool, deepFreeze(list.map(copyAnswer))]));
  return (call) => {
    const { tool, input } = call;
    const found = findAnswer(tool, input, copies.get(tool.name) ?? []) ?? generateOutput(call, seed);
    if (found !== undefined) return found;
    const reason =
      "no value was found that fits its output schema. Add `examples` to the schema, or pass `simulate({ answers })`.";
    return failure(callError("execute/cannot-simulate", { tool: tool.name, reason }), "none");
  };
}

type CopiedAnswer = { readonly input?: JsonValue; readonly output: JsonValue };

function copyAnswer({ input, output }: SimulatedAnswer): CopiedAnswer {
  return { ...(input !== undefined && { input: copyJson(input) }), output: copyJson(output) };
}

function findAnswer(tool: AnyTool, input: JsonValue, answers: readonly CopiedAnswer[]): TapedOutcome | undefined {
  const found = answers.find((answer) => {
    if (answer.input === undefined) return true;
    const { value } = tool.validateInput(cloneJson(answer.input));
    return [answer.input, value].some((each) => canonicalText(each) === canonicalText(input));
  });
  return found && outcomeFor(tool, found.output);
}

function generateOutput({ tool, input }: TapedCall, seed: number | string): TapedOutcome | undefined {
  const { output: schema, validateOutput } = tool;
  if (schema === undefined || validateOutput === undefined) {
    return outcomeFor(tool, `Simulated result of ${tool.name}.`);
  }
  const random = randomFrom(`${seed}\n${tool.name}\n${canonicalText(input)}`);
  const fits = (value: JsonValue): boolean => validateOutput(value).valid;
  const { examples = [], default: preset } = typeof schema === "object" ? schema : {};
  const known = [...examples, ...(preset === undefined ? [] : [preset])].filter(fits);
  const value = known.length > 0 ? known[Math.floor(random() * known.length)] : generateValue(schema, fits, random);
  return value === undefined ? undefined : outcomeFor(tool, value);
}

function outcomeFor(tool: AnyTool, value: JsonValue): TapedOutcome {
  const output = deepFreeze(cloneJson(value));
  const isPlainText = typeof output === "string" && tool.output === undefined;
  return {
    content: createTextContent(typeof output === "string" ? output : JSON.stringify(output)),
    isError: false,
    ...(isPlainText ? { plainText: output } : { output }),
  };
}
