import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createServedProject, type ServedProject } from "../clients/served-project.testing.js";
import { bin, hasp, haspJson, startHasp } from "./command-line.js";

const program = `const seen = await Promise.all(["a", "b"].map((id) => tools.look({ id })));
const noted = await tools.note({ id: "c" }).catch((error) => error.code);
return { seen, noted };`;

let project: ServedProject;
beforeAll(async () => {
  project = await createServedProject();
  project.write("program.js", program);
});
afterAll(() => project.remove());

describe("hasp call run_program", () => {
  const call = (...words: string[]): string => startHasp(project.folder, ["call", "run_program", ...words]).out;
  const seen = [{ seen: "a" }, { seen: "b" }];

  test("runs the program of a file, and asks about each of its calls that needs it", () => {
    expect(call("program.js")).toContain(JSON.stringify({ result: { seen, noted: "no-one-to-ask" } }).slice(0, -1));
    expect(call("program.js", "--allow")).toContain(JSON.stringify({ seen, noted: "noted" }));
  });

  test("calls the tools of a toolset only", () => {
    expect(call("program.js", "--toolset", "readers")).toContain(JSON.stringify({ seen, noted: "unknown-tool" }));
  });

  test("refuses a file that is absent, or holds no input of another tool", async () => {
    for (const [words, code] of [
      [["run_program", "none.js"], "cli/cannot-read"],
      [["look", "program.js"], "serve/not-json"],
    ] as const) {
      expect(await haspJson(project.folder, ["call", ...words])).toMatchObject({ code: 2, diagnostics: [{ code }] });
    }
  });
});

const modern = { versionNegotiation: { mode: { pin: "2026-07-28" } } };
const stored = ["--store", "files=calls"];

const clients = [
  ["of 2025-11-25", {}, [], "noted"],
  ["of 2025-11-25 with a call store", {}, stored, "noted"],
  ["of 2026-07-28 with a call store", modern, stored, "noted"],
  ["of 2026-07-28", modern, [], "denied"],
] as const;

test.each(clients)(
  "hasp serve --programs asks the person at a client %s about each call",
  async (_of, options, words, noted) => {
    const client = new Client({ name: "test", version: "1" }, {
      capabilities: { elicitation: { form: {} } },
      ...options,
    } as never);
    const asked: string[] = [];
    client.setRequestHandler("elicitation/create", async ({ params }) => {
      asked.push(params.message);
      return { action: "accept", content: { decision: "Allow once" } };
    });
    const args = [bin, "serve", "--programs", ...words];
    try {
      await client.connect(
        new StdioClientTransport({ command: process.execPath, args, cwd: project.folder, stderr: "ignore" }),
      );
      const { structuredContent } = await client.callTool({ name: "run_program", arguments: { code: program } });
      expect(asked).toEqual(noted === "noted" ? [expect.stringContaining("note")] : []);
      expect(structuredContent).toMatchObject({ result: { noted } });
    } finally {
      await client.close();
    }
  },
);

test("a program of a client that cannot ask goes on where it stopped once somebody has answered elsewhere", async () => {
  const client = new Client({ name: "test", version: "1" });
  const args = [bin, "serve", "--programs", "--store", "files=later"];
  const twice = `await tools.note({ id: "first" }); return tools.note({ id: "second" })`;
  try {
    await client.connect(
      new StdioClientTransport({ command: process.execPath, args, cwd: project.folder, stderr: "ignore" }),
    );
    const ask = async (): Promise<string> =>
      JSON.stringify(await client.callTool({ name: "run_program", arguments: { code: twice } }));
    for (let count = 0; count < 2; count += 1) {
      const [, id = ""] = /hasp calls answer ([\w-]+)/u.exec(await ask()) ?? [];
      expect((await hasp(project.folder, ["calls", "answer", id, "--allow", "--store", "files=later"])).code).toBe(0);
    }
    expect(await ask()).toContain("noted");
    const log = readFileSync(join(project.folder, "log.txt"), "utf8");
    expect(log.match(/noted (?:first|second)/gu)).toEqual(["noted first", "noted second"]);
  } finally {
    await client.close();
  }
});

test("hasp serve --programs offers programs in place of the tools that they call", async () => {
  const client = new Client({ name: "test", version: "1" });
  const words = [bin, "serve", "--programs"];
  try {
    await client.connect(
      new StdioClientTransport({ command: process.execPath, args: words, cwd: project.folder, stderr: "ignore" }),
    );
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(["read_result", "run_program"]);
    const { structuredContent } = await client.callTool({ name: "run_program", arguments: { code: program } });
    expect(structuredContent).toMatchObject({ result: { noted: "denied" } });
  } finally {
    await client.close();
  }
});
