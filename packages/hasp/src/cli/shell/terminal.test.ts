import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createPlainProgress, createProgressLine, type ProgressLine } from "./terminal.js";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function watched(columns = 60): { readonly line: ProgressLine; at(time: number): void; written(): string } {
  let [time, text] = [1000, ""];
  const line = createProgressLine({ write: (more) => void (text += more), now: () => time, columns });
  return {
    line,
    at: (milliseconds) => void (time = 1000 + milliseconds),
    written: () => {
      const before = text;
      text = "";
      return before.replaceAll("\u001B[K", "<").replaceAll("\r", ">");
    },
  };
}

test("short work shows nothing, and leaves nothing behind", () => {
  const { line, at, written } = watched();
  line.report("Checking tools", 0, 12);
  at(299);
  line.report("Checking tools", 11, 12);
  line.end();
  vi.advanceTimersByTime(1000);
  expect(written()).toBe("");
});

test("work that never waits shows a line after 300 ms, then a few times a second", () => {
  const { line, at, written } = watched();
  for (let time = 0; time <= 1000; time += 1) {
    at(time);
    line.report("Checking tools", time, 1000);
  }
  const frames = written().split(">").slice(1);
  expect(frames[0]).toBe("Checking tools 300/1000<");
  expect(frames.length).toBeGreaterThan(5);
  expect(frames.length).toBeLessThan(12);
  line.end();
  expect(written()).toBe("><");
});

test("work that waits shows a line although nothing new is reported", () => {
  const { line, written } = watched();
  line.report("Reading the source");
  vi.advanceTimersByTime(299);
  expect(written()).toBe("");
  vi.advanceTimersByTime(1);
  expect(written()).toBe(">Reading the source …<");
});

test("a phase that reports only its begin is shown at once", () => {
  const { line, at, written } = watched();
  line.report("Counting tokens", 0, 9);
  at(300);
  line.report("Counting tokens", 8, 9);
  at(301);
  line.report("Writing files", 0, 20);
  expect(written()).toBe(">Counting tokens 8/9<>Writing files 0/20<");
});

test("after its end, the next line waits anew", () => {
  const { line, at, written } = watched();
  line.report("Checking tools", 0, 2);
  at(400);
  line.report("Checking tools", 1, 2);
  line.end();
  written();
  at(410);
  line.report("Writing files", 0, 9);
  expect(written()).toBe("");
});

test("the line fits the terminal, and is one line whatever a name holds", () => {
  const { line, written } = watched(20);
  line.report("of a\nb\u001B[2J, which is very long", 1, 2);
  vi.advanceTimersByTime(300);
  const text = written();
  expect(text).not.toContain("\n");
  expect(text).not.toContain("\u001B");
  expect(text.replaceAll(/[<>]/gu, "").length).toBeLessThanOrEqual(19);
});

test("without a screen, long work and slow sources are named once, and short work is not", () => {
  let text = "";
  const line = createPlainProgress((more) => void (text += more));
  line.report("Checking tools", 0, 499);
  line.wait("Reading the source");
  vi.advanceTimersByTime(299);
  expect(text).toBe("");
  line.end();
  vi.advanceTimersByTime(1000);
  expect(text).toBe("");
  line.wait("Reading the source");
  vi.advanceTimersByTime(300);
  line.report("Checking tools", 0, 500);
  expect(text).toBe("Reading the source …\n");
  text = "";
  createPlainProgress((more) => void (text += more)).report("Checking tools", 0, 500);
  expect(text).toBe("Checking tools (500) …\n");
});
