import type { JsonValue } from "@hasp/schema";
import type { ToolResult } from "../../tool/definition.js";
import type { GuardHook, HookRequest, Hooks, PostHook, TransformHook } from "../dispatcher-types.js";
import { aFunction, checkShape, type Kind, type Shape } from "../../tool/shape.js";
import { copyJson } from "../../json/copy-json.js";
import { canonicalText } from "@hasp/schema/canonical-text";
import { deepFreeze } from "../../json/deep-freeze.js";
import { toContent } from "../../results/content.js";
import { Refusal, retold, type Outcome } from "../../results/outcome.js";
import { messageOf, textContent } from "../../results/text.js";
import { Stopped, bounded, isThenable } from "../scheduling/bounded.js";
import { refuse } from "../check-options.js";
import type { Engine } from "../engine.js";
import { inOrder } from "../scheduling/in-order.js";
import type { HookPhases } from "../parts.js";
import { idsOf, type Slot } from "../slot.js";
import { GRACE_MS } from "../scheduling/stop.js";
import type { TurnState } from "../turn-state.js";
import { setInput } from "./parse.js";

const functions: Kind = {
  expected: "a function, or a list of them",
  fits: (value) => [value].flat().every(aFunction.fits),
};
const HOOKS: Shape = { transform: functions, guard: functions, post: functions };

/**
 * The part that runs the host's hooks: as they stand now, the caller's lists may change afterwards. Throws a
 * `TypeError` for one that is misspelt or no function.
 */
export function hooks<Context>(given: Hooks<Context>): HookPhases {
  checkShape(given, HOOKS, "hooks.", refuse);
  const transforms = listOf(given.transform) as readonly TransformHook[];
  const guards = listOf(given.guard) as readonly GuardHook[];
  const posts = listOf(given.post) as readonly PostHook[];
  return {
    before(engine, turn, slot, entry, judgeAgain) {
      const take = (input: JsonValue): void | Promise<void> => {
        if (input === slot.input) return runGuards(guards, engine, turn, slot);
        setInput(engine, slot, entry, input);
        const judging = judgeAgain();
        return judging === undefined
          ? runGuards(guards, engine, turn, slot)
          : judging.then(() => runGuards(guards, engine, turn, slot));
      };
      const after = transformed(transforms, engine, turn, slot);
      return after instanceof Promise ? after.then(take) : take(after);
    },
    after: (engine, turn, slot, outcome, preview) => runPosts(posts, engine, turn, slot, outcome, preview),
  };
}

function listOf<Hook>(given: Hook | readonly Hook[] | undefined): readonly Hook[] {
  return given === undefined ? [] : ([given].flat() as readonly Hook[]);
}

/**
 * The input after all transforms; the very same where none changed it. Answers at once where none must be waited for.
 */
function transformed(
  transforms: readonly TransformHook[],
  engine: Engine,
  turn: TurnState,
  slot: Slot,
): JsonValue | Promise<JsonValue> {
  const before = slot.input as JsonValue;
  const after = inOrder(transforms, before, (input, hook) =>
    answered(
      { phase: "transform", word: "input", take: (changed) => deepFreeze(copyJson(changed)), otherwise: input },
      engine,
      turn,
      slot,
      () => hook(request(turn, slot, input)),
    ),
  );
  return after instanceof Promise ? after.then((late) => sameOrNew(before, late)) : sameOrNew(before, after);
}

function sameOrNew(before: JsonValue, after: JsonValue): JsonValue {
  return before === after || canonicalText(before) === canonicalText(after) ? before : after;
}

/** Lets every guard see the final input; the first that blocks refuses the call. */
function runGuards(guards: readonly GuardHook[], engine: Engine, turn: TurnState, slot: Slot): void | Promise<void> {
  const block = (given: unknown): never => {
    const reason = typeof given === "string" && given !== "" ? given : "no reason was given";
    throw new Refusal("guard", "blocked", `The call of ${slot.toolName} was blocked; nothing was run: ${reason}`);
  };
  return inOrder<GuardHook, void>(guards, undefined, (_none, hook) =>
    answered({ phase: "guard", word: "block", take: block, otherwise: undefined }, engine, turn, slot, () =>
      hook(request(turn, slot, slot.input)),
    ),
  );
}

/** What a hook may say beside a note, and what that means. */
interface Question<Value> {
  readonly phase: "transform" | "guard";
  readonly word: "input" | "block";
  readonly take: (said: unknown) => Value;
  readonly otherwise: Value;
}

