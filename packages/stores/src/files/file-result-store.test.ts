import { mkdtempSync, rmSync } from "node:fs";
import { readdir, readFile, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildTool, createDispatcher } from "@hasp/runtime";
import { expect, onTestFinished, test } from "vitest";
import { fileResultStore } from "./file-result-store.js";
import { storedResults } from "@hasp/runtime/results";

test("fileResultStore keeps long results as files for their owner alone, and says where", async () => {
  const directory = mkdtempSync(join(tmpdir(), "hasp-results-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const long = "x".repeat(5000);
  const big = buildTool({
    name: "big",
    description: "d",
    input: { type: "object", additionalProperties: true },
    concurrency: { class: "READ_ONLY" },
    behavior: { requiresPermission: false },
    limits: { maxResultSizeChars: 1000 },
    execute: () => long,
  });
  const dispatcher = createDispatcher({ tools: [big], extensions: [storedResults(fileResultStore(directory))] });
  const [result] = await dispatcher.dispatch([{ id: "../../escape", name: "big", input: {} }]);
  const [file = ""] = await readdir(directory);
  const path = join(directory, file);
  expect(result?.offloaded).toEqual({ reference: path, sizeChars: 5000 });
  expect(await readFile(path, "utf8")).toBe(long);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
});
