import { existsSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createServedProject, type ServedProject } from "../clients/served-project.testing.js";
import { bin, hasp, haspJson, startHasp, type Run } from "./command-line.js";

let project: ServedProject;
beforeAll(async () => {
  project = await createServedProject();
});
afterAll(() => project.remove());

const call = (...words: string[]): Run => startHasp(project.folder, ["call", ...words]);
const path = (name: string): string => join(project.folder, name);
const withoutDuration = ({ out }: Run): string =>
  out
    .slice(out.indexOf("tool  "))
    .replace(/[\d.]+ ms/u, "0 ms")
    .replace(/^progress.*\n/gmu, "");

/** Runs something while no handler and no context exists. */
function withoutHandlers<Value>(run: () => Value): Value {
  renameSync(path("src/tools"), path("src/hidden"));
  renameSync(path("src/context.ts"), path("src/context.hidden"));
  try {
    return run();
  } finally {
    renameSync(path("src/hidden"), path("src/tools"));
    renameSync(path("src/context.hidden"), path("src/context.ts"));
  }
}

describe("hasp call", () => {
  test("records calls one after the other, and replays them without handlers", () => {
    const tape = ["--record", "tapes/day.jsonl"];
    const live = [
      call("look", '{"id":"a"}', ...tape),
      call("note", '{"id":"b"}', "--allow", ...tape),
      call("wait", '{"id":"short"}', ...tape),
    ];
    expect(live.map(({ code }) => code)).toEqual([0, 0, 0]);
    const lines = readFileSync(path("tapes/day.jsonl"), "utf8").trim().split("\n");
    expect(lines.filter((line) => line.startsWith('{"tool"'))).toEqual([
      '{"tool":"look","input":{"id":"a","times":1},"outcome":"ok","output":{"seen":"a"},"order":1}',
      '{"tool":"note","input":{"id":"b","times":1},"outcome":"ok","output":"noted","order":2}',
      '{"tool":"wait","input":{"id":"short","times":1},"outcome":"ok","output":"waited","order":3}',
    ]);
    rmSync(path("log.txt"), { force: true });
    const replay = ["--replay", "tapes/day.jsonl"];
    const replayed = withoutHandlers(() => [
      call("look", '{"id":"a"}', ...replay),
      call("note", '{"id":"b"}', "--allow", ...replay),
      call("wait", '{"id":"short"}', ...replay),
    ]);
    expect(replayed.map(withoutDuration)).toEqual(live.map(withoutDuration));
    expect(replayed.map(({ code }) => code)).toEqual([0, 0, 0]);
    expect(existsSync(path("log.txt"))).toBe(false);
  });

  test("still needs permission on a replay, and fails for a call that the tape lacks", () => {
    project.write("tapes/small.jsonl", '{"tape":1,"tools":{}}\n');
    const refused = call("note", '{"id":"b"}', "--replay", "tapes/small.jsonl");
    expect(refused.code).toBe(1);
    expect(refused.out).toContain("no one to ask");
    const missing = call("look", '{"id":"a"}', "--replay", "tapes/small.jsonl");
    expect(missing.code).toBe(1);
    expect(missing.out).toContain("the tape tapes/small.jsonl holds no call of it");
  });

  test("refuses to record and replay at once, and a tape that is damaged or absent", async () => {
    const both = await haspJson(project.folder, ["call", "look", '{"id":"a"}', "--record", "x", "--replay", "y"]);
    expect(both).toMatchObject({ code: 2, diagnostics: [{ code: "serve/record-and-replay" }] });
    project.write("tapes/torn.jsonl", '{"tape":1,"tools":{}}\n{"tool":"lo');
    for (const [file, reason] of [
      ["tapes/torn.jsonl", "torn.jsonl:2: The tape is damaged"],
      ["tapes/none.jsonl", "ENOENT"],
    ]) {
      for (const option of file === "tapes/none.jsonl" ? ["--replay"] : ["--replay", "--record"]) {
        const { code, out } = call("look", '{"id":"a"}', option, file ?? "");
        expect([code, out]).toEqual([2, expect.stringContaining("serve/tape-unusable")]);
        expect(out).toContain(reason);
      }
    }
  });
});

