import { join } from "node:path";
import { buildTool } from "@hasp/runtime";
import type { CallStore, Question } from "@hasp/runtime/call-store";
import { memoryCallStore } from "@hasp/stores";
import { createAnswerHandler, createAnswerLink, type AnswerLinkOptions } from "@hasp/stores/answer-links";
import { fileCallStore } from "@hasp/stores/files";
import { expect, test } from "vitest";
import { accepted, served } from "../../packages/mcp/src/questions/served.testing.js";
import { hasp, project } from "../cli/command-line.js";
import { openTurns } from "./open-turns.testing.js";

// Every way in by which an answer can come: forged, replayed, expired, foreign and racing answers, 10,000 in all.

const COUNTS = { answer: 4960, link: 3000, requestState: 2000, command: 40 };
const AT_ONCE = 100;

/** Makes attempts of each kind in turn, some at once. Answers with how many were accepted. */
async function acceptedOf(
  count: number,
  kinds: readonly ((index: number) => Promise<boolean>)[],
  atOnce = AT_ONCE,
): Promise<number> {
  let taken = 0;
  for (let first = 0; first < count; first += atOnce) {
    const indexes = Array.from({ length: Math.min(atOnce, count - first) }, (_, offset) => first + offset);
    const answers = await Promise.all(indexes.map((index) => kinds[index % kinds.length]?.(index)));
    taken += answers.filter((answer) => answer !== false).length;
  }
  return taken;
}

/** A text with one character changed. */
function changed(text: string, index: number): string {
  const place = index % text.length;
  return text.slice(0, place) + (text[place] === "0" ? "1" : "0") + text.slice(place + 1);
}

const payments: string[] = [];
const pay = buildTool({
  name: "pay",
  description: "Pays.",
  input: { type: "object", properties: {}, additionalProperties: false },
  execute: (_input, { callId }) => void payments.push(callId),
});

/** Questions for Ann in a store: one is open, one denied, one expired. */
async function questionsIn(
  callStore: CallStore,
): Promise<{ readonly open: Question; readonly denied: Question; readonly expired: Question }> {
  const ask = async (turnId: string, questionTtlSeconds = 1000): Promise<Question> => {
    const ann = openTurns({ tools: [pay] }, { store: callStore, principal: "ann", questionTtlSeconds });
    const outcome = await ann.run([{ id: "1", name: "pay", input: {} }], { turnId });
    return (outcome.status === "waiting" ? outcome.questions[0] : undefined) as Question;
  };
  const [open, denied, expired] = [await ask("open"), await ask("denied"), await ask("expired", 0.001)];
  await openTurns({ tools: [pay] }, { store: callStore }).answer(denied.id, { decision: "deny", by: "ann" });
  await new Promise((resolve) => setTimeout(resolve, 5));
  return { open, denied, expired };
}

/** The question that was open still is, and nothing else was decided; then a hundred race for it, and one wins. */
async function stillOpen(
  callStore: CallStore,
  answer: (index: number) => Promise<boolean>,
  atOnce = AT_ONCE,
): Promise<void> {
  expect((await callStore.questions({ isOpen: true })).map(({ turnId }) => turnId)).toEqual(["open"]);
  expect((await callStore.records({})).filter(({ from, to }) => from !== to && to === "allowed")).toEqual([]);
  const racing = await Promise.all(Array.from({ length: atOnce }, (_, index) => answer(index)));
  expect(racing.filter(Boolean)).toHaveLength(1);
  for (const turnId of ["denied", "expired"]) {
    await openTurns({ tools: [pay] }, { store: callStore, principal: "ann" }).resume(turnId);
  }
  expect(payments).toEqual([]);
}

test("10,000 are tried", () => {
  expect(Object.values(COUNTS).reduce((sum, count) => sum + count)).toBe(10_000);
});

test("`answer` accepts none of thousands of forged answers", async () => {
  const callStore = memoryCallStore();
  const { open, denied, expired } = await questionsIn(callStore);
  const turns = openTurns({ tools: [pay] }, { store: callStore, principal: "ann" });
  const answer = async (id: string, by?: string): Promise<boolean> =>
    (await turns.answer(id, { decision: "allow", ...(by !== undefined && { by }) })).accepted;
  const taken = await acceptedOf(COUNTS.answer, [
    (index) => answer(changed(open.id, index), "ann"),
    (index) => answer(open.id.slice(0, index % open.id.length), "ann"),
    () => answer(denied.id, "ann"),
    () => answer(expired.id, "ann"),
    (index) => answer(open.id, index % 2 === 0 ? "eve" : undefined),
    (index) => answer(open.id, `ann${" ".repeat((index % 3) + 1)}`),
  ]);
  expect(taken).toBe(0);
  await stillOpen(callStore, async (index) => {
    const decision = index % 2 === 0 ? "allow" : "deny";
    return (await turns.answer(open.id, { decision, by: "ann" })).accepted;
  });
});

