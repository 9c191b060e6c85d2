import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createServedProject, type ServedProject } from "../clients/served-project.testing.js";
import { main } from "../../packages/hasp/src/cli/main.js";
import { recordingTerminal } from "../../packages/hasp/src/cli/shell/terminal.testing.js";
import {
  hasp,
  haspJson,
  minimalSpec,
  project as ownProject,
  put,
  startHasp,
  type JsonRun,
  type Run,
} from "./command-line.js";

let project: ServedProject;
beforeAll(async () => {
  project = await createServedProject();
});
afterAll(() => project.remove());
beforeEach(() => rmSync(join(project.folder, "log.txt"), { force: true }));
const log = (): string =>
  existsSync(join(project.folder, "log.txt")) ? readFileSync(join(project.folder, "log.txt"), "utf8") : "";

// The context of this project writes into the current folder, so the calls that want it need a process of their own.
const call = (...words: string[]): Run => startHasp(project.folder, ["call", ...words]);
const without = "--context=src/no-context.ts";
const callJson = (...words: string[]): Promise<JsonRun> => haspJson(project.folder, ["call", ...words, without]);
beforeAll(() => project.write("src/no-context.ts", "export const createContext = () => undefined;\n"));

test("a tool behind a gate that is shut is refused with the word that opens it", async () => {
  const own = await createServedProject();
  try {
    const spec = readFileSync(join(own.folder, "specs/wipe.tool.yaml"), "utf8").replace("isOpenWorld: false, ", "");
    own.write("specs/late.tool.yaml", `${spec.replace("name: wipe", "name: late")}visibility: { featureGate: LATE }\n`);
    expect((await hasp(own.folder, ["build"])).code).toBe(0);
    own.write("src/no-context.ts", "export const createContext = () => undefined;\n");
    const words = ["call", "late", '{"id":"x"}', "--dry-run", without];
    expect(await haspJson(own.folder, words)).toMatchObject({
      code: 2,
      diagnostics: [{ code: "serve/gate-shut", help: expect.stringMatching(/--feature LATE\.$/u) as string }],
    });
    expect((await hasp(own.folder, [...words, "--feature", "LATE"])).out).toMatch(/^class +UNSAFE/mu);
  } finally {
    own.remove();
  }
});

test("a call's report shows no secret of its input", async () => {
  const secret = minimalSpec("log_in").replace(
    "id: {",
    "pin: { type: string, x-secret: true, maxLength: 9, description: A pin. }\n    id: {",
  );
  const folder = ownProject({
    "hasp.config.yaml": "specs: [specs]\ndialects: [mcp]\n",
    "specs/log_in.tool.yaml": secret,
  });
  await hasp(folder, ["build"]);
  const words = ["call", "log_in", '{"id":"x","pin":"hunter2"}', "--dry-run"];
  expect((await hasp(folder, words)).out).toMatch(/^input +\{"id":"x","pin":"\[secret\]"\}$/mu);
  expect(JSON.stringify(await haspJson(folder, words))).not.toContain("hunter2");
});

test("a call that ends by an exception puts its context away", async () => {
  const own = await createServedProject();
  try {
    own.write(
      "odd/registry.js",
      `import { buildTool } from "@hasp/runtime";
       const input = { type: "object", properties: {} };
       const tool = buildTool({ name: "look", description: "Looks.", input, execute: () => "found" });
       // A tool that another version of the runtime might have built.
       export const registry = { tools: [{ ...tool, name: "tool_search" }] };\n`,
    );
    own.write(
      "odd/context.js",
      `import { writeFileSync } from "node:fs";
       const close = async () => writeFileSync(new URL("closed", import.meta.url), "");
       export const createContext = () => ({ [Symbol.asyncDispose]: close });\n`,
    );
    const words = ["call", "tool_search", "{}", "--registry", "odd/registry.js", "--context", "odd/context.js"];
    const { code, error } = await hasp(own.folder, words);
    expect([code, error]).toEqual([2, expect.stringContaining("is reserved")]);
    expect(existsSync(join(own.folder, "odd/closed"))).toBe(true);
  } finally {
    own.remove();
  }
});

