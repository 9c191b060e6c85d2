import { describe, expect, test } from "vitest";
import { blocksOf, commandsOf, isFragment, shows } from "./guide.js";

describe("a guide", () => {
  test("has its blocks by language, path and line", () => {
    expect(blocksOf("# A\n\n```yaml specs/a.tool.yaml\nhasp: 1\n```\n\n```sh\nhasp check\n```\n")).toEqual([
      { language: "yaml", path: "specs/a.tool.yaml", text: "hasp: 1\n", line: 4 },
      { language: "sh", path: "", text: "hasp check\n", line: 8 },
    ]);
  });

  test("says how a command ends, and may remark on it", () => {
    const [block] = blocksOf(
      "```sh\n# first\nhasp check   # what is missing; exits 1\nhasp build\nhasp test # exits 2\n```\n",
    );
    expect(block && commandsOf(block)).toEqual([
      { script: "hasp check", code: 1 },
      { script: "hasp build", code: 0 },
      { script: "hasp test", code: 2 },
    ]);
  });

  test("shows what was printed, with gaps", () => {
    expect(shows("a [x] 1\n…\nz\n", "a [x] 1\nb\nc\nz")).toBe(true);
    expect(shows("took … ms", "took 12 ms\n")).toBe(true);
    expect(shows("a\nz", "a\nb\nz")).toBe(false);
    expect(shows("a", "ab")).toBe(false);
  });

  test("quotes its files line by line, in order", () => {
    expect(isFragment("a: 1\nc: 3", "x:\n  a: 1\n  b: 2\n  c: 3\n")).toBe(true);
    expect(isFragment("c: 3\na: 1", "a: 1\nc: 3\n")).toBe(false);
  });
});
