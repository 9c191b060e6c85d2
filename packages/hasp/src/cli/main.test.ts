import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { declaredFindings } from "./show/explain.js";
import { main } from "./main.js";
import { isSet } from "@hasp/project";
import type { Terminal } from "./shell/terminal.js";
import { recordingTerminal, type RecordingTerminal } from "./shell/terminal.testing.js";

const terminal = (changes: Partial<Terminal> = {}): RecordingTerminal =>
  recordingTerminal(import.meta.dirname, changes);

describe("main", () => {
  test("calls a mistake of ours by its name, with the stack, and gives 2", async () => {
    const broken = terminal({
      paint: () => {
        throw new Error("boom \u001b[2J");
      },
    });
    expect(await main(["show", "load/tag"], broken)).toBe(2);
    const { out, error } = broken.printed();
    expect(out).toBe("");
    expect(error).toMatch(/^This is a bug in hasp, not in your specs\./);
    expect(error).toContain("boom \\u{1b}[2J");
    expect(error).toMatch(/^ +at /m);
  });

  test("explains a finding that belongs to no rule", async () => {
    const calm = terminal();
    expect(await main(["show", "ledger/stale"], calm)).toBe(0);
    expect(calm.printed().out).toContain("hasp-ledger/");
    expect(await main(["show", "nothing"], calm)).toBe(2);
  });

  test("explains a finding of every part of the compiler", async () => {
    const source = resolve(import.meta.dirname, "../../..");
    const code = readdirSync(source)
      .map((name) => join(source, name, "src"))
      .filter((folder) => existsSync(folder))
      .flatMap((folder) => readdirSync(folder, { recursive: true, encoding: "utf8" }).map((path) => join(folder, path)))
      .filter((path) => /(?<!\.test)\.ts$/u.test(path))
      .map((path) => readFileSync(path, "utf8"))
      .join("\n");
    const parts = new Set([...code.matchAll(/defineDiagnostics\("([a-z-]+)"/g)].map((match) => match[1] ?? ""));
    expect(parts.size).toBeGreaterThan(8);
    for (const part of [...parts, "schema", "request"]) {
      const [id = ""] = (await declaredFindings(part)).keys();
      expect([part, await main(["show", id], terminal())]).toEqual([part, 0]);
    }
  });

  test("takes common words before and after the command", async () => {
    for (const words of [
      ["--format", "json", "show", "rule:"],
      ["show", "rule:", "--format", "json"],
    ]) {
      const calm = terminal();
      expect(await main(words, calm)).toBe(0);
      expect(JSON.parse(calm.printed().out)).toHaveProperty("rules");
    }
  });
});

test("a variable is set unless it says no", () => {
  for (const value of ["1", "true", "yes", "github"]) expect(isSet(value)).toBe(true);
  for (const value of [undefined, "", "0", "false", "No"]) expect(isSet(value)).toBe(false);
});
