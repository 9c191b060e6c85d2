import { expect, test } from "vitest";
import type { ToolResult } from "../tool/definition.js";
import type { DispatcherOptions } from "../dispatch/state/dispatcher-types.js";
import {
  createEquippedDispatcher as createDispatcher,
  deferred,
  reader,
  sleep,
  writer,
} from "../dispatch/tools.testing.js";
import { runOneByOne, type RunCall } from "./calls-one-by-one.js";

const log: string[] = [];
const work = (name: string) => async (): Promise<string> => {
  log.push(`${name}+`);
  await sleep(5);
  log.push(`${name}-`);
  return name;
};

function runner(options: Partial<DispatcherOptions> = {}): RunCall<unknown> {
  log.length = 0;
  return runOneByOne(
    createDispatcher({ tools: [reader("read", work("read")), writer("write", work("write"))], ...options }),
  );
}
const call = (id: string, name: string): { id: string; name: string; input: object } => ({ id, name, input: {} });
const codes = (results: readonly ToolResult[]): unknown[] => results.map(({ callId, error }) => [callId, error?.code]);

test("calls that come at once are one turn: readers together, writers alone, in order", async () => {
  const run = runner();
  const results = await Promise.all(
    ["read", "read", "write", "read"].map((name, index) => run(call(String(index), name), {})),
  );
  expect(log).toEqual(["read+", "read+", "read-", "read-", "write+", "write-", "read+", "read-"]);
  expect(results.map(({ callId }) => callId)).toEqual(["0", "1", "2", "3"]);
});

test("a later call does not overtake an earlier one that is still asked about", async () => {
  const answer = deferred<"allow">();
  const run = runner({
    permissions: { rules: [{ tool: "write", decision: "ask" }], ask: () => answer.promise },
  });
  const first = run(call("1", "write"), { step: "a" });
  await sleep(5);
  const second = run(call("2", "read"), { step: "a" });
  await sleep(5);
  expect(log).toEqual([]);
  answer.resolve("allow");
  await Promise.all([first, second]);
  expect(log).toEqual(["write+", "write-", "read+", "read-"]);
});

test("a reader that comes while readers run joins them", async () => {
  const release = deferred();
  const begun: string[] = [];
  const waits = reader("read", (input) => {
    begun.push(String(input["as"]));
    return release.promise;
  });
  const run = runOneByOne(createDispatcher({ tools: [waits] }));
  const read = (id: string): Promise<ToolResult> => run({ id, name: "read", input: { as: id } }, {});
  const first = read("1");
  await expect.poll(() => begun).toEqual(["1"]);
  const second = read("2");
  await expect.poll(() => begun).toEqual(["1", "2"]);
  release.resolve();
  expect((await Promise.all([first, second])).map(({ wasConcurrent }) => wasConcurrent)).toEqual([true, true]);
});

test("the second call of one id in a step is refused; in the next step it is another call", async () => {
  const run = runner();
  const results = await Promise.all([
    run(call("1", "read"), { step: 1 }),
    run(call("1", "read"), { step: 1 }),
    run(call("1", "read"), { step: 2 }),
  ]);
  expect(codes(results)).toEqual([
    ["1", undefined],
    ["1", "duplicate-call-id"],
    ["1", undefined],
  ]);
  expect((await run(call("1", "read"), { step: 1 })).isError).toBe(false);
});

test("an abort ends the calls of its own session only", async () => {
  const run = runner();
  const controller = new AbortController();
  const stopped = run(call("1", "write"), { signal: controller.signal });
  const other = run(call("2", "write"), {});
  controller.abort();
  expect(codes(await Promise.all([stopped, other]))).toEqual([
    ["1", "aborted"],
    ["2", undefined],
  ]);
});

test("a call whose id is no text is answered too", async () => {
  const run = runner();
  const results = await Promise.all(
    [7, undefined, null].map((id) => run({ id, name: "read", input: {} } as never, {})),
  );
  expect(codes(results)).toEqual([
    ["", "malformed-call"],
    ["", "malformed-call"],
    ["", "malformed-call"],
  ]);
});
