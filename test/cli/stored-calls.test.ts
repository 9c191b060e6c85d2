import { appendFileSync, chmodSync, existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { buildTool } from "@hasp/runtime";
import type { StoredTurns } from "@hasp/runtime/call-store";
import type { DurableOptions } from "@hasp/stores";
import { fileCallStore } from "@hasp/stores/files";
import type { JsonObject } from "@hasp/schema";
import fc from "fast-check";
import { expect, test } from "vitest";
import { findChainFaults, chainRecords } from "../../packages/serve/src/calls/audit-records.js";
import { openTurns } from "../durable/open-turns.testing.js";
import { hasp, haspJson, project } from "./command-line.js";

const pay = buildTool({
  name: "pay",
  description: "Pays.",
  input: {
    type: "object",
    properties: {
      to: { type: "string" },
      pin: { type: "string", writeOnly: true },
      token: { type: "string", "x-secret": true },
      password: { type: "string", format: "password" },
    },
    additionalProperties: false,
  },
  execute: () => "paid",
});

function host(folder: string, options: Partial<DurableOptions> = {}): StoredTurns {
  return openTurns({ tools: [pay] }, { store: fileCallStore(join(folder, ".hasp/calls")), ...options });
}

async function projectWithQuestions(
  inputs: readonly JsonObject[],
  options: Partial<DurableOptions> = {},
): Promise<string> {
  const folder = project({ "hasp.config.yaml": "callStore: { files: .hasp/calls }\n" });
  const calls = inputs.map((input, index) => ({ id: String(index + 1), name: "pay", input }));
  const settings = { allowUnseenInput: true, ...options };
  for (const call of calls) await host(folder, settings).run([call], { turnId: `turn ${call.id}` });
  return folder;
}

const SECRETS = { pin: "the-pin-1", token: "the-token-1", password: "the-word-1" };

test("a person sees what waits, without secrets, and answers once; the host then goes on", async () => {
  const folder = await projectWithQuestions([{ to: "ann \u05d0, 1", ...SECRETS }]);
  const { out, error, code } = await hasp(folder, ["calls"]);
  expect(code).toBe(0);
  expect(out.replace(/[0-9a-f]{8}/u, "<id>").replaceAll(/\d+ s ago/gu, "<age>")).toBe(
    [
      "question  tool  class                asked    expires  for",
      "<id>  pay   UNSAFE, destructive  <age>  in 7 d",
      String.raw`  input   {"to":"ann \u{5d0}, 1","pin":"[secret]","token":"[secret]","password":"[secret]"}`,
      "  note    Hidden, because the tool declares it secret: /pin, /token, /password.",
      "",
    ].join("\n"),
  );
  expect(error).toContain("1 question. To answer one: hasp calls answer <question> --allow");
  const listed = await haspJson(folder, ["calls", "--only", "tool:pay"]);
  const [{ id = "" }] = listed.data["questions"] as [{ id?: string }];
  expect(JSON.stringify(listed.data)).not.toMatch(/the-(?:pin|token|word)/u);
  expect((await hasp(folder, ["calls", "--only", "tool:look"])).out).toBe("No questions are waiting.\n");

  const answered = await hasp(folder, [
    "calls",
    "answer",
    id.slice(0, 8),
    "--allow",
    "--by",
    "ann",
    "--reason",
    "ordered",
  ]);
  expect([answered.code, answered.out]).toEqual([
    0,
    "Allowed: pay. The turn goes on when the host resumes it: turn 1\n",
  ]);
  const second = await haspJson(folder, ["calls", "answer", id, "--deny", "--by", "bob"]);
  expect([second.code, second.diagnostics[0]?.code, second.diagnostics[0]?.message]).toEqual([
    1,
    "calls/not-accepted",
    "The answer came too late: the question about pay has already been decided.",
  ]);
  expect((await hasp(folder, ["calls"])).out).toBe("No questions are waiting.\n");
  expect((await host(folder, { allowUnseenInput: true }).resume("turn 1")).results[0]?.isError).toBe(false);

  const { records } = (await haspJson(folder, ["calls", "audit"])).data as {
    records: { to: string; by?: string; code?: string; answer?: string }[];
  };
  expect(records.map(({ to, by, code: why, answer }) => [to, by, answer, why].filter(Boolean).join(" "))).toEqual([
    "proposed",
    "asked",
    "allowed ann",
    "allowed bob declined already-decided",
    "reserved",
    "settled",
  ]);
});

test("a person may let a call run with another input, as JSON or from a file", async () => {
  const folder = await projectWithQuestions([{ to: "everybody" }, { to: "everybody" }]);
  const questions = (await haspJson(folder, ["calls"])).data["questions"] as [{ id: string }, { id: string }];
  const [one, two] = questions.map(({ id }) => ["calls", "answer", id, "--allow", "--by", "ann", "--input"]) as [
    string[],
    string[],
  ];
  for (const [given, words] of [
    ["{to", "The input of the answer cannot be used: "],
    ["gone.json", "gone.json"],
  ] as const) {
    const refused = await haspJson(folder, [...one, given]);
    expect([refused.code, refused.diagnostics[0]?.message]).toEqual([2, expect.stringContaining(words)]);
  }
  writeFileSync(join(folder, "edit.json"), '{"to":"bob"}');
  expect((await hasp(folder, [...one, '{"to":"ann"}'])).code).toBe(0);
  expect((await hasp(folder, [...two, "edit.json"])).code).toBe(0);
  for (const [turn, to] of [
    ["turn 1", "ann"],
    ["turn 2", "bob"],
  ] as const) {
    const [result] = (await host(folder).resume(turn)).results;
    expect(JSON.stringify(result?.content)).toContain(`/to was \\"everybody\\" and is \\"${to}\\"`);
  }
});

test.each([
  ["hides part of a destructive call", { to: "ann", ...SECRETS }, "part of its input is hidden"],
  ["is too long to be judged", { to: "x".repeat(60_000) }, "too long to be judged"],
])("a question that %s can only be refused", async (_why, input, note) => {
  const folder = await projectWithQuestions([input], { allowUnseenInput: false });
  const shown = await hasp(folder, ["calls"]);
  expect(shown.out).toContain(note);
  expect(shown.out.length).toBeLessThan(2000);
  const [{ id = "" }] = (await haspJson(folder, ["calls"])).data["questions"] as [{ id?: string }];
  const allowed = await haspJson(folder, ["calls", "answer", id, "--allow", "--by", "ann"]);
  expect([allowed.code, allowed.diagnostics[0]?.message]).toEqual([
    1,
    "Nobody can allow the call of pay: its question does not show the whole input.",
  ]);
  expect((await hasp(folder, ["calls", "answer", id, "--deny", "--by", "ann"])).code).toBe(0);
});

test("a question for a principal takes that principal's answer alone; an expired one takes none", async () => {
  const folder = await projectWithQuestions([{ to: "a" }], { principal: "ann" });
  await host(folder, { questionTtlSeconds: 0.001 }).run([{ id: "1", name: "pay", input: {} }], { turnId: "brief" });
  const ids = (await haspJson(folder, ["calls"])).data["questions"] as {
    id: string;
    turnId: string;
    isExpired: boolean;
  }[];
  expect(ids.map(({ isExpired }) => isExpired).toSorted()).toEqual([false, true]);
  const [bound, brief] = ["turn 1", "brief"].map((turn) => ids.find(({ turnId }) => turnId === turn)?.id ?? "");
  const answer = (
    id: string | undefined,
    by: string,
  ): Promise<{ readonly out: string; readonly code: number | null }> =>
    hasp(folder, ["calls", "answer", id ?? "", "--deny", "--by", by]);
  const foreign = await answer(bound, "eve");
  expect([foreign.code, foreign.out]).toEqual([
    1,
    expect.stringContaining("Only ann may answer the question about pay; eve may not."),
  ]);
  expect(foreign.out).toContain("--by ann");
  expect((await answer(brief, "eve")).out).toContain("has expired");
  expect((await answer(bound, "ann")).code).toBe(0);
});

test("a damaged turn hides no other: each is reported with its place and remedy, beside what is sound", async () => {
  const folder = await projectWithQuestions([{ to: "ann" }, { to: "bob" }, { to: "eve" }]);
  const turns = join(folder, ".hasp/calls/turns");
  const [damaged = "", foreign = ""] = ["bob", "eve"].map((name) =>
    readdirSync(turns).find((file) => readFileSync(join(turns, file), "utf8").includes(`"to":"${name}"`)),
  );
  const whole = readFileSync(join(turns, damaged), "utf8");
  writeFileSync(join(turns, damaged), whole.replace("bob", "eva"));
  if (process.platform !== "win32") chmodSync(join(turns, foreign), 0o644);
  else appendFileSync(join(turns, foreign), "no line\n");
  const listed = await haspJson(folder, ["calls"]);
  expect(listed.code).toBe(1);
  expect(listed.data["questions"]).toEqual([expect.objectContaining({ turnId: "turn 1" })]);
  const [first, second] = listed.diagnostics.toSorted((a, b) => a.code.localeCompare(b.code));
  expect(first?.message).toContain(`.hasp/calls/turns/${damaged}, call "2" was damaged, or changed by hand`);
  expect(first?.help).toContain("delete the file");
  expect(second?.message).toContain(`.hasp/calls/turns/${foreign}`);
  expect(JSON.stringify(listed.diagnostics)).not.toContain(folder);

  const audited = await hasp(folder, ["calls", "audit"]);
  expect([audited.code, audited.out.trimEnd().split("\n").length]).toEqual([1, 2]);
  expect(audited.out).not.toContain('"turn 2"');
  expect(audited.error).toContain(damaged);
  const [{ id = "" }] = listed.data["questions"] as [{ id?: string }];
  expect((await hasp(folder, ["calls", "answer", id.slice(0, 8), "--deny"])).code).toBe(0);
  const unknown = await hasp(folder, ["calls", "answer", "ffffffff", "--deny"]);
  expect([unknown.code, unknown.out]).toEqual([2, expect.stringContaining(damaged)]);
});

test("a module of the project may be the call store", async () => {
  const folder = await projectWithQuestions([{ to: "ann" }]);
  const { questions } = (await haspJson(folder, ["calls"])).data;
  const files = JSON.stringify(import.meta.resolve("@hasp/stores/files"));
  writeFileSync(
    join(folder, "calls.mjs"),
    `import { fileCallStore } from ${files};
export const createCallStore = async () => fileCallStore(new URL(".hasp/calls", import.meta.url).pathname);
export const other = {};
export const broken = () => { throw new Error("it is closed"); };
`,
  );
  expect((await haspJson(folder, ["calls", "--store", "module=calls.mjs"])).data["questions"]).toEqual(questions);
  for (const [name, reason] of [
    ["other", "it is no call store"],
    ["broken", "it is closed"],
    ["none", "it exports no such object or function"],
  ] as const) {
    const { code, diagnostics } = await haspJson(folder, ["calls", "--store", `module=calls.mjs#${name}`]);
    expect([code, diagnostics[0]?.message]).toEqual([
      2,
      `The call store cannot be used: "${name}" in "calls.mjs": ${reason}.`,
    ]);
  }
});

test.each([
  [["calls", "answer", "ffffff", "--allow"], 'There is no question "ffffff".'],
  [["calls", "answer", "fffff", "--allow"], '"fffff" is too short for the beginning of a question\'s id'],
  [["calls", "answer", "", "--allow"], '"" is too short'],
  [["calls", "answer", "ffff"], "Pass the answer: --allow or --deny."],
  [["calls", "--store", "files=elsewhere"], 'There is no call store at "elsewhere".'],
  [["calls", "--store", "calls"], "--store takes files=<folder>, module=<file#export>, or postgres=<variable>"],
  [["calls", "--store", "postgres=NOT_SET"], "The environment variable NOT_SET is not set."],
  [["calls", "--store", "postgres=OTHER"], "OTHER must contain an address that begins with postgres://."],
  [["calls", "audit", "--head", "0".repeat(64)], "so it needs a file"],
  [["calls", "audit", "nowhere.jsonl", "--only", "tool:pay"], "so they take none"],
  [["calls", "audit", "nowhere.jsonl"], '"nowhere.jsonl" cannot be read'],
])("%j is refused with 2", async (words, message) => {
  const folder = await projectWithQuestions([]);
  await host(folder).run([], { turnId: "none" });
  const { code, out, error } = await hasp(folder, words, { OTHER: "mysql://user:hidden@host" });
  expect([code, out]).toEqual([2, expect.stringContaining(message)]);
  expect(out + error).not.toContain("hidden");
  expect(existsSync(join(folder, "elsewhere"))).toBe(false);
});

test("an answer is given by somebody", async () => {
  const { code, error } = await hasp(project({}), ["calls", "answer", "ffffff", "--allow", "--by", " "]);
  expect([code, error]).toEqual([2, expect.stringContaining("It must name somebody.")]);
});

test("a password is never printed, whether it stands in the environment or on the command line", async () => {
  const folder = project({});
  const address = "postgres://user:hidden@127.0.0.1:9/db";
  for (const words of [
    ["--store", "postgres=URL"],
    ["--store", `postgres=${address}`],
    ["--store", address],
  ]) {
    const { code, out, error } = await hasp(folder, ["calls", ...words], { URL: address });
    expect([words, code]).toEqual([words, 2]);
    expect(out + error).not.toContain("hidden");
  }
});

test("without a call store, the command says how to name one", async () => {
  const { code, out } = await hasp(project({ "hasp.config.yaml": "specs: [specs]\n" }), ["calls"]);
  expect([code, out]).toEqual([2, expect.stringContaining("callStore: { files: .hasp/calls }")]);
});

test.each([
  ["callStore: { files: ../elsewhere }", "points outside the project"],
  ["callStore: { postgres: { url: postgres://x } }", "url"],
  ["callStore: { files: a, postgres: { env: A } }", "callStore"],
  ["callStore: { postgres: { env: 'postgres://x' } }", "the name of an environment variable"],
])("the configuration %s is refused", async (line, message) => {
  const { code, out } = await hasp(project({ "hasp.config.yaml": `${line}\n` }), ["calls"]);
  expect([code, out]).toEqual([2, expect.stringContaining(message)]);
});

test("a store whose folder is linked out of the project is refused", async () => {
  const [folder, elsewhere] = [
    project({ "hasp.config.yaml": "callStore: { files: calls }\n" }),
    project({ "layout.json": "{}" }),
  ];
  symlinkSync(elsewhere, join(folder, "calls"));
  const { code, out } = await hasp(folder, ["calls"]);
  expect([code, out]).toEqual([2, expect.stringContaining('links lead "calls" out of the folder')]);
});

test("records are selected by whole calls, and verified to the last line", async () => {
  const folder = await projectWithQuestions([{ to: "a" }, { to: "b" }], { principal: "ann" });
  const linesOf = async (...words: string[]): Promise<number> =>
    (await hasp(folder, ["calls", "audit", ...words])).out.split("\n").length - 1;
  expect(await linesOf()).toBe(4);
  expect(await linesOf("--only", "turn:turn 1")).toBe(2);
  expect(await linesOf("--only", "principal:ann", "tool:pay")).toBe(4);
  expect(await linesOf("--only", "principal:bob")).toBe(0);
  expect(await linesOf("--only", "since:2999-01-01")).toBe(0);
  expect(await linesOf("--only", "since:2020-01-01T00:00:00+01:00")).toBe(4);
  expect(await linesOf("--only", "decision:allowed")).toBe(0);

  const printed = await hasp(folder, ["calls", "audit"]);
  const path = join(folder, "audit.jsonl");
  writeFileSync(path, printed.out);
  const [head = ""] = /[0-9a-f]{64}/u.exec(printed.error) ?? [];
  const verify = (...words: string[]): ReturnType<typeof hasp> =>
    hasp(folder, ["calls", "audit", "audit.jsonl", ...words]);
  expect((await verify("--head", head)).code).toBe(0);
  writeFileSync(path, printed.out.split("\n").slice(0, 3).join("\n"));
  expect((await verify()).code).toBe(0);
  expect([(await verify("--head", head)).code, (await verify("--head", head)).out]).toEqual([
    1,
    expect.stringContaining("its end is missing"),
  ]);
  appendFileSync(path, "\nnothing\n");
  expect((await verify()).out).toContain("audit.jsonl:4 is not a record");
  writeFileSync(path, "");
  expect((await verify()).code).toBe(2);
  expect(readFileSync(path, "utf8")).toBe("");
});

test("every change of a chain is revealed by the line where it happened, or by its head", () => {
  const record = fc.record({
    turnId: fc.string(),
    callId: fc.string(),
    toolName: fc.string({ unit: "binary" }),
    to: fc.constantFrom("proposed", "asked", "settled"),
    at: fc.constant("2030-01-01T00:00:00.000Z"),
  });
  fc.assert(
    fc.property(
      fc.array(record, { minLength: 2, maxLength: 6 }),
      fc.nat(),
      fc.nat(),
      fc.constantFrom("remove", "double", "swap", "edit", "none"),
      (records, one, other, change) => {
        const { text, head } = chainRecords(records as never);
        const lines = text.trimEnd().split("\n");
        const [first, second] = [one % lines.length, other % lines.length];
        const changed = [...lines];
        if (change === "remove") changed.splice(first, 1);
        if (change === "double") changed.splice(second, 0, lines[first] ?? "");
        if (change === "swap") [changed[first], changed[second]] = [lines[second] ?? "", lines[first] ?? ""];
        if (change === "edit") changed[first] = (lines[first] ?? "").replace('"at":"2030', '"at":"2031');
        const isSame = changed.join("\n") === lines.join("\n");
        const faults = findChainFaults(`${changed.join("\n")}\n`, head);
        expect(faults.length === 0).toBe(isSame);
        if (change === "edit") expect(faults).toEqual([{ kind: "changed", line: first + 1 }]);
      },
    ),
  );
});

test("a call that somebody else executes is listed without its input, and completed once", async () => {
  const folder = project({ "hasp.config.yaml": "callStore: { files: .hasp/calls }\n", "out.json": '"2030-01-31"' });
  const chooseDate = buildTool({
    name: "choose_date",
    description: "Asks the person for a date.",
    input: { type: "object", properties: { title: { type: "string" } }, additionalProperties: false },
    output: { type: "string", format: "date" },
    behavior: { requiresPermission: false, isDestructive: false, isOpenWorld: false },
    external: true,
  });
  const turns = () => openTurns({ tools: [chooseDate] }, { store: fileCallStore(join(folder, ".hasp/calls")) });
  for (const turnId of ["turn-1", "turn-2"]) {
    const calls = [{ id: "c1", name: "choose_date", input: { title: "the-title" } }];
    await turns().run(calls, { turnId, principal: "ada" });
  }
  writeFileSync(join(folder, "long.json"), JSON.stringify("x".repeat(1e6)));
  const listed = await hasp(folder, ["calls"]);
  expect(listed.out).toMatch(/^turn-1\/c1\/\S+ {2}choose_date {2}\S+ {2}ada$/mu);
  expect(listed.out + listed.error).not.toContain("the-title");
  expect(listed.error).toContain("2 calls that somebody else executes. To complete one: hasp calls complete <call>");
  const only = await haspJson(folder, ["calls", "--only", "turn:turn-2"]);
  expect(only.data["externals"]).toMatchObject([{ turnId: "turn-2", toolName: "choose_date", principal: "ada" }]);
  for (const [words, said] of [
    [["turn-1/c1"], "Pass either --respond"],
    [["turn-1/c1", "--respond", "{"], "The output cannot be used: "],
    [["turn-1/c1", "--respond", "long.json"], "may have at most 1000000 characters"],
    [["turn-", "--respond", "1"], "No call"],
    [["turn-?", "--respond", "1"], "No call"],
    [["turn-1/c1/x", "--respond", "1"], "No call"],
  ] as const) {
    const refused = await hasp(folder, ["calls", "complete", ...words]);
    expect([refused.code, refused.out + refused.error]).toEqual([expect.any(Number), expect.stringContaining(said)]);
    expect(refused.code).not.toBe(0);
  }
  const done = await hasp(folder, ["calls", "complete", "turn-1/c1", "--respond", "out.json"]);
  expect([done.code, done.error + done.out]).toEqual([0, expect.stringContaining("Completed: choose_date.")]);
  expect((await turns().resume("turn-1", { principal: "ada" })).results[0]?.output).toBe("2030-01-31");
  expect((await hasp(folder, ["calls", "complete", "turn-1/c1", "--respond", "out.json"])).code).not.toBe(0);
  await hasp(folder, ["calls", "complete", "turn-2/c1", "--error", "The person left."]);
  const [failed] = (await turns().resume("turn-2", { principal: "ada" })).results;
  expect(failed?.error).toMatchObject({ code: "threw", effect: "unknown" });
  expect((await hasp(folder, ["calls"])).out).toBe("No questions are waiting.\n");
});
