import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { keepAnswers } from "./kept-answers.js";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "hasp-kept-"));
  mkdirSync(join(folder, "specs"));
  write("specs/a.tool.yaml", "one");
});
afterEach(() => rmSync(folder, { recursive: true }));

function write(path: string, text: string): void {
  writeFileSync(join(folder, path), text);
}

const a = { uri: "specs/a.tool.yaml", role: "spec" } as const;
const specs = { patterns: ["specs/**"], ignore: [] };

test("an answer holds until somebody says that it may not; the same text stays the same object", async () => {
  const answers = keepAnswers(folder);
  const first = await answers.ask("text", a);
  write("specs/a.tool.yaml", "two");
  expect(await answers.ask("text", a)).toBe(first);
  answers.forgetTexts("specs/a.tool.yaml");
  expect(await answers.ask("text", a)).toMatchObject({ text: "two" });
  const second = await answers.ask("text", a);
  answers.forgetTexts("specs");
  expect(await answers.ask("text", a)).toBe(second);
});

test("what is there is found again once entries have come or gone", async () => {
  const answers = keepAnswers(folder);
  expect((await answers.ask("specs", specs)).paths).toEqual(["specs/a.tool.yaml"]);
  write("specs/b.tool.yaml", "");
  expect((await answers.ask("specs", specs)).paths).toHaveLength(1);
  answers.forgetListings();
  expect((await answers.ask("specs", specs)).paths).toHaveLength(2);
  expect([...answers.patterns()]).toEqual(["specs/**"]);
});

test("a file that is not there yet is looked for again when it may have come", async () => {
  const answers = keepAnswers(folder);
  const missing = { uri: "common/x.yaml", role: "shared" } as const;
  expect(await answers.ask("text", missing)).toBeUndefined();
  mkdirSync(join(folder, "common"));
  write("common/x.yaml", "here");
  answers.forgetTexts("common");
  expect(await answers.ask("text", missing)).toMatchObject({ text: "here" });
  expect([...answers.folders()]).toEqual(["common"]);
});

test("what a link leads to is read each time: it changes where nobody watches", async () => {
  const answers = keepAnswers(folder);
  write("elsewhere.yaml", "one");
  symlinkSync("../elsewhere.yaml", join(folder, "specs/x.yaml"));
  const linked = { uri: "specs/x.yaml", role: "shared" } as const;
  expect(await answers.ask("text", linked)).toMatchObject({ text: "one" });
  write("elsewhere.yaml", "two");
  expect(await answers.ask("text", linked)).toMatchObject({ text: "two" });
});
