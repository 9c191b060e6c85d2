import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test, vi } from "vitest";
import type { Rule } from "@hasp/compiler/plugin";
import { main } from "./main.js";
import { recordingTerminal } from "./shell/terminal.testing.js";

const crashing = vi.hoisted((): Rule => ({
  id: "naming/crashing",
  severity: "info",
  summary: "It crashes.",
  why: "To show it.",
  messages: {},
  examples: { bad: [], good: [] },
  checkTool: () => {
    throw new TypeError("cannot read x");
  },
}));

// The module that the kernel imports: a mock of the door would not reach it.
vi.mock("../../../builtin/src/rules/index.js", async (original) => ({
  rules: [crashing, ...(await original<{ readonly rules: readonly Rule[] }>()).rules],
}));

const folder = mkdtempSync(join(tmpdir(), "hasp-crash-"));
afterAll(() => rmSync(folder, { recursive: true }));

test.each(["check", "ci"])(
  "hasp %s: a rule that crashes is our bug, by its name, and 2; the other rules still speak",
  async (command) => {
    mkdirSync(join(folder, "specs"), { recursive: true });
    writeFileSync(
      join(folder, "specs/a.tool.yaml"),
      "hasp: 1\nname: process_data\ndescription: Use it.\ninput: { type: object, properties: {} }\n",
    );
    const terminal = recordingTerminal(folder);
    expect(await main([command, "--format", "json"], terminal)).toBe(2);
    const { diagnostics } = JSON.parse(terminal.printed().out) as {
      readonly diagnostics: readonly { readonly code: string; readonly message: string }[];
    };
    expect(diagnostics.filter((finding) => finding.code === "check/rule-crashed")).toMatchObject([
      {
        message: expect.stringContaining(
          'The rule "naming/crashing" crashed: cannot read x. This is a bug in hasp',
        ) as string,
      },
    ]);
    expect(diagnostics.map((finding) => finding.code)).toContain("naming/vague-name");
  },
);
