// A terminal of 40 columns: no table is broken, and nothing that a wide one shows is missing.
import { cpSync } from "node:fs";
import { beforeAll, describe, expect, test } from "vitest";
import { main } from "../../packages/hasp/src/cli/main.js";
import { recordingTerminal } from "../../packages/hasp/src/cli/shell/terminal.testing.js";
import { minimalSpec, project } from "./command-line.js";

let folder: string;
beforeAll(() => {
  folder = project({
    "hasp.config.yaml": "specs: [specs]\ndialects: [anthropic, gemini-json-schema, openai-responses-strict]\n",
    "specs/look_up.tool.yaml": minimalSpec("look_up", "concurrency: { class: READ_ONLY }\n"),
    "specs/find_all.tool.yaml": minimalSpec("find_all", "owner: somebody\ntags: [one, two]\n"),
  });
});

async function printed(words: readonly string[], columns: number, root = folder): Promise<string> {
  const terminal = recordingTerminal(root, { columns, environment: { CI: "" } });
  const code = await main(words, terminal);
  const { out, error } = terminal.printed();
  expect(error, words.join(" ")).not.toContain("bug in hasp");
  expect(code, `${out}${error}`).toBeLessThan(2);
  return `${out}${error}`;
}

/** The words of a text by themselves, whatever is between them. */
const wordsOf = (text: string): ReadonlySet<string> =>
  new Set(text.replaceAll(/\d+ ms\b/gu, "").match(/[\p{L}\p{N}_./#$-]*[\p{L}\p{N}]/gu));

/**
 * Lines that a narrow terminal breaks in a later column than the first: a last cell, like the code of a finding or a
 * path, may go on below.
 */
const brokenLines = (text: string): readonly string[] =>
  text
    .split("\n")
    .filter((line) => line.length > 40 && /^.{20,}\S {2,}\S/u.test(line.replace(/ {2}[a-z-]+\/[a-z-]+$/u, "")));

const help = await printed(["--help"], 80, project());
const commands = [...help.matchAll(/^.{13}([a-z]+) {2}/gmu)].map(([, name = ""]) => name);

describe("help at 40 columns", () => {
  test.each([[["--help"]], ...commands.map((name) => [[name, "--help"]])])(
    "%j says all of it in lines that fit",
    async (words: readonly string[]) => {
      const narrow = await printed(words, 40);
      const tooLong = narrow.split("\n").filter((line) => line.length > 40);
      // Running text may go on at the left; the name of an option, or a long word, is not divided.
      expect(tooLong.filter((line) => !/^(?:\S|  \S| {6}\S+$)/u.test(line))).toEqual([]);
      expect(wordsOf(narrow)).toEqual(wordsOf(await printed(words, 80)));
    },
  );
});

describe("reports at 40 columns", () => {
  test.each([
    [["check", "--unlocked"]],
    [["build", "--unlocked", "--dry-run"]],
    [["show"]],
    [["show", "find_all"]],
    [["show", "look_up"]],
    [["schema", "lower", "specs/look_up.tool.yaml", "--for", "gemini-json-schema"]],
    [["show", "rule:"]],
    [["show", "naming/vague-name"]],
    [["test"]],
    [["diff", "."]],
  ])("hasp %j breaks no table and loses no word", async (words) => {
    const narrow = await printed(words, 40);
    expect(brokenLines(narrow)).toEqual([]);
    const shown = wordsOf(narrow);
    // The lines around a finding give way.
    const wide = (await printed(words, 100)).replaceAll(/^ *>? *\d+ │.*$/gmu, "");
    const lost = [...wordsOf(wide)].filter((word) => !shown.has(word));
    // A list of tools has no titles.
    expect(lost.filter((word) => !["tool", "class", "flags"].includes(word))).toEqual([]);
  });

  test("approve shows its claims as a list", async () => {
    const narrow = project();
    cpSync(folder, narrow, { recursive: true });
    const report = await printed(["approve", "look_up", "--yes", "--reason", "only reads"], 40, narrow);
    expect(brokenLines(report)).toEqual([]);
    expect(report).toContain("concurrency.class: READ_ONLY");
  });
});
