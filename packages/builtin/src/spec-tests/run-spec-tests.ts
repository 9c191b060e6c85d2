import type { DispatcherExtension } from "@hasp/runtime";
import { VARYING_FLAGS } from "@hasp/runtime/contract";
import type { JsonValue } from "@hasp/schema";
import type { Location } from "@hasp/base/diagnostics";
import { findOrAdd, dropUndefined, isSameJson } from "@hasp/base/json";
import { createInputValidator, type SpecTest } from "@hasp/compiler/model";
import type { FlatTool } from "@hasp/compiler";
import { type Classified, createClassifier } from "@hasp/compiler/run";
import type { EmittedTool } from "./emitted-tools.js";
import type { FunctionAnswer, HandlerFunction, FunctionsByName } from "./handler-function.js";
import { findHandlerProblems, type UnmetExpectation } from "./declared-handlers.js";
import { holds } from "@hasp/compiler/conditions";

export interface SpecTestResult {
  readonly tool: string;
  readonly kind: "test" | "example" | "policy";
  /** The position in the spec's list, from 0. */
  readonly index: number;
  /** The input and the expectation on one line. */
  readonly title: string;
  readonly location: Location;
  /** `skipped`: the result depends on a custom function that could not run. */
  readonly status: "passed" | "failed" | "skipped";
  readonly problems: readonly SpecTestProblem[];
}

interface SpecTestProblem {
  readonly message: string;
  readonly location: Location;
}

export interface SpecTestOptions {
  /** Handler functions by tool and name; tests without theirs are skipped. */
  readonly custom?: (tool: string, name: string) => HandlerFunction | undefined;
  /** Generated modules, which must behave like the compiled spec. */
  readonly emitted?: ReadonlyMap<string, EmittedTool>;
  /** Opens the tape that a test of the tool names. A thrown error fails the test. */
  readonly openTape?: (tool: FlatTool, file: string) => Promise<DispatcherExtension>;
}

/** Runs every spec's `tests` and `examples` with the compiled conditions and those of the generated module. */
export async function runSpecTests(
  tools: readonly FlatTool[],
  options: SpecTestOptions = {},
): Promise<readonly SpecTestResult[]> {
  const results: SpecTestResult[] = [];
  for (const tool of tools) {
    const evaluate = evaluatorOf(tool, options);
    for (const [index, { input }] of (tool.spec.examples ?? []).entries()) {
      const test: SpecTest = { input, expect: { valid: true } };
      results.push(await resultOf(tool, "example", index, test, evaluate));
    }
    for (const [index, test] of (tool.spec.tests ?? []).entries()) {
      const result = await resultOf(tool, "test", index, test, evaluate);
      const module = options.emitted?.get(tool.name)?.handler;
      const unmet = result.status === "passed" ? await findHandlerProblems(tool, test, module, options.openTape) : [];
      results.push(unmet.length === 0 ? result : withUnmet(result, unmet, tool));
    }
  }
  return results;
}

function withUnmet(result: SpecTestResult, unmet: readonly UnmetExpectation[], tool: FlatTool): SpecTestResult {
  const problems = unmet.map(({ message, at }) => ({ message, location: tool.locate(`/tests/${result.index}/${at}`) }));
  return { ...result, status: "failed", problems };
}

interface Verdict {
  /** The function that never returned, and its fate; a call would hang. */
  readonly lapse: string | undefined;
  readonly refusals: readonly { readonly pointer: string; readonly message: string }[];
  /** Checks that could not run, with reasons. */
  readonly unaskedChecks: readonly string[];
  /** Custom conditions that could not run. */
  readonly unaskedConditions: readonly string[];
  /** The result of the decision table. */
  readonly classification: { readonly [name: string]: unknown };
  readonly value?: unknown;
  /** The module's difference from the spec, which is a bug in hasp. */
  readonly fault?: string;
}

type EvaluateTest = (test: SpecTest) => Promise<Verdict>;

