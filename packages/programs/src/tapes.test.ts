import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDispatcher, type Tape } from "@hasp/runtime";
import { recordTape, replayTape } from "@hasp/runtime/testing";
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
  const run = async (tape: Tape): Promise<unknown> => {
    const dispatcher = createDispatcher({ tools, programs: createPrograms(), tape });
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