test("a registry without the policy that it was built with cannot be used", async () => {
  const own = ownProject({
    "hasp.config.yaml": "specs: [specs]\ndialects: [mcp]\ntoolsets: { desk: { include: [look], policy: desk.yaml } }\n",
    "desk.yaml": "hasp: 1\ndeny: [look]\nrules: []\n",
    "specs/look.tool.yaml": minimalSpec("look"),
    "bundled/registry.ts": 'export * from "../src/generated/registry.js";\n',
  });
  await hasp(own, ["build"]);
  put(own, { "src/tools/look.ts": "export const execute = async (): Promise<string> => 'seen';\n" });
  expect((await hasp(own, ["build"])).code).toBe(0);
  const run = await haspJson(own, ["call", "look", '{"id":"x"}', "--registry", "bundled/registry.ts"]);
  expect(run).toMatchObject({
    code: 2,
    diagnostics: [
      { code: "serve/policy-fails", message: expect.stringMatching(/^The policy ".*bundled\/desk\/policy\.ts"/u) },
    ],
  });
});

test("a call of a tool whose variables are not set names them, and a dry run needs none", async () => {
  const own = await createServedProject();
  try {
    const needs = "needs: { env: [SHOP_KEY, SHOP_URL, PATH] }\n";
    own.write("specs/look.tool.yaml", `${readFileSync(join(own.folder, "specs/look.tool.yaml"), "utf8")}${needs}`);
    expect(await hasp(own.folder, ["build"])).toMatchObject({ code: 0 });
    own.write("src/no-context.ts", "export const createContext = () => undefined;\n");
    const words = ["call", "peek", '{"id":"x"}', without];
    const environment = { SHOP_KEY: "", PATH: "/bin" };
    expect(await haspJson(own.folder, words, environment)).toMatchObject({
      code: 2,
      diagnostics: [{ code: "serve/variables-unset", message: '"peek" needs SHOP_KEY, SHOP_URL in the environment.' }],
    });
    const dry = await hasp(own.folder, [...words, "--dry-run"], environment);
    expect([dry.code, dry.out]).toEqual([0, expect.stringContaining("class       READ_ONLY")]);
  } finally {
    own.remove();
  }
});

test("before a build, a call says so once", async () => {
  const folder = ownProject({
    "hasp.config.yaml": "specs: [specs]\n",
    "specs/find_it.tool.yaml": minimalSpec("find_it"),
    "specs/find_more.tool.yaml": minimalSpec("find_more"),
  });
  expect(await haspJson(folder, ["call", "find_it", '{"id":"a"}'])).toMatchObject({
    code: 2,
    diagnostics: [{ code: "serve/not-built", help: "Run `hasp build`." }],
  });
});

