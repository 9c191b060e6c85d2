import { expect, test } from "vitest";
import { runDemo } from "./demo.testing.js";

test("the demo shows batches, live permissions, an interrupt, and an e-mail that a page asked for and a person refuses, then narrows", async () => {
  const text = await runDemo([]);
  expect(text).toContain("  flow, search, results\n");
  expect(text).toMatch(
    /batch 1, 2 calls together\n.*call_1 .*READ_ONLY.* ok\n.*call_2 .*ok\n.*batch 2, alone\n.*call_3 .*WRITE_EXCLUSIVE.* ok\n.*batch 3, 2 calls together/,
  );
  expect(text).toMatch(
    /call_9 {2}Running for step.*\n.*step 1 of 9\n.*step 2 of 9\n.*failed: interrupted \(effect: unknown\)/,
  );
  expect(text).toMatch(/call_10 .*not run {2}interrupted \(effect: none\)/);
  expect(text).toMatch(
    /call_7 .*not run {2}plan-mode \(effect: none\)\n.*\n.*call_8 .*not run {2}denied \(effect: none\)/,
  );
  expect(text).toContain("deny query_database, by operator: The database is being moved.");
  expect(text).not.toContain("step 3 of 9");
  expect(text).toContain('"notes/doors.md: 1 words"');
  expect(text).toMatch(/the user agrees to plan: .*[\s\S]*call_12\.1\.0 .*[\s\S]*call_13 .*not run {2}plan-mode/);
  expect(text).toMatch(/the user agrees to work: [\s\S]*to do \(active\): Write[\s\S]*call_16 .*WRITE_EXCLUSIVE.* ok/);
  const { mails } = /An injected page.*\n(?<mails>[\s\S]*?)\n\n/u.exec(text)?.groups ?? {};
  expect(mails).toMatch(/mail_1 {2}Sent .*: ok\n[\s\S]*mail_2 .*: ok\n[\s\S]*mail_3 .*: ok\n/u);
  expect(mails).toMatch(
    /waits for a person: .*\(from find_user\).*eve@hasps\.example.*\(from web_search, find_user\)/u,
  );
  expect(mails).toMatch(/mail_4 .*not run {2}denied \(effect: none\)\n/u);
  expect(mails).toMatch(
    /mail_5 {2}Sent .*: ok\n[\s\S]*\n {2}the model reads: .*"accepted":\["ada@example\.com"\]\}\n/u,
  );
  expect(mails).toContain(
    `The person who allowed this call changed its input first:
    - /to was ["ada@example.com","eve@hasps.example"] and is ["ada@example.com"]\n`,
  );
  expect(mails).toMatch(/\n {2}in the outbox: ada@example\.com, ada@example\.com$/u);
  for (const id of ["call_1", "call_8", "call_9", "call_10"]) {
    expect(text.match(new RegExp(`"(tool_use_id|call_id|id)":"${id}"`, "g"))).toHaveLength(3);
  }
});

test.skipIf(process.platform === "win32")("Ctrl-C interrupts the turn, not the program", async () => {
  let isPressed = false;
  const text = await runDemo(["--ctrl-c"], (printed, interrupt) => {
    if (isPressed || !printed.includes("step 1 of 9")) return;
    isPressed = true;
    interrupt();
  });
  expect(text).toContain("The user pressed Ctrl-C.");
  expect(text).not.toContain("step 9 of 9");
});