/** Evaluates each test with the compiled spec and, if known, the generated module. */
function evaluatorOf(tool: FlatTool, { custom, emitted }: SpecTestOptions): EvaluateTest {
  const module = emitted?.get(tool.name);
  return async (test) => {
    const functions = answeredOnce((name) => custom?.(tool.name, name));
    const verdict = await judgeOf(tool, functions)(test);
    if (module === undefined) return verdict;
    const asEmitted = await judgeOf(module.tool, functions)(test);
    if (!isSameJson(asEmitted as unknown as JsonValue, verdict as unknown as JsonValue)) {
      return { ...verdict, fault: `${module.path} gives a different result than the spec of ${tool.name}` };
    }
    const [dialect] = verdict.value === undefined ? [] : module.decodersThatDiffer(verdict.value);
    return dialect === undefined
      ? verdict
      : { ...verdict, fault: `${module.path} decodes a call from ${dialect} into a different input` };
  };
}

/** Calls each function once per question. */
function answeredOnce(functions: FunctionsByName): FunctionsByName {
  const answers = new Map<string, Promise<FunctionAnswer>>();
  return (name) => {
    const asked = functions(name);
    if (asked === undefined) return undefined;
    return (question) => {
      const key = JSON.stringify([name, question]);
      return findOrAdd(answers, key, () => asked(question));
    };
  };
}

function judgeOf(tool: FlatTool, functions: FunctionsByName): EvaluateTest {
  const validate = createInputValidator(tool);
  const classify = createClassifier(tool);
  return async ({ input, context }) => {
    const { errors, value } = validate(input);
    if (errors.length > 0) {
      const refusals = errors.map(({ pointer, message }) => ({ pointer, message }));
      return { lapse: undefined, refusals, unaskedChecks: [], unaskedConditions: [], classification: {} };
    }
    const { refusal, unasked, lapse } = await semanticVerdict(tool, value, context, functions);
    const {
      answer,
      unknown,
      lapse: laterLapse,
    } = lapse === undefined ? await askAndClassify(classify, value, functions) : NOT_CLASSIFIED;
    return {
      lapse: lapse ?? laterLapse,
      refusals: refusal === undefined ? [] : [{ pointer: "", message: refusal }],
      unaskedChecks: unasked,
      unaskedConditions: unknown.map((name) => `${name}, which the handler exports`),
      classification: { ...answer },
      value,
    };
  };
}

const NOT_CLASSIFIED = { answer: {}, unknown: [], lapse: undefined };
const FLAGS = ["class", ...VARYING_FLAGS] as const;

async function resultOf(
  tool: FlatTool,
  kind: "test" | "example",
  index: number,
  test: SpecTest,
  evaluate: EvaluateTest,
): Promise<SpecTestResult> {
  const pointer = `/${kind}s/${index}`;
  const about = { tool: tool.name, kind, index, title: titleOf(test, kind), location: tool.locate(pointer) };
  const { expect } = test;
  const { lapse, refusals, unaskedChecks, unaskedConditions, classification, fault } = await evaluate(test);
  if (fault !== undefined) {
    const message = `${fault}. This is a bug in hasp; please report it.`;
    return { ...about, status: "failed", problems: [{ message, location: about.location }] };
  }
  if (lapse !== undefined) {
    return {
      ...about,
      status: "failed",
      problems: [{ message: `${lapse}.`, location: tool.locate(`${pointer}/input`) }],
    };
  }
  const problems: SpecTestProblem[] = [];
  const miss = (message: string, at: string): void => {
    problems.push({ message, location: tool.locate(kind === "example" ? `${pointer}/input` : `${pointer}/${at}`) });
  };

  const flags = FLAGS.filter((flag) => expect[flag] !== undefined);
  const mustBeRefused = expect.invalid !== undefined || expect.valid === false;
  const [refusal] = refusals;
  if (!mustBeRefused && refusal !== undefined) {
    miss(`The input is rejected${refusal.pointer === "" ? "" : ` at ${refusal.pointer}`}: ${refusal.message}`, "input");
  } else if (mustBeRefused && refusal === undefined) {
    miss("The input is accepted.", expect.invalid === undefined ? "expect/valid" : "expect/invalid");
  } else if (expect.invalid !== undefined && !refusals.some((each) => isAt(each.pointer, expect.invalid ?? ""))) {
    const places = [...new Set(refusals.map((each) => each.pointer || "the whole input"))].join(", ");
    miss(`The input is rejected at ${places} instead: ${refusal?.message ?? ""}`, "expect/invalid");
  }
  if (refusal === undefined) {
    for (const flag of flags) {
      const actual = classification[flag];
      if (actual !== expect[flag]) miss(`${flag} is ${String(actual)}, not ${String(expect[flag])}.`, `expect/${flag}`);
    }
  }

  // An unasked check may still reject the input, and an unasked condition may still relax a flag.
  const saysValid = mustBeRefused || expect.valid === true;
  const unasked = [...new Set([...(saysValid ? unaskedChecks : []), ...(flags.length > 0 ? unaskedConditions : [])])];
  const isOpen = refusal === undefined && unasked.length > 0;
  const missing = `The result depends on ${unasked.join("; and on ")}.`;
  return {
    ...about,
    status: isOpen ? "skipped" : problems.length > 0 ? "failed" : "passed",
    problems: isOpen ? [{ message: missing, location: tool.locate(pointer) }] : problems,
  };
}

