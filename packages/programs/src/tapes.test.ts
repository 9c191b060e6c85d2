import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createDispatcher, type DispatcherExtension } from "@hasp/runtime";
import { recordTape, replayTape } from "@hasp/testing";
import { createPrograms } from "@hasp/programs";
import { expect, test } from "vitest";
import { reader, writer } from "./programs.testing.js";

test("a tape has the calls of programs, and a replay runs the program with them", async () => {
  const folder = mkdtempSync(join(tmpdir(), "tapes-"));
  const file = join(folder, "program.jsonl");
  let started = 0;
  const tools = [
    reader("look", ({ n }) => ({ seen: n, call: (started += 1) })),
    writer("note", ({ n }) => ({ noted: n, call: (started += 1) })),
  ] as never;
  const code =
    "const all = await Promise.all([1, 2, 3].map((n) => tools.look({ n }))); return [all, await tools.note({ n: 4 })];";
  const run = async (tape: DispatcherExtension): Promise<unknown> => {
    const dispatcher = createDispatcher({ tools, extensions: [createPrograms(), tape] });
    const [result] = await dispatcher.dispatch([{ id: "1", name: "run_program", input: { code } }]);
    return result?.output;
  };
  const recorded = await run(recordTape(file));
  expect(recorded).toMatchObject({ result: [[{ seen: 1 }, { seen: 2 }, { seen: 3 }], { noted: 4 }] });
  const lines = readFileSync(file, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { readonly tool?: string });
  expect(lines.flatMap(({ tool }) => tool ?? [])).toEqual(["look", "look", "look", "note"]);
  expect(await run(replayTape(file))).toEqual(recorded);
  expect(started).toBe(4);
  rmSync(folder, { recursive: true });
});

test("a tape has parallel calls of a program in the order of asking, however fast each of them is", async () => {
  const file = join(mkdtempSync(join(tmpdir(), "tapes-")), "program.jsonl");
  const ended: number[] = [];
  let release: (() => void) | undefined;
  const slow = new Promise<void>((resolve) => (release = resolve));
  const look = reader("look", async ({ n }) => {
    if (n === 1) await slow;
    ended.push(Number(n));
    if (n === 3) release?.();
    return { seen: n };
  });
  const tools = [look] as never;
  const code = `const all = [1, 2, 3].map((n) => tools.look({ n }));
    return [await Promise.race(all), await Promise.all(all), await tools.look({ n: 4 })]`;
  const run = async (tape: DispatcherExtension): Promise<unknown> => {
    const dispatcher = createDispatcher({ tools, extensions: [createPrograms(), tape] });
    const [result] = await dispatcher.dispatch([{ id: "1", name: "run_program", input: { code } }]);
    return result?.output;
  };
  const recorded = await run(recordTape(file));
  expect(ended).toEqual([2, 3, 1, 4]);
  const lines = readFileSync(file, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { readonly input?: { readonly n: number }; readonly order: number });
  expect(lines.flatMap(({ input, order }) => (input === undefined ? [] : [[input.n, order]]))).toEqual([
    [1, 3],
    [2, 1],
    [3, 2],
    [4, 4],
  ]);
  expect(await run(replayTape(file))).toEqual(recorded);
  rmSync(dirname(file), { recursive: true });
});
