import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { askChild, type ChildProgram, describeLapse, type Reply, startProcess, startThread } from "./child.js";

const folder = mkdtempSync(join(tmpdir(), "hasp-child-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** Writes a program whose `reply` sends an answer, in a process and in a thread. */
function write(name: string, text: string): string {
  const path = join(folder, `${name}.mjs`);
  const start = `import { parentPort } from "node:worker_threads";
const port = parentPort ?? process;
const reply = (id, answer) => parentPort ? parentPort.postMessage({ id, answer }) : process.send({ id, answer });\n`;
  writeFileSync(path, start + text);
  return path;
}

const KINDS: readonly (readonly [kind: string, start: (module: string) => ChildProgram<unknown, unknown>])[] = [
  ["process", (module) => startProcess(module)],
  ["thread", (module) => startThread(module, {})],
];

const words = (reply: Reply<unknown>): string => ("lapse" in reply ? describeLapse(reply.lapse) : "answered");

test.each(KINDS)("a %s may answer several questions in any order", async (kind, start) => {
  const child = start(
    write(`${kind}-late`, `port.on("message", ({ id, question }) => setTimeout(reply, question, id, { question }));`),
  );
  const replies = await Promise.all([300, 1, 100].map((question) => child.ask(question, 60)));
  expect(replies).toEqual([300, 1, 100].map((question) => ({ answer: { question } })));
  child.end("it was closed");
});

test.each(KINDS)("a %s that hangs is ended, and waiting and later questions get the reason", async (kind, start) => {
  const child = start(write(`${kind}-hangs`, `port.on("message", ({ question }) => { if (question) for (;;); });`));
  const waiting = child.ask(false, 60);
  expect(words(await child.ask(true, 1.5))).toBe("did not answer within 1.5 seconds");
  expect(words(await waiting)).toBe("did not answer within 1.5 seconds");
  expect(child.isRunning()).toBe(false);
  expect(words(await child.ask(false, 60))).toBe("did not answer within 1.5 seconds");
});

test.each(KINDS)("a question to a %s that ends or throws gets the reason", async (kind, start) => {
  const ends = start(write(`${kind}-ends`, `port.on("message", () => process.exit(3));`));
  expect(words(await ends.ask(0, 60))).toBe("ended its process (3)");
  const throws = start(write(`${kind}-throws`, `port.on("message", () => { throw new Error("no luck"); });`));
  expect(words(await throws.ask(0, 60))).toMatch(/^ended its process \(1\)|\(no luck\)$/u);
});

test("an answer without a question, and a second answer, are ignored", async () => {
  const program = write("twice", `port.on("message", ({ id }) => { reply(id + 7, 1); reply(id, 2); reply(id, 3); });`);
  const child = startProcess(program);
  expect(await child.ask(0, 60)).toEqual({ answer: 2 });
  expect(await child.ask(0, 60)).toEqual({ answer: 2 });
  child.end("it was closed");
});

test("a thread sees the paths of the environment, and nothing else of it", async () => {
  process.env["HASP_TEST_TOKEN"] = "s3cret";
  try {
    const child = startThread(
      write("sees", `port.on("message", ({ id }) => reply(id, Object.keys(process.env).sort()));`),
      {},
    );
    const { answer } = (await child.ask(0, 60)) as { readonly answer: readonly string[] };
    expect(answer).toContain("PATH");
    expect(["HOME", "PATH", "SystemRoot", "TEMP", "TMP", "TMPDIR"]).toEqual(expect.arrayContaining([...answer]));
    child.end("it was closed");
  } finally {
    delete process.env["HASP_TEST_TOKEN"];
  }
});

test("a process sees hasp's own token under no name", async () => {
  process.env["HASP_GITHUB_TOKEN"] = "s3cret";
  try {
    const program = write("env", `port.on("message", ({ id }) => reply(id, process.env));`);
    const { answer } = (await askChild(program, 0, { seconds: 60 })) as {
      readonly answer: Readonly<Record<string, string>>;
    };
    expect(answer).toMatchObject({ PATH: expect.any(String) });
    expect(Object.values(answer)).not.toContain("s3cret");
  } finally {
    delete process.env["HASP_GITHUB_TOKEN"];
  }
});

test("a process sees only the given variables, and the reason for its end quotes its last words", async () => {
  const program = write(
    "quiet",
    `port.on("message", ({ id, question }) => {
      if (question) return reply(id, process.env);
      console.error("some\\nlast words");
      setTimeout(() => process.exit(), 300);
    });`,
  );
  const options = { environment: { GIVEN: "yes" }, keepsOutput: true, seconds: 60 };
  const { answer } = (await askChild(program, true, options)) as { readonly answer: object };
  expect(Object.keys(answer).filter((name) => !/^(?:NODE_CHANNEL|__CF)/u.test(name))).toEqual(["GIVEN"]);
  const reply = await askChild(program, false, options);
  expect(words(reply)).toBe("ended its process (0) and said last: some | last words");
});
