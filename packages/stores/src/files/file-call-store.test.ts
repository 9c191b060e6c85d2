import { execFile, execFileSync } from "node:child_process";
import { hash } from "node:crypto";
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { buildTool, createDispatcher } from "@hasp/runtime";
import { informationFlow } from "@hasp/runtime/flow";
import { durableCalls } from "@hasp/stores";
import { fileCallStore } from "@hasp/stores/files";
import type { CallRecord, Question } from "@hasp/runtime/call-store";
import { callStoreConformance } from "@hasp/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const dist = resolve(import.meta.dirname, "../../dist");
let root = "";
let count = 0;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "hasp-call-store-"));
});
afterAll(() => rm(root, { recursive: true, force: true }));
const newFolder = (): string => join(root, String((count += 1)));

describe("the contract", () => {
  for (const { name, run } of callStoreConformance(() => fileCallStore(newFolder()))) {
    test(`fileCallStore meets the contract: ${name}`, run);
  }
});

test("questions by a beginning of the turn's id that ends with a blank are found without reading other turns", async () => {
  const folder = newFolder();
  const store = fileCallStore(folder);
  await store.setUp();
  const question = { id: "q", toolName: "act", input: {}, askedAt: "2030-01-01T00:00:00.000Z" } as unknown as Question;
  for (const turnId of ["again ann 1", "again bob 1"]) {
    const call = {
      turnId,
      callId: "1",
      toolName: "act",
      state: "proposed",
      version: 0,
      received: { id: "1", name: "act" },
    };
    await store.open({ turnId, callsDigest: "d", openedAt: question.askedAt, calls: [call as CallRecord] });
    await store.advance(turnId, "1", "proposed", "asked", { question: { ...question, turnId, callId: "1" } });
  }
  const bobs = join(folder, "turns", `${hash("sha256", "again bob 1")}.jsonl`);
  writeFileSync(bobs, "damaged\n");
  const other = fileCallStore(folder);
  expect(await other.questions({ turnPrefix: "again ann " })).toMatchObject([{ turnId: "again ann 1" }]);
  for (const turnPrefix of ["again ", "again bob ", "again a"]) {
    await expect(other.questions({ turnPrefix }), turnPrefix).rejects.toThrow("damaged");
  }
});

describe("the labels of a conversation", () => {
  const input = { type: "object", properties: {}, additionalProperties: false } as const;
  const tools = [
    buildTool({
      name: "read_page",
      description: "Reads.",
      input,
      concurrency: { class: "READ_ONLY" },
      behavior: { requiresPermission: false, isOpenWorld: false },
      execute: () => "a page",
    }),
    buildTool({
      name: "send",
      description: "Sends.",
      input,
      behavior: { requiresPermission: false, isDestructive: false },
      execute: () => "sent",
    }),
  ];
  async function codeOf(folder: string, name: string): Promise<string> {
    const dispatcher = createDispatcher({
      tools,
      flow: "ask",
      extensions: [informationFlow, durableCalls({ store: fileCallStore(folder) })],
    });
    const [result] = await dispatcher.dispatch([{ id: name, name, input: {} }], { conversation: "c" });
    return result?.error?.code ?? "ok";
  }
  const journalIn = (folder: string): string =>
    join(folder, "labels", readdirSync(join(folder, "labels"))[0] ?? "no file");

  test("a restarted process asks before a call whose conversation holds both labels, until it is forgotten", async () => {
    const folder = newFolder();
    expect(await codeOf(folder, "send")).toBe("ok");
    expect(await codeOf(folder, "read_page")).toBe("ok");
    expect(await codeOf(folder, "send")).toBe("flow");
    await fileCallStore(folder).forget?.("c");
    expect(await codeOf(folder, "send")).toBe("ok");
  });

  test.each([
    ["cut off in the middle", (text: string) => text.slice(0, -9)],
    ["forged", (text: string) => text.replaceAll(/"label":"\w+"/gu, '"label":"none"')],
  ])("a stored label that is %s counts as both", async (_, damage) => {
    const folder = newFolder();
    await codeOf(folder, "read_page");
    const path = journalIn(folder);
    writeFileSync(path, damage(readFileSync(path, "utf8")));
    expect(await codeOf(folder, "send")).toBe("flow");
    // A line that is added later does not join the one that was cut off.
    await fileCallStore(folder).addLabels?.("c", [{ label: "private", callId: "9", toolName: "read_page" }]);
    expect(readFileSync(path, "utf8").trimEnd().split("\n").at(-1)).toContain('"callId":"9"');
    await expect(fileCallStore(folder).labels?.("c")).rejects.toThrow("label of conversation");
  });
});