test("answer links accept none of thousands of forged answers", async () => {
  const callStore = memoryCallStore();
  const { open, denied, expired } = await questionsIn(callStore);
  const [secret, url] = ["a secret of more than thirty-two characters", "https://host.example/answers"];
  const turns = openTurns({ tools: [pay] }, { store: callStore, principal: "ann" });
  const handler = { turns, secret };
  const [handle, signedIn] = [createAnswerHandler(handler), createAnswerHandler({ ...handler, signedIn: () => "eve" })];
  const link = (question: Question, options: Partial<AnswerLinkOptions> = {}): Promise<string> =>
    createAnswerLink(question, { url, secret, ...options });
  const post = async (address: string, use = handle, headers: Record<string, string> = {}): Promise<boolean> => {
    const type = { "content-type": "application/x-www-form-urlencoded" };
    const request = new Request(address, { method: "POST", body: "decision=allow", headers: { ...type, ...headers } });
    return (await use(request)).status === 200;
  };
  const later = { ...expired, expiresAt: open.expiresAt };
  const [valid, other] = [await link(open), await link(denied)];
  const signatureOf = (address: string): string => address.slice(address.lastIndexOf("."));
  const tokenAt = valid.indexOf("answer=") + "answer=".length;
  const taken = await acceptedOf(COUNTS.link, [
    async (index) => post(valid.slice(0, tokenAt) + changed(valid.slice(tokenAt), index)),
    async () => post(valid.slice(0, valid.lastIndexOf(".")) + signatureOf(other)),
    async (index) => post(await link(open, { secret: `${secret}${index}` })),
    () => post(other),
    async () => post(await link(expired)),
    async () => post(await link(later)),
    async () => post(await link(open, { expiresAt: new Date(Date.now() - 1) })),
    async () => post(await link(open, { by: "eve" })),
    async () => post(await link(open, { decisions: ["deny"] })),
    () => post(valid, signedIn),
    () => post(valid, handle, { "sec-fetch-site": "cross-site" }),
  ]);
  expect(taken).toBe(0);
  await stillOpen(callStore, () => post(valid));
});

test("the requestState of MCP accepts none of thousands of forged answers", async () => {
  const [callStore, runs]: [CallStore, unknown[]] = [memoryCallStore(), []];
  const [one, other] = [served(undefined, { callStore, runs }), served(undefined, { callStore, runs })];
  const [open, denied] = [await one.send({ principal: "ann" }), await one.send({ principal: "ann" })];
  await one.send({ principal: "ann", requestState: denied.requestState, inputResponses: accepted("Refuse") });
  const send = async (requestState: string, principal: string | undefined, index: number): Promise<boolean> => {
    const answer = (index % 2 === 0 ? one : other).send({
      requestState,
      inputResponses: accepted("Allow once"),
      ...(principal !== undefined && { principal }),
    });
    return answer.then(
      ({ isError }) => isError === false,
      () => false,
    );
  };
  const taken = await acceptedOf(COUNTS.requestState, [
    (index) => send(changed(open.requestState, index), "ann", index),
    (index) => send(open.requestState.slice(0, index % open.requestState.length), "ann", index),
    (index) => send(denied.requestState, "ann", index),
    (index) => send(open.requestState, index % 3 === 0 ? undefined : `eve ${index}`, index),
  ]);
  expect([taken, runs]).toEqual([0, []]);
  expect(await one.openQuestions()).toHaveLength(1);
  const racing = await Promise.all(
    Array.from({ length: AT_ONCE }, (_, index) => send(open.requestState, "ann", index)),
  );
  // Whoever repeats the answer that counted gets its result, and no second effect.
  expect([racing.every(Boolean), runs.length]).toEqual([true, 1]);
});

test("`hasp calls answer` accepts none of forty forged answers", async () => {
  const folder = project({ "hasp.config.yaml": "callStore: { files: .hasp/calls }\n" });
  const callStore = fileCallStore(join(folder, ".hasp/calls"));
  const { open, denied, expired } = await questionsIn(callStore);
  const answer = async (id: string, by: string): Promise<boolean> =>
    (await hasp(folder, ["calls", "answer", id, "--allow", "--by", by])).code === 0;
  const taken = await acceptedOf(
    COUNTS.command,
    [
      (index) => answer(changed(open.id, index), "ann"),
      (index) => answer(open.id.slice(0, index % 6), "ann"),
      () => answer(denied.id, "ann"),
      () => answer(expired.id.slice(0, 8), "ann"),
      () => answer(open.id, "eve"),
    ],
    1,
  );
  expect(taken).toBe(0);
  await stillOpen(callStore, () => answer(open.id, "ann"), 8);
});