function isAt(pointer: string, expected: string): boolean {
  return pointer === expected || pointer.startsWith(`${expected}/`);
}

function textOf(value: unknown): string {
  if (typeof value !== "object") return String(value);
  const text = JSON.stringify(value);
  return text.length > 80 ? `${text.slice(0, 77)}…` : text;
}

function titleOf({ input, expect }: SpecTest, kind: "test" | "example"): string {
  const text = JSON.stringify(input);
  const shown = text.length > 80 ? `${text.slice(0, 77)}…` : text;
  if (kind === "example") return `${shown} is valid`;
  const wanted = Object.entries(expect).map(([key, value]) => `${key} ${textOf(value)}`);
  return `${shown} → ${wanted.join(", ") || "valid"}`;
}

interface SemanticVerdict {
  readonly refusal?: string;
  /** Checks that could not run, with reasons. */
  readonly unasked: readonly string[];
  /** The check that never returned, and its fate. */
  readonly lapse?: string;
}

/** Runs checks in order, as the runtime does. Skips functions that read a missing context. */
async function semanticVerdict(
  { checks }: FlatTool,
  input: unknown,
  context: object | undefined,
  functions: FunctionsByName,
): Promise<SemanticVerdict> {
  const unasked: string[] = [];
  for (const { that, message = "" } of checks) {
    if (that.kind === "expression") {
      if (!holds(that, input)) return { refusal: message, unasked };
      continue;
    }
    const { name } = that;
    const check = functions(name);
    if (check === undefined) {
      unasked.push(`${name}, which the handler exports`);
      continue;
    }
    const answer = await check({ as: "check", input, ...dropUndefined({ context }) });
    switch (answer.kind) {
      case "wants-context":
        unasked.push(`${name}, which reads the context of the call, but there is none: ${REMEDY}`);
        break;
      case "threw":
        return { refusal: `${name} threw: ${answer.reason}`, unasked };
      case "lapsed":
        return { lapse: `${name} ${answer.reason}`, unasked };
      case "answered":
        if (!answer.isTrue) return { refusal: answer.text ?? name, unasked };
    }
  }
  return { unasked };
}

const REMEDY = 'set "context" in the test or "context.test" in the configuration';

interface AskedAndClassified extends Classified {
  /** The condition that never returned, and its fate. */
  readonly lapse?: string;
}

/**
 * Classifies an input, calling handler functions as the table reaches them. They answer asynchronously here, so the
 * table is evaluated again with each answer. A function that throws stays unanswered, as in the runtime.
 */
async function askAndClassify(
  classify: ReturnType<typeof createClassifier>,
  input: unknown,
  functions: FunctionsByName,
): Promise<AskedAndClassified> {
  const answers = new Map<string, boolean>();
  const asked = new Set<string>();
  const absent: string[] = [];
  for (;;) {
    const { answer, unknown } = classify(input, answers);
    const wanted = unknown.filter((name) => !asked.has(name));
    if (wanted.length === 0) return { answer, unknown: absent };
    for (const name of wanted) {
      asked.add(name);
      const reply = await functions(name)?.({ as: "condition", input });
      if (reply === undefined) absent.push(name);
      else if (reply.kind === "lapsed") return { answer, unknown: absent, lapse: `${name} ${reply.reason}` };
      else if (reply.kind === "answered") answers.set(name, reply.isTrue);
    }
  }
}
