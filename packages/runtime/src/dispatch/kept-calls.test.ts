import { describe, expect, test, vi } from "vitest";
import { keeping } from "../extensions/durable/keep-calls.js";
import { refused } from "../results/outcome.js";
import { createKernel } from "./kernel.js";
import { createPermissions } from "./permissions/create-permissions.js";
import type { DispatchEvent, DispatcherOptions } from "./state/dispatcher-types.js";
import { defineExtension } from "./state/define-extension.js";
import type { Attachment, DispatcherExtension, KeptCall, TurnPart } from "./state/extension.js";
import { callsOf, writer } from "./tools.testing.js";

const program: KeptCall["program"] = {
  isSuspended: false,
  mayHaveWritten: false,
  load: async () => ({ calls: 0, order: [] }),
  isSame: () => true,
  run: async () => undefined,
  suspend: () => undefined,
  close: async () => undefined,
};

/** A call that is kept, and of which nothing is known. */
const kept: KeptCall = {
  outcome: undefined,
  earlier: undefined,
  isOpen: false,
  program,
  recall: () => ({}),
  ask: async (askHost) => ({ person: await askHost?.() }),
  reserve: async () => ({ idempotencyKey: "key" }),
  settle: async (result) => result,
  explain: refused,
};

function keeper(keep: NonNullable<TurnPart["keep"]>, owns: Attachment["owns"] = ["keep"]): DispatcherExtension {
  return defineExtension({ name: "keeper", attach: () => ({ api: undefined, owns, keeping, turn: () => ({ keep }) }) });
}

async function run(extension: DispatcherExtension, options: Partial<DispatcherOptions> = {}) {
  const handler = vi.fn((_input: unknown, { idempotencyKey }: { readonly idempotencyKey: string }) => idempotencyKey);
  const events: DispatchEvent[] = [];
  const tools = [writer("send", handler), writer("pay", handler, { behavior: { requiresPermission: true } })];
  const permissions = { ask: () => "allow" as const };
  const onEvent = (event: DispatchEvent): number => events.push(event);
  const kernel = createKernel({ tools, permissions, onEvent, ...options }, [extension]);
  const results = await kernel.dispatch(callsOf("pay", "send"));
  return { results, events, handler };
}

const FAULTS = {
  throws: () => {
    throw new Error("boom");
  },
  rejects: () => Promise.reject(new Error("boom")),
  "answers garbage": () => 7,
} as const;

/** The doors: the type requires each. `isRead` marks values; `ran` marks doors after the handler, whose result is withheld. */
const DOORS: {
  readonly [Door in Exclude<keyof KeptCall, "program">]: {
    readonly isRead?: true;
    readonly ran?: true;
    readonly options?: Partial<DispatcherOptions>;
    /** An answer of the right type that the door must refuse, too. */
    readonly wrong?: () => unknown;
  };
} = {
  outcome: { isRead: true },
  earlier: { isRead: true },
  isOpen: { isRead: true, ran: true },
  recall: { wrong: () => ({ guardAllows: { reason: 7 } }) },
  ask: { wrong: async () => ({ person: { topics: [7] } }) },
  reserve: { wrong: async () => ({}) },
  settle: { ran: true, wrong: async () => ({ callId: "another", content: [] }) },
  explain: {
    options: { permissions: { deny: ["pay"] } },
    wrong: () => ({ content: [], isError: false, durationMs: 0 }),
  },
};

const cases = Object.entries(DOORS).flatMap(([door, each]) => {
  const wrong = each.wrong === undefined ? {} : { "answers what is not its to say": each.wrong };
  return Object.entries<() => unknown>({ ...FAULTS, ...wrong }).map(([fault, answer]) => ({
    door: door as keyof typeof DOORS,
    fault,
    answer,
    ...each,
  }));
});

describe("an extension that keeps calls", () => {
  test.each(cases)("closes the call with its name if it $fault at `$door`", async (given) => {
    const { door, answer } = given;
    const descriptor = given.isRead === true ? { get: answer } : { value: answer };
    const faulty = (): KeptCall => Object.defineProperty({ ...kept }, door, { ...descriptor, enumerable: true });
    const { results, events, handler } = await run(
      keeper(({ callId }) => (callId === "1" ? faulty() : undefined)),
      given.options,
    );
    expect(results[0]?.error).toMatchObject({
      code: "extension-failed",
      message: expect.stringContaining('the host\'s extension "keeper" failed at'),
    });
    if (given.ran !== true) expect(handler).toHaveBeenCalledTimes(1);
    expect(results[1]?.content).toHaveLength(1);
    expect(events).toContainEqual(expect.objectContaining({ type: "problem", code: "extension-failed", callId: "1" }));
  });

  test("must own the door `keep`", async () => {
    const { results, handler } = await run(keeper(() => kept, []));
    expect(handler).not.toHaveBeenCalled();
    expect(results.map(({ error }) => error?.code)).toEqual(["extension-failed", "extension-failed"]);
    const unable = defineExtension({ name: "mute", attach: () => ({ api: undefined, owns: ["keep"] }) });
    expect(() => createKernel({ tools: [] }, [unable])).toThrow("`mute` takes over `keep` without `keeping`");
  });

  test.each([
    ["a listener", {}],
    ["nobody", { onEvent: undefined }],
  ])("passes its key to the handler, and answers with the result that was stored first, to %s", async (_, options) => {
    const settle: KeptCall["settle"] = async (result) => ({ ...result, content: [{ type: "text", text: "first" }] });
    const stores = keeper(({ callId }) => (callId === "1" ? { ...kept, settle } : undefined));
    const { results, handler } = await run(stores, options);
    expect(handler.mock.results[0]?.value).toBe("key");
    expect(results[0]?.content).toEqual([{ type: "text", text: "first" }]);
  });

  test("leaves a call open without an answer, and the batches after it wait", async () => {
    const waiting = { ...kept, isOpen: true, ask: async () => ({ end: "open" as const }) };
    const { results, handler } = await run(keeper(() => waiting));
    expect([results, handler.mock.calls]).toEqual([[], []]);
  });

  test("ends a call with the result or outcome that another process left", async () => {
    const outcome = { content: [], isError: true, durationMs: 0 } as const;
    const result = { ...outcome, callId: "2", toolName: "send", wasConcurrent: false };
    const reserve: KeptCall["reserve"] = async () => ({ end: result });
    const ends = keeper(({ callId }) =>
      callId === "1" ? { ...kept, reserve: async () => ({ end: outcome }) } : { ...kept, reserve },
    );
    const { results, handler } = await run(ends);
    expect(handler).not.toHaveBeenCalled();
    expect([results[0]?.isError, results[1]]).toEqual([true, result]);
  });

  test("lets the permissions decide once more between the reservation and the handler", async () => {
    const permissions = createPermissions({ ask: () => "allow" });
    const reserve: KeptCall["reserve"] = async () => {
      permissions.mode = "plan";
      return { idempotencyKey: "key" };
    };
    const { results, handler } = await run(
      keeper(() => ({ ...kept, reserve })),
      { permissions },
    );
    expect(handler).not.toHaveBeenCalled();
    expect(results[0]?.error?.code).toBe("plan-mode");
  });
});