describe("hasp call", () => {
  test("shows each phase of a call", () => {
    const run = call("wait", '{"id":"short"}');
    expect(run.code).toBe(0);
    expect(run.out.replace(/[\d.]+ ms/u, "0 ms")).toBe(`tool        wait
input       {"id":"short","times":1}
class       READ_ONLY, only reads, safe to repeat
permission  allowed: it needs no permission
progress    {"progress":1,"message":"waiting"}
execute     0 ms
result      ok

waited
`);
    expect(log()).toBe("closed\n");
  });

  test("refuses what needs permission, and runs it where it is allowed beforehand", () => {
    const refused = call("note", '{"id":"x"}');
    expect(refused).toMatchObject({
      code: 1,
      out: expect.stringMatching(/permission {2}refused: no-one-to-ask[\s\S]*"--allow" to run the call/u),
    });
    expect(log()).toBe("closed\n");
    expect(call("note", '{"id":"x"}', "--allow")).toMatchObject({
      code: 0,
      out: expect.stringContaining("allowed: hasp call --allow"),
    });
    expect(log()).toContain("noted x");
  });

  test.each([
    ["y", 0, /allowed: a person allowed it/u],
    ["", 1, /refused: denied/u],
  ])("asks the person at the terminal, and only yes is yes: %j", async (answer, code, words) => {
    const asked: string[] = [];
    const terminal = recordingTerminal(project.folder, {
      isInteractive: true,
      questions: () => ({ ask: async (question) => (asked.push(question), answer), end: () => undefined }),
    });
    project.write("src/quiet-context.ts", "export const createContext = () => ({ log: () => undefined });\n");
    expect(await main(["call", "note", '{"id":"x\u202e\u05d0"}', "--context", "src/quiet-context.ts"], terminal)).toBe(
      code,
    );
    expect(asked).toEqual(['Run note with {"id":"x\\u{202e}\\u{5d0}","times":1}? It changes something. [y/N] ']);
    expect(terminal.printed().out).toMatch(words);
  });

  test("says the same to programs", async () => {
    const run = await callJson("peek", '{"id":"a","times":"2"}', "--dry-run");
    expect(run).toMatchObject({
      code: 0,
      data: {
        call: {
          preview: {
            decision: "allow",
            toolName: "look",
            input: { id: "a", times: 2 },
            classification: { class: "READ_ONLY" },
          },
          attempts: 0,
        },
      },
    });
    expect(await callJson("look", '{"times":0}')).toMatchObject({
      code: 1,
      data: {
        call: {
          preview: { decision: "invalid", phase: "schema" },
          result: { isError: true, error: { effect: "none" } },
        },
      },
    });
  });

  test("an identifier with more digits than a number keeps is refused, not rounded", async () => {
    expect(await callJson("look", '{"id":12345678901234567890}')).toMatchObject({
      code: 1,
      data: { call: { preview: { decision: "invalid", phase: "decode", code: "inexact-number" } } },
    });
  });

  test("judges and runs nothing in a dry run", async () => {
    const run = await hasp(project.folder, ["call", "wipe", '{"id":"x"}', "--dry-run", "--allow", without]);
    expect(run).toMatchObject({
      code: 0,
      out: expect.stringContaining("permission  would be allowed: nothing forbids it"),
    });
    expect(log()).toBe("");
  });

  test.each([
    ["an input that is no object", ["look", "[1]"], "serve/not-json"],
    ["an input that is a text", ["look", '"x"'], "serve/not-json"],
    ["an input that is no JSON", ["look", "{id:1}"], "serve/not-json"],
    ["an unknown tool", ["lok", "{}", without], "serve/unknown-tool"],
    ["no registry", ["look", "{}", "--registry", "nowhere.js"], "serve/no-registry"],
    ["a registry that is none", ["look", "{}", "--registry", "src/no-context.ts"], "serve/no-tools-in-registry"],
    ["a context that nobody makes", ["look", "{}", "--context", "src/context.ts#nobody"], "serve/no-context"],
    ["a context that fails", ["look", "{}", "--context", "src/bad-context.ts"], "serve/context-fails"],
  ])("cannot go on with %s", async (_what, words, code) => {
    project.write("src/bad-context.ts", 'export const createContext = () => { throw new Error("no database"); };\n');
    const run = await haspJson(project.folder, ["call", ...words]);
    expect(run).toMatchObject({ code: 2, diagnostics: [expect.objectContaining({ code })] });
  });

  test("runs nothing that is not what the specs say, nor what nobody approved", async () => {
    const path = "specs/wait.tool.yaml";
    const before = readFileSync(join(project.folder, path), "utf8");
    project.write(path, before.replace("Does wait", "Really waits"));
    expect(await callJson("wait", '{"id":"short"}')).toMatchObject({
      code: 2,
      diagnostics: [expect.objectContaining({ code: "drift/outdated" })],
    });
    project.write(
      path,
      `${before.replace("interruptBehavior: cancel", "interruptBehavior: cancel, returnsPrivate: false")}`,
    );
    expect((await callJson("wait", '{"id":"short"}')).diagnostics.map(({ code }) => code)).toContain(
      "ledger/not-approved",
    );
    project.write(path, before);
  });

  test.each([
    ["throws", '() => { throw new Error("no way out"); }', "no way out"],
    ["rejects", 'async () => { throw new Error("no way out"); }', "no way out"],
    ["never answers", "() => new Promise(() => undefined)", "it was not disposed within 5 seconds"],
  ])("the result is shown although the end of its context %s", async (_what, end, reason) => {
    project.write(
      "src/clinging-context.ts",
      `export const createContext = () => ({ log: () => undefined, [Symbol.asyncDispose]: ${end} });\n`,
    );
    const run = await haspJson(project.folder, [
      "call",
      "wait",
      '{"id":"short"}',
      "--context",
      "src/clinging-context.ts",
    ]);
    expect(run).toMatchObject({
      code: 0,
      data: { call: { result: { isError: false } } },
      diagnostics: [
        expect.objectContaining({
          code: "serve/context-not-closed",
          severity: "warning",
          message: expect.stringContaining(reason),
        }),
      ],
    });
  });

  test("a context may be an object that a module exports", async () => {
    project.write("src/plain-context.ts", "export const context = { log: () => undefined };\n");
    expect(
      await haspJson(project.folder, ["call", "wait", '{"id":"short"}', "--context", "src/plain-context.ts#context"]),
    ).toMatchObject({ code: 0, diagnostics: [] });
  });

  test("a handler that throws at import is named", async () => {
    project.write("broken/registry.ts", 'throw new Error("no such database");\n');
    const run = await haspJson(project.folder, ["call", "look", "{}", "--registry", "broken/registry.ts"]);
    expect(run).toMatchObject({
      code: 2,
      diagnostics: [
        expect.objectContaining({ code: "serve/registry-fails", message: expect.stringContaining("no such database") }),
      ],
    });
  });
});

