import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createPrograms } from "@hasp/programs";
import { buildTool } from "@hasp/runtime";
import type { CallStore, StoredTurns } from "@hasp/runtime/call-store";
import { memoryCallStore } from "@hasp/stores";
import { createAnswerHandler, createAnswerLink } from "@hasp/stores/answer-links";
import { fileCallStore } from "@hasp/stores/files";
import { expect, test } from "vitest";
import { openTurns } from "./open-turns.testing.js";

const secret = "a secret of more than thirty-two characters";
const input = { type: "object", properties: {}, additionalProperties: false } as const;
const behavior = { isDestructive: false, isOpenWorld: false };

function turnsOn(store: CallStore, leaseSeconds?: number): StoredTurns {
  const tools = [
    buildTool({
      name: "look",
      description: "Looks.",
      input,
      concurrency: { class: "READ_ONLY" },
      behavior: { ...behavior, requiresPermission: false },
      execute: () => "a-very-secret-word",
    }),
    buildTool({ name: "pay", description: "Pays.", input, behavior, execute: () => "paid" }),
  ];
  return openTurns({ tools, extensions: [createPrograms()] }, { store, leaseSeconds });
}

const code = "const seen = await tools.look(); return [seen.length, await tools.pay()]";
const calls = [{ id: "p", name: "run_program", input: { code } }];

test("a person answers the question of a program by a link, once, and the program goes on", async () => {
  const callStore = memoryCallStore();
  const turns = turnsOn(callStore);
  const outcome = await turns.run(calls, { turnId: "t" });
  const [question] = outcome.status === "waiting" ? outcome.questions : [];
  if (question === undefined) throw new Error("the program asks nothing");
  const link = await createAnswerLink(question, { url: "https://host.example/answers", secret, by: "ann" });
  const handle = createAnswerHandler({ turns, secret });
  const page = await (await handle(new Request(link))).text();
  expect(page).toContain("pay");
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  const answer = (decision: string): Promise<Response> =>
    handle(new Request(link, { method: "POST", body: `decision=${decision}`, headers }));
  expect((await answer("allow")).status).toBe(200);
  expect((await answer("deny")).status).not.toBe(200);
  const { results } = await turns.resume("t");
  expect(results[0]?.output).toEqual({ result: [18, "paid"], console: [] });
  const records = await callStore.records({ turnId: "t/p.2" });
  expect(records.find(({ to }) => to === "allowed")).toMatchObject({ by: "ann", questionId: question.id });
});

test("the question of a program is answered, whatever ids the model gives its other calls", async () => {
  const callStore = memoryCallStore();
  const turns = turnsOn(callStore);
  await turns.run([...calls, { id: "p.2", name: "look", input: {} }], { turnId: "t" });
  const [question] = await callStore.questions({ isOpen: true });
  expect(await turns.answer(question?.id ?? "", { decision: "allow" })).toEqual({ accepted: true });
  expect((await turns.resume("t")).results.map(({ isError }) => isError)).toEqual([false, false]);
});

test("a program takes no answer or result from a turn that another principal has opened as its call", async () => {
  const callStore = memoryCallStore();
  const turns = turnsOn(callStore, 0.1);
  const forged = { turnId: "t/p.2", principal: "mallory" };
  const outcome = await turns.run([{ id: "p.2", name: "pay", input: {} }], forged);
  const [question] = outcome.status === "waiting" ? outcome.questions : [];
  await turns.answer(question?.id ?? "", { decision: "allow", by: "mallory" });
  expect((await turns.resume("t/p.2", forged)).status).toBe("settled");
  for (const _ of ["at first", "after the failure"]) {
    await expect(turns.run(calls, { turnId: "t", principal: "ann" })).rejects.toThrow("has another call as t/p.2");
  }
});

test("files hold no result of a program's calls once the program is settled", async () => {
  const folder = await mkdtemp(join(tmpdir(), "hasp-programs-"));
  const hasSecret = async (): Promise<boolean> => {
    const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith(".jsonl"));
    const texts = await Promise.all(names.map((name) => readFile(join(folder, name), "utf8")));
    return texts.join("").includes("a-very-secret-word");
  };
  try {
    const outcome = await turnsOn(fileCallStore(folder)).run(calls, { turnId: "t" });
    const [question] = outcome.status === "waiting" ? outcome.questions : [];
    expect(await hasSecret()).toBe(true);
    await turnsOn(fileCallStore(folder)).answer(String(question?.id), { decision: "allow" });
    const { results } = await turnsOn(fileCallStore(folder)).resume("t");
    expect(results[0]?.output).toMatchObject({ result: [18, "paid"] });
    expect(await hasSecret()).toBe(false);
    expect((await fileCallStore(folder).read("t/p.1"))?.calls[0]).toMatchObject({ state: "settled", order: 1 });
  } finally {
    await rm(folder, { recursive: true });
  }
});
