import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, expect, test } from "vitest";
import { completePlan } from "../../../compiler/src/config/complete-plan.js";
import { openPlugin, startPlugin } from "./plugin-host.js";

const folder = mkdtempSync(join(tmpdir(), "hasp-plugin-"));
afterAll(() => rmSync(folder, { recursive: true }));

const LIMITS = { load: 1.5, answer: 1.5 };

function start(name: string, text: string): ReturnType<typeof startPlugin> {
  const path = join(folder, `${name}.mjs`);
  writeFileSync(path, text);
  return startPlugin(pathToFileURL(path).href, LIMITS);
}

test("stops a plugin that hangs while it is loaded", async () => {
  const worker = start("load", "for (;;);");
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
  const plan = completePlan({});
  const text = "hasp: 1\nname: c\ndescription: Read c.\ninput: { type: object, properties: {} }\n";
  const sources = [{ uri: "c.tool.yaml", text, role: "spec" }];
  expect(await worker.ask("check", { sources, plan })).toEqual({
    reason: "it did not answer within 1.5 seconds",
    at: '"a/hangs"',
  });
});

test("a worker runs until the code of its plugin changes", () => {
  const url = pathToFileURL(join(folder, "again.mjs")).href;
  writeFileSync(join(folder, "again.mjs"), `export default { name: "a" };`);
  const first = openPlugin(url, "1", LIMITS);
  expect(openPlugin(url, "1", LIMITS)).toBe(first);
  const second = openPlugin(url, "2", LIMITS);
  expect([first.isRunning(), second.isRunning()]).toEqual([false, true]);
  second.close();
  const third = openPlugin(url, "2", LIMITS);
  expect(third).not.toBe(second);
  third.close();
});
