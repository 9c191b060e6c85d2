import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { runDemo } from "./demo.testing.js";

test.skipIf(process.platform === "win32")(
  "the durable demo shows what the page about durable calls says that it shows",
  async () => {
    const page = readFileSync(new URL("../../packages/hasp/docs/durable-calls.md", import.meta.url), "utf8");
    const [, shown] = /^```text durable-demo\n([\s\S]*?)^```$/mu.exec(page) ?? [];
    const [beginning = ""] = shown?.split(/…\s*$/u) ?? [];
    expect(beginning).toContain("Process 5 pays");
    const printed = (await runDemo(["--durable"])).trimStart();
    expect(printed.slice(0, beginning.length)).toBe(beginning);
    expect(printed).toContain(
      `A page answers a call whose process was killed
  call_1 choose_date: waits for somebody who executes it
  Process 1 is killed (SIGKILL).
  a browser sees: When do you arrive?
  it sends the form: 200 Thank you.
  it sends the form: 409 too-late
  Process 2, which serves the page, is killed (SIGKILL).
  call_1 choose_date: ok
  the model reads: 2030-01-31
`,
    );
  },
);