/** What a hook's answer means. Whatever fails is a refusal of the call. */
function answered<Value>(
  { phase, word, take, otherwise }: Question<Value>,
  engine: Engine,
  turn: TurnState,
  slot: Slot,
  ask: () => unknown,
): Value | Promise<Value> {
  const understand = (answer: unknown): Value => {
    if (answer === undefined) return otherwise;
    const parts = record(answer, [word, "note"]);
    takeNote(slot, parts["note"]);
    return Object.hasOwn(parts, word) ? take(parts[word]) : otherwise;
  };
  const fail = (error: unknown): never => {
    if (error instanceof Stopped || error instanceof Refusal) throw error;
    throw new Refusal(
      phase,
      "hook-failed",
      `A ${phase} hook of the host failed, so the call was not run: ${messageOf(error)}`,
    );
  };
  try {
    const answer = ask();
    if (!isThenable(answer)) return understand(answer);
    return bounded(answer, turn, { milliseconds: engine.hookTimeoutMs }).then(understand).catch(fail);
  } catch (error) {
    return fail(error);
  }
}

/**
 * The outcome after all post-hooks. What one throws is reported aside: the side effect has landed, so the result stays.
 * Answers at once where no hook must be waited for.
 */
function runPosts(
  posts: readonly PostHook[],
  engine: Engine,
  turn: TurnState,
  slot: Slot,
  outcome: Outcome,
  preview: (outcome: Outcome) => ToolResult,
): Outcome | Promise<Outcome> {
  const { callId, toolName, input } = slot;
  const { context } = turn;
  const report = (before: Outcome, error: unknown): Outcome => {
    engine.emit?.({ type: "problem", ...idsOf(slot), code: "post-hook-failed", message: messageOf(error) });
    return before;
  };
  return inOrder(posts, outcome, (before, hook) => {
    try {
      const answer: unknown = hook(Object.freeze({ callId, toolName, input, context, result: preview(before) }));
      if (!isThenable(answer)) return afterPost(before, answer);
      // A turn that was stopped still lets its post-hooks see what was executed, within a grace.
      return bounded(answer, turn, { milliseconds: engine.hookTimeoutMs, graceMs: GRACE_MS })
        .then((late) => afterPost(before, late))
        .catch((error: unknown) => report(before, error));
    } catch (error) {
      return report(before, error);
    }
  });
}

/** What a result has and a post-hook cannot change. */
const RESULT_ONLY: readonly string[] = [
  "callId",
  "toolName",
  "calledAs",
  "isError",
  "error",
  "details",
  "durationMs",
  "wasConcurrent",
  "offloaded",
];

function afterPost(outcome: Outcome, answer: unknown): Outcome {
  if (answer === undefined) return outcome;
  // A hook may hand back the result that it was given, changed: what it cannot change (`isError` above all) stays as it
  // is.
  const given = Object.entries(Object(answer)).filter(([key]) => !RESULT_ONLY.includes(key));
  const parts = record(Object.fromEntries(given), ["content", "output", "note", "terminate"]);
  let { content } = outcome;
  let rest = outcome;
  if (parts["content"] !== undefined) {
    content = toContent(parts["content"]);
    // What was taken from the text must not come back through the structured output, nor through the error's message.
    const { output: _replaced, ...withoutOutput } = outcome;
    rest = withoutOutput;
    if (outcome.error !== undefined) {
      rest = { ...withoutOutput, ...retold(outcome.error, content) };
      content = [...rest.content];
    }
  }
  if (typeof parts["note"] === "string") content = [...content, ...textContent(parts["note"])];
  return {
    ...rest,
    content,
    ...(parts["output"] !== undefined && { output: deepFreeze(copyJson(parts["output"])) }),
    ...(parts["terminate"] === true && { terminate: true }),
  };
}

/** An answer with known keys only: one that was misspelt must not pass for consent. */
function record(answer: unknown, known: readonly string[]): Readonly<Record<string, unknown>> {
  const keys = typeof answer === "object" && answer !== null ? Object.keys(answer) : [];
  if (keys.length === 0 || !keys.every((key) => known.includes(key))) {
    throw new TypeError(`it must answer undefined or an object with ${known.join(" or ")}`);
  }
  return answer as Readonly<Record<string, unknown>>;
}

function takeNote(slot: Slot, note: unknown): void {
  if (note === undefined) return;
  if (typeof note !== "string") throw new TypeError("its note must be a text");
  slot.notes = [...slot.notes, note];
}

function request({ context }: TurnState, { callId, toolName }: Slot, input: unknown): HookRequest {
  return Object.freeze({ callId, toolName, input, context });
}