describe("hasp test", () => {
  test("answers a test from its tape, relative to the spec", async () => {
    const spec = readFileSync(path("specs/look.tool.yaml"), "utf8");
    expect(call("look", '{"id":"z"}', "--record", "specs/look.jsonl").code).toBe(0);
    const withTests = (...tests: string[]): void =>
      project.write("specs/look.tool.yaml", `${spec}tests:\n${tests.map((each) => `  - ${each}\n`).join("")}`);
    try {
      withTests("{ input: { id: z }, tape: look.jsonl, expect: { output: { seen: z } } }");
      expect(await hasp(project.folder, ["test", "look"])).toMatchObject({ code: 0 });
      withTests(
        "{ input: { id: z }, tape: look.jsonl, expect: { output: { seen: y } } }",
        "{ input: { id: q }, tape: look.jsonl, expect: { output: { seen: q } } }",
        "{ input: { id: z }, tape: none.jsonl, expect: { output: { seen: z } } }",
        "{ input: { id: z }, tape: look.jsonl, respond: { body: 1 }, expect: { valid: true } }",
      );
      const { code, diagnostics } = await haspJson(project.folder, ["test", "look"]);
      expect(code).toBe(1);
      expect(diagnostics.map(({ message, line }) => [line, message])).toEqual([
        [expect.any(Number), expect.stringContaining('The output is {"seen":"z"}, not {"seen":"y"}.')],
        [expect.any(Number), expect.stringContaining("look.jsonl lacks this call.")],
        [expect.any(Number), expect.stringContaining('The tape cannot be used. There is no file "none.jsonl"')],
        [expect.any(Number), expect.stringContaining("either `respond` or `tape`")],
      ]);
    } finally {
      project.write("specs/look.tool.yaml", spec);
    }
  });
});

describe("hasp serve", () => {
  test("answers from tests and output schemas with --simulate, without handlers and call store", async () => {
    const spec = readFileSync(path("specs/look.tool.yaml"), "utf8");
    const config = readFileSync(path("hasp.config.yaml"), "utf8");
    project.write("hasp.config.yaml", `${config}callStore: { postgres: { env: UNSET_STORE_URL } }\n`);
    project.write(
      "specs/look.tool.yaml",
      `${spec}tests:\n  - { input: { id: z }, tape: x, expect: { output: { seen: stated } } }\n`,
    );
    expect(await hasp(project.folder, ["build"])).toMatchObject({ code: 0 });
    renameSync(path("src/tools"), path("src/hidden"));
    const client = new Client({ name: "test", version: "1" });
    try {
      const words = [bin, "serve", "--simulate", "--unlocked", "--permit", "wipe"];
      await client.connect(
        new StdioClientTransport({ command: process.execPath, args: words, cwd: project.folder, stderr: "ignore" }),
      );
      const ask = async (name: string, id: string): Promise<unknown> =>
        (await client.callTool({ name, arguments: { id } })).content;
      const text = (each: string): unknown => [{ type: "text", text: each }];
      expect(await ask("look", "z")).toEqual(text('{"seen":"stated"}'));
      expect(await ask("look", "q")).toEqual(text(expect.stringMatching(/^\{"seen":"/u) as string));
      expect(await ask("wipe", "q")).toEqual(text("Simulated result of wipe."));
    } finally {
      await client.close();
      renameSync(path("src/hidden"), path("src/tools"));
      project.write("specs/look.tool.yaml", spec);
      project.write("hasp.config.yaml", config);
    }
  });

  test("answers what a declared handler makes of a test's `respond`", async () => {
    const client = new Client({ name: "test", version: "1" });
    const words = [bin, "--cwd", join(import.meta.dirname, "../../tools-spec"), "serve", "--simulate"];
    try {
      await client.connect(new StdioClientTransport({ command: process.execPath, args: words, stderr: "ignore" }));
      const { structuredContent } = await client.callTool({ name: "find_user", arguments: { id: 7 } });
      expect(structuredContent).toEqual({ rows: [{ id: 7, name: "Ada", plan: "pro" }], rowCount: 1 });
    } finally {
      await client.close();
    }
  });
});
