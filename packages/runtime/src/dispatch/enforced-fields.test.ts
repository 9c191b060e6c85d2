import { expect, test } from "vitest";
import { FAIL_CLOSED_DEFAULTS, FIELD_ENTRIES, VARYING_FLAGS, type FieldPath, type FieldValue } from "../tool/fields.js";
import type { ToolDefinition, ToolResult } from "../tool/definition.js";
import { buildTool } from "../tool/tool.js";
import type { DispatcherOptions } from "./state/dispatcher-types.js";
import { UNCLASSIFIED } from "./state/call-state.js";
import { createEquippedDispatcher as createDispatcher, callsOf, sleep, type Options } from "./tools.testing.js";

/** Runs calls of `t` whose field has a value, and reports the outcome. */
type Observation = (state: (parts?: Parts) => Parts) => Promise<unknown>;
type Parts = Omit<Partial<ToolDefinition>, "name" | "description" | "input">;

const allowed: Partial<DispatcherOptions> = { permissions: { check: () => "allow" }, retryDelayMs: () => 0 };
const busy = (): never => {
  throw Object.assign(new Error("busy"), { retryable: true });
};

async function run(
  parts: Parts,
  options: Partial<DispatcherOptions> = allowed,
  calls: readonly string[] = ["t"],
): Promise<readonly ToolResult[]> {
  const tool = buildTool({ name: "t", description: "T.", input: { type: "object", properties: {} }, ...both(parts) });
  return createDispatcher({ tools: [tool], flow: "ask", ...options }).dispatch(callsOf(...calls));
}

const both = (parts: Parts): Parts & Pick<ToolDefinition, "execute"> => ({ execute: () => "ok", ...parts });
const codesOf = (results: readonly ToolResult[]): unknown => results.map(({ error }) => error?.code);

test("a call that no tool has judged has the strictest classification", () => {
  const { behavior, concurrency } = FAIL_CLOSED_DEFAULTS;
  const flags = Object.fromEntries(VARYING_FLAGS.map((flag) => [flag, behavior[flag]]));
  expect(UNCLASSIFIED).toEqual({ class: concurrency.class, ...flags });
});

/** Counts the attempts of a call that always fails. */
async function attemptsOf(parts: Parts): Promise<number> {
  let attempts = 0;
  await run({
    ...parts,
    execute: () => {
      attempts += 1;
      return busy();
    },
  });
  return attempts;
}

/** Calls the tool again in the conversation that has read its first result. */
async function callsAfterOwnResult(state: (parts?: Parts) => Parts): Promise<unknown> {
  return codesOf(await run(state(), allowed, ["t", "t"]));
}

/**
 * Observes the difference that each field makes to a call. For a field that nothing here enforces, name its reader
 * instead.
 */
const enforcement: { readonly [path in FieldPath]: Observation | string } = {
  "concurrency.class": async (state) => {
    const parts = state({ execute: () => sleep(5) });
    return (await run(parts, allowed, ["t", "t"])).map(({ wasConcurrent }) => wasConcurrent);
  },
  "behavior.isReadOnly": (state) => attemptsOf(state({ limits: { maxRetries: 1 } })),
  "behavior.isDestructive": async (state) => {
    const rules = [{ tool: "*", decision: "allow", reason: "all that destroys nothing" }] as const;
    return codesOf(await run(state(), { permissions: { rules } }));
  },
  "behavior.isIdempotent": (state) => attemptsOf(state({ limits: { maxRetries: 1 } })),
  "behavior.isOpenWorld": callsAfterOwnResult,
  "behavior.returnsUntrusted": callsAfterOwnResult,
  "behavior.returnsPrivate": callsAfterOwnResult,
  "behavior.requiresPermission": async (state) => codesOf(await run(state({ behavior: { isDestructive: false } }), {})),
  "behavior.requiresUserInteraction": async (state) => codesOf(await run(state())),
  "behavior.interruptBehavior": async (state) => {
    let isAborted = false;
    const execute = async (_: unknown, { signal }: Options): Promise<void> => {
      await sleep(10);
      isAborted = signal.aborted;
    };
    const tool = buildTool({
      name: "t",
      description: "T.",
      input: { type: "object", properties: {} },
      ...both(state({ execute: execute as ToolDefinition["execute"] })),
    });
    const dispatcher = createDispatcher({ tools: [tool], ...allowed });
    const results = dispatcher.dispatch(callsOf("t"));
    await sleep(3);
    dispatcher.interrupt();
    await results;
    await sleep(15);
    return isAborted;
  },
  "behavior.abortsSiblingsOnError": async (state) => {
    let calls = 0;
    const execute = async (_: unknown, { signal }: Options): Promise<string> => {
      calls += 1;
      if (calls === 1) throw new Error("no");
      await sleep(5);
      return String(signal.aborted);
    };
    const parts = state({
      concurrency: { class: "READ_ONLY" },
      execute: execute as ToolDefinition["execute"],
    });
    return (await run(parts, allowed, ["t", "t"])).map(({ content }) => content);
  },
  "visibility.load": async (state) => codesOf(await run(state())),
  "limits.maxResultSizeChars": async (state) => {
    const [result] = await run(state({ execute: () => "x".repeat(100_010) }));
    return JSON.stringify(result?.content).length;
  },
  "limits.timeoutSeconds": async (state) => {
    const { limits } = state();
    // The handler takes longer than the strictest value in the table below.
    return codesOf(await run({ limits, execute: () => sleep(30) }));
  },
  "limits.maxRetries": (state) => attemptsOf(state({ behavior: { isIdempotent: true } })),
};

/** Two values of each field between which a call must differ. */
const values: { readonly [path in FieldPath]?: readonly [FieldValue, FieldValue] } = {
  // A minute is too long for a test.
  "limits.timeoutSeconds": [0.001, "unlimited"],
  // `always` differs where a list grows too long.
  "visibility.load": ["normal", "deferred"],
};

test.each(FIELD_ENTRIES.map((entry) => [entry.path, entry] as const))(
  "%s makes a difference to a call",
  async (path, { group, name, field }) => {
    const observe = enforcement[path];
    if (typeof observe === "string") return expect(observe).not.toBe("");
    const loosest = "values" in field ? field.values.findLast((value) => value !== field.strict) : 1;
    const other = "number" in field && field.unlimited ? "unlimited" : (loosest ?? field.strict);
    const pair = values[path] ?? [field.strict, other];
    const observed = await Promise.all(
      pair.map((value) =>
        observe((parts = {}) => ({ ...parts, [group]: { ...(parts[group] as object | undefined), [name]: value } })),
      ),
    );
    expect(observed[0]).not.toEqual(observed[1]);
  },
);
