import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, afterEach, expect, test, vi } from "vitest";
import { completePlan } from "@hasp/compiler/model";
import { openPlugin, startPlugin } from "./plugin-host.js";

const folder = mkdtempSync(join(tmpdir(), "hasp-plugin-"));
afterAll(() => rmSync(folder, { recursive: true }));
afterEach(() => void vi.useRealTimers());

/** Short for plugins that hang; others may load slowly on a busy machine. */
const LIMITS = { load: 60, answer: 1.5 };

function start(name: string, text: string, limits = LIMITS): ReturnType<typeof startPlugin> {
  return startPlugin(write(name, text), limits);
}

test("stops a plugin that hangs while it is loaded", async () => {
  const worker = start("load", "for (;;);", { load: 1.5, answer: 1.5 });
  expect(await worker.ask("describe", undefined)).toEqual({ reason: "it did not answer within 1.5 seconds" });
  expect(await worker.ask("check", undefined)).toEqual({ reason: "it did not answer within 1.5 seconds" });
});

test("stops a plugin that hangs in an emitter", async () => {
  const worker = start("emit", `export default { name: "a", emitters: [{ name: "a/x", emit() { for (;;); } }] };`);
  expect(await worker.ask("describe", undefined)).toHaveProperty("value");
  expect(await worker.ask("emit", { name: "a/x", model: {} })).toHaveProperty(
    "reason",
    "it did not answer within 1.5 seconds",
  );
});

test("names a rule that hangs", async () => {
  const worker = start(
    "rule",
    `export default { name: "a", rules: [
      { id: "a/fine", severity: "error", messages: {}, checkTool() {} },
      { id: "a/hangs", severity: "error", messages: {}, checkTool() { for (;;); } }] };`,
  );
  worker.setParts(["a/fine", "a/hangs"]);
  await worker.ask("describe", undefined);
  const plan = completePlan({});
  const text = "hasp: 1\nname: c\ndescription: Read c.\ninput: { type: object, properties: {} }\n";
  const sources = [{ uri: "c.tool.yaml", text, role: "spec" }];
  expect(await worker.ask("check", { sources, plan })).toEqual({
    reason: "it did not answer within 1.5 seconds",
    at: '"a/hangs"',
  });
});

/** A plugin whose emitter counts its runs, after 300 milliseconds. */
const COUNTING = `let runs = 0;
  const emit = () => new Promise((resolve) => setTimeout(() => resolve([{ path: "a", text: String(++runs) }]), 300));
  export default { name: "a", emitters: [{ name: "a/x", emit }] };`;

const emitted = (text: string): object => ({ value: [{ path: "a", text }] });
const RUN = { name: "a/x", model: {} };

function write(name: string, text: string): string {
  const path = join(folder, `${name}.mjs`);
  writeFileSync(path, text);
  return pathToFileURL(path).href;
}

test("closing a lease leaves the worker to its other holders", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const url = write("shared", COUNTING);
  const [first, second] = [openPlugin(url, "1"), openPlugin(url, "1")];
  const pending = second.ask("emit", RUN);
  first.close();
  first.close();
  expect(await pending).toEqual(emitted("1"));
  const third = openPlugin(url, "1");
  expect(await third.ask("emit", RUN)).toEqual(emitted("2"));
  second.close();
  expect(third.isRunning()).toBe(true);
  third.close();
  expect([first.isRunning(), third.isRunning()]).toEqual([false, false]);
  const fourth = openPlugin(url, "1");
  expect(await fourth.ask("emit", RUN)).toEqual(emitted("1"));
  fourth.close();
});

test("new code of a plugin leaves the old worker to its holders until they stop asking", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const url = write("again", COUNTING);
  const first = openPlugin(url, "1");
  const pending = first.ask("emit", RUN);
  const second = openPlugin(url, "2");
  expect(await pending).toEqual(emitted("1"));
  expect(await first.ask("emit", RUN)).toEqual(emitted("2"));
  expect(await second.ask("emit", RUN)).toEqual(emitted("1"));
  vi.advanceTimersByTime(30_000);
  expect(first.isRunning()).toBe(true);
  vi.advanceTimersByTime(30_000);
  expect(first.isRunning()).toBe(false);
  expect(second.isRunning()).toBe(true);
  expect(await first.ask("emit", RUN)).toEqual({ reason: "it was closed" });
  second.close();
});