describe("a folder", () => {
  const turn = {
    turnId: "t",
    callsDigest: "d",
    openedAt: "2026-01-01T00:00:00.000Z",
    calls: [
      { turnId: "t", callId: "1", toolName: "act", state: "proposed", version: 0, received: { id: "1", name: "act" } },
    ],
  } as const;

  async function filled(): Promise<{ readonly folder: string; readonly journal: string }> {
    const folder = newFolder();
    const store = fileCallStore(folder);
    await store.setUp();
    await store.open(turn);
    return { folder, journal: join(folder, "turns", readdirSync(join(folder, "turns"))[0] ?? "") };
  }

  test("a store flushes changes of the same moment once", async () => {
    const { folder, journal } = await filled();
    const store = fileCallStore(folder);
    const wins = await Promise.all(
      Array.from({ length: 40 }, (_, version) =>
        store.advance("t", "1", { state: "proposed", version }, "proposed", {}),
      ),
    );
    expect(wins).toEqual(wins.map(() => true));
    expect((await fileCallStore(folder).read("t"))?.calls[0]?.version).toBe(40);
    const lines = readFileSync(journal, "utf8").trimEnd().split("\n").slice(2);
    expect(new Set(lines.map((line) => /"at":"[^"]+"/.exec(line)?.[0])).size).toBe(1);
  });

  test.each([
    ["input", { key: "opensesame" }],
    ["edited input", { key: "opensesame" }],
    ["completion", { output: "opensesame" }],
  ])(
    "a store keeps no %s of a settled call, even if its process was killed before overwriting it",
    async (what, value) => {
      const { folder, journal } = await filled();
      const store = fileCallStore(folder);
      const part = what === "edited input" ? "edit" : what;
      await store.advance("t", "1", "proposed", "reserved", { [part]: value });
      expect(readFileSync(journal, "utf8")).toContain("opensesame");
      expect((await fileCallStore(folder).read("t"))?.calls[0]).toMatchObject({ [part]: value });
      const before = readFileSync(journal);
      await store.advance("t", "1", "reserved", "settled", { [part]: null });
      const after = readFileSync(journal);
      expect(after.toString()).not.toContain("opensesame");
      writeFileSync(journal, Buffer.concat([before, after.subarray(before.length)]));
      expect((await fileCallStore(folder).read("t"))?.calls[0]).not.toHaveProperty(part);
      expect(readFileSync(journal, "utf8")).not.toContain("opensesame");
    },
  );

  test("a store writes nothing to the journal of a turn that was just removed", async () => {
    const { folder, journal } = await filled();
    const store = fileCallStore(folder);
    expect(await store.advance("t", "1", "proposed", "proposed", {})).toBe(true);
    await rm(journal);
    expect(await store.advance("t", "1", "proposed", "reserved", {})).toBe(false);
    await fileCallStore(folder).open(turn);
    expect(await store.advance("t", "1", { state: "proposed", version: 1 }, "reserved", {})).toBe(false);
    expect(await store.advance("t", "1", { state: "proposed", version: 0 }, "reserved", { input: "secret" })).toBe(
      true,
    );
    expect(await store.advance("t", "1", "reserved", "settled", { input: null })).toBe(true);
    expect((await fileCallStore(folder).read("t"))?.calls[0]).toMatchObject({ state: "settled", version: 2 });
    expect(readFileSync(journal, "utf8")).not.toContain("secret");
  });

  test("a store reads a turn that was removed and opened again, even if its file has the same number", async () => {
    const { folder, journal } = await filled();
    const store = fileCallStore(folder);
    await store.advance("t", "1", "proposed", "proposed", { reason: "the first" });
    // Until then the store holds the file open, whose number is therefore not free.
    await new Promise((resolve) => setTimeout(resolve, 200));
    for (let round = 0; round < 20; round += 1) {
      await rm(journal);
      await fileCallStore(folder).open({ ...turn, callsDigest: String(round) });
      expect(await store.read("t")).toMatchObject({ callsDigest: String(round), calls: [{ version: 0 }] });
    }
  });

  test("stores that remove the same turns at the same moment do not disturb each other, nor new turns", async () => {
    const folder = newFolder();
    const first = fileCallStore(folder);
    await first.setUp();
    for (let old = 0; old < 100; old += 1) await first.open({ ...turn, turnId: `old ${old}`, calls: [] });
    await first.open(turn);
    await new Promise((resolve) => setTimeout(resolve, 5));
    const stores = Array.from({ length: 4 }, () => fileCallStore(folder, { keepSettledSeconds: 0 }));
    await Promise.all(stores.map((store) => store.setUp()));
    expect(readdirSync(join(folder, "turns"))).toHaveLength(1);
    expect((await first.read("t"))?.calls).toEqual(turn.calls);
  });

  test("a store leaves a journal that another one has just created, and removes an abandoned one", async () => {
    const { folder, journal } = await filled();
    const store = fileCallStore(folder, { keepSettledSeconds: 0 });
    writeFileSync(journal, "");
    for (const [age, isKept] of [
      [1000, true],
      [120_000, false],
    ] as const) {
      const then = (Date.now() - age) / 1000;
      utimesSync(journal, then, then);
      await store.setUp();
      expect(readdirSync(join(folder, "turns"))).toHaveLength(isKept ? 1 : 0);
    }
  });

  test("four processes that remove settled turns lose no turn and no question of each other", async () => {
    const { folder } = await filled();
    const program = join(root, "sweeper.mjs");
    writeFileSync(program, SWEEPER);
    const ended = Array.from({ length: 4 }, (_, index) =>
      promisify(execFile)(process.execPath, [program, folder, `process ${index}`]),
    );
    expect((await Promise.all(ended)).map(({ stdout }) => stdout)).toEqual(Array(4).fill("[]"));
  });

  test("several stores on one folder let one of them win each change", async () => {
    const { folder } = await filled();
    const stores = [fileCallStore(folder), fileCallStore(folder), fileCallStore(folder)];
    for (let version = 0; version < 20; version += 1) {
      const from = { state: "proposed", version } as const;
      const wins = await Promise.all(stores.map((store) => store.advance("t", "1", from, "proposed", {})));
      expect(wins.filter(Boolean)).toHaveLength(1);
    }
  });

  test("a store continues after an unfinished line, wherever it broke off", async () => {
    const { folder, journal } = await filled();
    const before = readFileSync(journal);
    await fileCallStore(folder).advance("t", "1", "proposed", "reserved", { input: { a: 1 } });
    const line = readFileSync(journal).subarray(before.length);
    for (let length = 1; length < line.length; length += 1) {
      writeFileSync(journal, Buffer.concat([before, line.subarray(0, length)]));
      expect((await fileCallStore(folder).read("t"))?.calls[0]?.state).toBe("proposed");
      const isWhole = length === line.length - 1;
      expect(await fileCallStore(folder).advance("t", "1", "proposed", "asked", {})).toBe(!isWhole);
      const [call] = (await fileCallStore(folder).read("t"))?.calls ?? [];
      expect([call?.state, call?.version]).toEqual([isWhole ? "reserved" : "asked", 1]);
    }
  });

  test("a store refuses a folder changed by hand, and nothing in it runs", async () => {
    const { folder, journal } = await filled();
    await fileCallStore(folder).advance("t", "1", "proposed", "reserved", { input: { a: "first" }, reason: "why" });
    const whole = readFileSync(journal, "utf8");
    const edits: readonly ((text: string) => string)[] = [
      (text) => text.replace("reserved", "proposed"),
      (text) => text.replace('"why"', '"because"'),
      (text) => text.replace("first", "other"),
      (text) => text.replace("first", ""),
      (text) => text.replace(/\{"a":"first"\}/, (found) => " ".repeat(found.length)),
      (text) => text.split("\n").toSpliced(1, 1).join("\n"),
      (text) => text.replace("\n", "\nhello\n"),
      (text) => `${text}{}\n`,
    ];
    for (const edit of edits) {
      expect(edit(whole)).not.toBe(whole);
      writeFileSync(journal, edit(whole));
      const store = fileCallStore(folder);
      await expect(store.read("t"), edit(whole)).rejects.toThrow("changed by hand");
      await expect(store.advance("t", "1", "reserved", "settled", {})).rejects.toThrow("changed by hand");
    }
    writeFileSync(journal, whole);
    writeFileSync(join(folder, "layout.json"), '{"layout":99}');
    await expect(fileCallStore(folder).setUp()).rejects.toThrow(
      "has layout 99, and this version of @hasp/stores knows",
    );
  });

  test("a copied journal runs only the turn of its name", async () => {
    const { folder, journal } = await filled();
    copyFileSync(journal, join(folder, "turns", `${hash("sha256", "u")}.jsonl`));
    copyFileSync(journal, `${journal}.bak.jsonl`);
    const store = fileCallStore(folder);
    await expect(store.read("u")).rejects.toThrow("changed by hand");
    await expect(store.advance("u", "1", "proposed", "reserved", {})).rejects.toThrow("changed by hand");
    const errors: unknown[] = [];
    expect(await store.records({ onDamage: (error) => errors.push(error) })).toHaveLength(1);
    expect(errors).toHaveLength(2);
  });

  test("a folder is ignored by Git, unless the user decided otherwise", async () => {
    const { folder } = await filled();
    const ignored = join(folder, ".gitignore");
    expect(readFileSync(ignored, "utf8")).toBe("*\n");
    await rm(ignored);
    await fileCallStore(folder).setUp();
    expect(readdirSync(folder)).not.toContain(".gitignore");
  });

  test("a damaged turn stays, and others open, however long ago that was", async () => {
    const { folder, journal } = await filled();
    writeFileSync(journal, "no line\n");
    utimesSync(journal, 0, 0);
    const store = fileCallStore(folder, { keepSettledSeconds: 1 });
    await store.setUp();
    expect(await store.open({ ...turn, turnId: "u", calls: [] })).toBe(true);
    expect(readFileSync(journal, "utf8")).toBe("no line\n");
    await expect(store.records({})).rejects.toThrow("changed by hand");
    const errors: unknown[] = [];
    expect(await store.records({ onDamage: (error) => errors.push(error) })).toEqual([]);
    expect(errors).toEqual([expect.objectContaining({ code: "damaged-store", place: journal })]);
  });

  test.skipIf(process.platform === "win32")("a store does not trust a file that another user planted", async () => {
    const { folder, journal } = await filled();
    chmodSync(journal, 0o644);
    await expect(fileCallStore(folder).read("t")).rejects.toThrow("can be read by other users");
    await rm(journal);
    symlinkSync(join(folder, "layout.json"), journal);
    await expect(fileCallStore(folder).read("t")).rejects.toThrow("ELOOP");
    await rm(journal);
    mkdirSync(journal);
    await expect(fileCallStore(folder).read("t")).rejects.toThrow(journal);
    await rm(journal, { recursive: true });
    execFileSync("mkfifo", ["-m", "600", journal]);
    await expect(fileCallStore(folder).read("t")).rejects.toThrow(journal);
  });

  test("a folder that cannot be written rejects", async () => {
    const folder = newFolder();
    writeFileSync(folder, "a file");
    await expect(fileCallStore(folder).setUp()).rejects.toThrow(/EEXIST|ENOTDIR/);
  });
});

/** Opens turns, asks and settles them, while it removes those that any process has settled. Prints what was lost. */
const SWEEPER = `
import { fileCallStore } from ${JSON.stringify(pathToFileURL(join(dist, "files/index.js")).href)};

const [folder, name] = process.argv.slice(2);
const lost = [];
const check = (what, isSo) => { if (!isSo) lost.push(what); };
for (let round = 0; round < 40; round += 1) {
  const store = fileCallStore(folder, { keepSettledSeconds: 0 });
  await store.setUp();
  const turnId = name + " " + round;
  const call = { turnId, callId: "1", toolName: "act", state: "proposed", version: 0, received: { id: "1", name: "act" } };
  check(turnId + " opened", await store.open({ turnId, callsDigest: "d", openedAt: new Date().toISOString(), calls: [call] }));
  const question = { id: turnId, turnId, callId: "1", toolName: "act", askedAt: new Date().toISOString(), expiresAt: "2999-01-01T00:00:00.000Z" };
  check(turnId + " asked", await store.advance(turnId, "1", "proposed", "asked", { question }));
  await store.setUp();
  check(turnId + " listed", (await store.questions({ id: turnId })).length === 1);
  check(turnId + " allowed", await store.advance(turnId, "1", "asked", "allowed", {}));
  check(turnId + " read", (await store.read(turnId))?.calls[0]?.state === "allowed");
  check(turnId + " settled", await store.advance(turnId, "1", "allowed", "settled", {}));
}
process.stdout.write(JSON.stringify(lost));
`;

/** The program to kill: a turn on files, and services that log every effect with its key. */
const PROGRAM = `
import { appendFileSync } from "node:fs";
import { buildTool, createDispatcher } from ${JSON.stringify(import.meta.resolve("@hasp/runtime"))};
import { durableCalls } from ${JSON.stringify(pathToFileURL(join(dist, "index.js")).href)};
import { fileCallStore } from ${JSON.stringify(pathToFileURL(join(dist, "files/index.js")).href)};

export function tools(effects) {
  const act = (name, behavior, concurrency) => buildTool({
    name, description: name, input: { type: "object", properties: {}, additionalProperties: false },
    behavior: { requiresPermission: false, isDestructive: false, isOpenWorld: false, ...behavior }, concurrency,
    execute: (_input, { callId, idempotencyKey }) => {
      appendFileSync(effects, name + " " + callId + " " + idempotencyKey + "\\n");
      return name;
    },
  });
  return [
    act("look", { isDestructive: undefined }, { class: "READ_ONLY" }),
    act("write", {}, undefined),
    act("upsert", { isIdempotent: "withKey" }, undefined),
    act("pay", { requiresPermission: true }, undefined),
  ];
}
export const calls = ["look", "look", "write", "upsert", "pay", "write"].map((name, index) => ({ id: String(index + 1), name, input: {} }));

if (process.argv[2] !== undefined) {
  const [folder, effects, at, afterMs] = process.argv.slice(2);
  const store = fileCallStore(folder);
  const die = () => process.kill(process.pid, "SIGKILL");
  let transitions = 0;
  const callStore = {
    ...store,
    async advance(turnId, callId, from, to, patch) {
      const number = from.state === to ? -1 : transitions++;
      if (number * 2 === Number(at)) die();
      const won = await store.advance(turnId, callId, from, to, patch);
      if (number * 2 + 1 === Number(at)) die();
      return won;
    },
  };
  if (afterMs !== undefined) setTimeout(die, Number(afterMs));
  const durable = durableCalls({ store: callStore, leaseSeconds: 0.3 });
  const turns = createDispatcher({ tools: tools(effects), extensions: [durable] }).use(durable);
  let outcome = await turns.run(calls, { turnId: "t" });
  if (outcome.status === "waiting") {
    for (const { id } of outcome.questions) await turns.answer(id, { decision: "allow" });
    outcome = await turns.resume("t");
  }
}
`;

describe("a process that is killed with SIGKILL", () => {
  interface Program {
    readonly tools: (effects: string) => never;
    readonly calls: readonly { readonly id: string; readonly name: string; readonly input: object }[];
  }
  let file = "";
  let program: Program;
  beforeAll(async () => {
    file = join(root, "program.mjs");
    writeFileSync(file, PROGRAM);
    program = (await import(pathToFileURL(file).href)) as Program;
  });

  /** Runs the program until it is killed. Returns false if it ended by itself. */
  function killed(folder: string, effects: string, ...when: readonly string[]): Promise<boolean> {
    return new Promise((done) =>
      execFile(process.execPath, [file, folder, effects, ...when], (error) => done(error?.signal === "SIGKILL")),
    );
  }

  /** Continues in another process: no effect twice, no lost call, no question twice. */
  async function goOn(folder: string, effects: string): Promise<void> {
    const { tools, calls } = program;
    const store = fileCallStore(folder);
    const durable = durableCalls({ store, leaseSeconds: 0.3 });
    const turns = createDispatcher({
      flow: "ask",
      extensions: [informationFlow, durable],
      tools: tools(effects),
    }).use(durable);
    let outcome = await turns.run(calls, { turnId: "t" });
    if (outcome.status === "waiting") {
      for (const { id } of outcome.questions) await turns.answer(id, { decision: "allow" });
      outcome = await turns.resume("t");
    }
    expect(outcome.status).toBe("settled");
    const happened = readFileSync(effects, "utf8").trimEnd().split("\n");
    for (const { callId, toolName, error } of outcome.results) {
      const own = happened.filter((line) => line.startsWith(`${toolName} ${callId} `));
      if (toolName === "write" || toolName === "pay") expect(own.length).toBeLessThanOrEqual(1);
      // The service recognises a repetition.
      expect(new Set(own).size).toBeLessThanOrEqual(1);
      if (error === undefined) expect(own.length).toBeGreaterThanOrEqual(1);
      else expect([error.code, error.effect]).toEqual(["process-lost", "unknown"]);
    }
    expect(outcome.results.map(({ callId }) => callId)).toEqual(calls.map(({ id }) => id));
    expect(outcome.results.filter(({ error }) => error !== undefined).length).toBeLessThanOrEqual(1);
    const records = await store.records({ turnId: "t" });
    expect(records.filter(({ from, to }) => from === "proposed" && to === "asked")).toHaveLength(1);
    for (const { id } of calls) {
      expect(records.filter(({ callId, from, to }) => callId === id && from !== to && to === "settled")).toHaveLength(
        1,
      );
    }
  }

  test("a killed process loses and repeats nothing, before and after every transition", async () => {
    let wasKilled = true;
    let at = 0;
    for (; wasKilled; at += 4) {
      // Four processes at once: most of their time is waiting for the disk.
      const places = [at, at + 1, at + 2, at + 3].map((place) => ({ place, folder: newFolder() }));
      const killings = await Promise.all(
        places.map(async ({ place, folder }) => {
          const isKilled = await killed(folder, `${folder}.txt`, String(place));
          await goOn(folder, `${folder}.txt`);
          return isKilled;
        }),
      );
      wasKilled = killings.every(Boolean);
    }
    // Six calls, two transitions each, and two of the question.
    expect(at).toBeGreaterThanOrEqual(28);
  });

  test("a process killed at a random moment loses and repeats nothing", async () => {
    await Promise.all(
      Array.from({ length: 6 }, async (_, index) => {
        const folder = newFolder();
        writeFileSync(`${folder}.txt`, "");
        await killed(folder, `${folder}.txt`, "-1", String(index * 12));
        await goOn(folder, `${folder}.txt`);
      }),
    );
  });
});