describe("a call that somebody else executes", () => {
  const folder = (): string =>
    ownProject({
      "hasp.config.yaml": "specs: [specs]\ndialects: [mcp]\n",
      "specs/choose_date.tool.yaml":
        "hasp: 1\nname: choose_date\ndescription: Asks the person.\nhandler: external\n" +
        "input: { type: object, properties: {} }\noutput: { type: string, format: date }\n",
      "date.json": '"2030-01-31"',
    });
  const words = ["call", "choose_date", "--allow"];

  test("takes its output from --respond, as JSON or from a file, and validates it", async () => {
    const own = folder();
    await hasp(own, ["build"]);
    for (const output of ["date.json", '"2030-01-31"']) {
      expect(await haspJson(own, [...words, "--respond", output])).toMatchObject({
        code: 0,
        data: { call: { result: { isError: false, output: "2030-01-31" } } },
      });
    }
    expect((await hasp(own, [...words, "--respond", "7"])).code).toBe(1);
    const { out: exact } = await hasp(own, [...words, "--respond", "12345678901234567890"]);
    expect(exact).toContain("12345678901234567890");
    for (const [output, code] of [
      ["no such file", "cli/cannot-read"],
      ['"2030', "serve/output-unreadable"],
    ]) {
      expect(await haspJson(own, [...words, "--respond", output ?? ""])).toMatchObject({
        code: 2,
        diagnostics: [{ code }],
      });
    }
    expect(await haspJson(own, words)).toMatchObject({ code: 2, diagnostics: [{ code: "serve/no-output" }] });
    await hasp(own, [...words, "--respond", "date.json", "--record", "a.tape"]);
    expect(await haspJson(own, [...words, "--replay", "a.tape"])).toMatchObject({
      code: 0,
      data: { call: { result: { output: "2030-01-31" } } },
    });
  });

  test.each([
    ["2030-01-31", 0, /2030-01-31/u],
    ["", 1, /nobody gave an output/u],
  ])("asks the person at the terminal for its output: %j", async (answer, code, said) => {
    const own = folder();
    await hasp(own, ["build"]);
    const asked: string[] = [];
    const terminal = recordingTerminal(own, {
      isInteractive: true,
      questions: () => ({ ask: async (question) => (asked.push(question), answer), end: () => undefined }),
    });
    expect(await main(words, terminal)).toBe(code);
    expect(asked).toEqual(["You execute choose_date with {}. Its output, as JSON or text: "]);
    expect(terminal.printed().out).toMatch(said);
  });

  test("is the only kind that takes --respond", async () => {
    expect(await callJson("look", '{"id":"a"}', "--respond", "1")).toMatchObject({
      code: 2,
      diagnostics: [{ code: "serve/output-of-own-handler" }],
    });
  });
});
