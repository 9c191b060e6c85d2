import fc from "fast-check";
import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import type { ToolCall } from "../tool/definition.js";
import { createEquippedDispatcher as createDispatcher, reader, sleep, writer, type Options } from "./tools.testing.js";

/** A call whose handler makes further calls. */
interface Node {
  readonly isReader: boolean;
  readonly ms: number;
  readonly children: readonly Node[];
  /** True if the handler waits for its children. */
  readonly waits: boolean;
}

interface Span {
  readonly path: string;
  readonly isReader: boolean;
  readonly start: number;
  end: number;
}

const { tree } = fc.letrec<{ tree: Node }>((tie) => ({
  tree: fc.record({
    isReader: fc.boolean(),
    ms: fc.integer({ min: 0, max: 200 }),
    children: fc.oneof(
      { maxDepth: 3, depthIdentifier: "calls" },
      fc.constant([]),
      fc.array(tie("tree"), { maxLength: 3, depthIdentifier: "calls" }),
    ),
    waits: fc.oneof({ weight: 5, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) }),
  }),
}));

// Modules load in real time, which virtual time does not wait for.
beforeAll(() => import("./nested-calls.js"));
beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("calls of calls of calls: nobody waits for ever, all are answered in order, nothing unsafe overlaps but with its own ancestors", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(tree, { maxLength: 3 }), { minLength: 1, maxLength: 3 }),
      fc.integer({ min: 1, max: 3 }),
      async (turns, cap) => {
        const spans: Span[] = [];
        const nodes = new Map<string, Node>();
        let ticks = 0;
        const callsOf = (children: readonly Node[], parent: string): ToolCall[] =>
          children.map((child, index) => {
            const path = `${parent}/${index}`;
            nodes.set(path, child);
            return { id: path, name: child.isReader ? "reader" : "writer", input: { path } };
          });

        const over = (span: Span): string => {
          span.end = ticks += 1;
          return "ok";
        };

        async function execute({ path }: Record<string, unknown>, { dispatch, signal }: Options): Promise<string> {
          const node = nodes.get(String(path));
          if (node === undefined) throw new Error("an unplanned call ran");
          const span: Span = { path: String(path), isReader: node.isReader, start: (ticks += 1), end: Infinity };
          spans.push(span);
          await sleep(node.ms);
          const nested = dispatch(callsOf(node.children, span.path));
          if (node.waits) {
            const results = await nested;
            if (signal.aborted) return over(span);
            expect(results.map((result) => result.callId)).toEqual(
              node.children.map((_child, index) => `${span.path}/${index}`),
            );
            expect(results.map((result) => result.error?.code)).toEqual(
              node.children.map((child) =>
                node.isReader && !child.isReader ? "nested-call-not-read-only" : undefined,
              ),
            );
          }
          await sleep(node.ms);
          return over(span);
        }
        const dispatcher = createDispatcher({
          tools: [reader("reader", execute), writer("writer", execute)],
          maxConcurrency: cap,
        });
        const pending = Promise.all(turns.map((turn, index) => dispatcher.dispatch(callsOf(turn, String(index)))));
        await vi.runAllTimersAsync();
        const results = await pending;

        const stopped = (path: string): boolean => {
          for (let at = path; at.includes("/"); at = at.slice(0, at.lastIndexOf("/"))) {
            if (at !== path && nodes.get(at)?.waits === false) return true;
          }
          return false;
        };
        expect(results.flat().every((result) => !result.isError)).toBe(true);
        expect(
          spans.every((span) => span.end !== Infinity),
          "every handler has ended",
        ).toBe(true);
        for (const one of spans) {
          for (const other of spans) {
            const areKin =
              one.path.startsWith(`${other.path}/`) || other.path.startsWith(`${one.path}/`) || one === other;
            // Children left behind are stopped with the handler and do not listen here; readers may then still be
            // running.
            if (
              areKin ||
              (one.isReader && other.isReader) ||
              (one.isReader && stopped(one.path)) ||
              (other.isReader && stopped(other.path))
            ) {
              continue;
            }
            expect(one.end < other.start || other.end < one.start, JSON.stringify([one, other])).toBe(true);
          }
        }
      },
    ),
  );
});
