import { spawnSync } from "node:child_process";
import { performance } from "node:perf_hooks";

/** The middle of some numbers. */
export function median(numbers) {
  const sorted = numbers.toSorted((left, right) => left - right);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/**
 * Runs a program of ours several times in fresh processes.
 * Gives the medians of wall time and of processor time in milliseconds, of peak memory in megabytes, and of the number
 * that the program prints, if it prints one. Throws if a run fails otherwise than `allowed`.
 */
export function measureProcess(args, { runs = 5, cwd, env, before, allowed = [0] } = {}) {
  const times = [];
  const memories = [];
  const userTimes = [];
  const printed = [];
  for (let run = 0; run < runs; run += 1) {
    before?.();
    const started = performance.now();
    const child = spawnSync(
      process.execPath,
      ["--import", new URL("report-memory.js", import.meta.url).href, ...args],
      {
        cwd,
        env: { ...process.env, ...env },
        encoding: "utf8",
        maxBuffer: 1 << 30,
        stdio: ["ignore", "pipe", "pipe", "pipe"],
      },
    );
    times.push(performance.now() - started);
    if (!allowed.includes(child.status)) {
      throw new Error(`${args.join(" ")} ended with ${child.status}\n${child.stdout}\n${child.stderr}`);
    }
    const [kilobytes, microseconds] = child.output[3].split(" ").map(Number);
    memories.push(kilobytes / 1024);
    userTimes.push(microseconds / 1000);
    printed.push(Number(child.stdout));
  }
  return {
    milliseconds: median(times),
    userMilliseconds: median(userTimes),
    megabytes: median(memories),
    printed: median(printed),
  };
}

/**
 * The median CPU time of one call in microseconds, garbage collection included; `inner` calls are measured together,
 * after a warm-up. CPU time, since others may use the machine.
 */
export async function measureCall(call, { runs = 15, inner = 1000 } = {}) {
  for (let index = 0; index < Math.min(inner, 2000); index += 1) await call(index);
  const times = [];
  for (let run = 0; run < runs; run += 1) {
    const started = process.cpuUsage();
    for (let index = 0; index < inner; index += 1) {
      const pending = call(index);
      if (pending instanceof Promise) await pending;
    }
    const { user, system } = process.cpuUsage(started);
    times.push((user + system) / inner);
  }
  return median(times);
}

/**
 * The median of the user CPU time of one call, in microseconds: on a machine that others use, the clock on the wall
 * tells of them. `inner` calls are counted together, after a warm-up.
 */
export async function measureUserTime(call, { runs = 15, inner = 1000 } = {}) {
  for (let index = 0; index < Math.min(inner, 2000); index += 1) await call(index);
  const times = [];
  for (let run = 0; run < runs; run += 1) {
    const before = process.cpuUsage();
    for (let index = 0; index < inner; index += 1) await call(index);
    times.push(process.cpuUsage(before).user / inner);
  }
  return median(times);
}

/** The exponent of growth between two sizes: 1 is linear. */
export function growth(small, large) {
  return Math.log(large.value / small.value) / Math.log(large.size / small.size);
}

/** Prints rows of text as a table with aligned columns. */
export function printTable(title, head, rows) {
  const all = [head, ...rows].map((row) => row.map(String));
  const widths = head.map((_cell, column) => Math.max(...all.map((row) => row[column].length)));
  const line = (row) =>
    row.map((cell, column) => (column === 0 ? cell.padEnd(widths[column]) : cell.padStart(widths[column]))).join("  ");
  process.stdout.write(`\n${title}\n${all.map(line).join("\n")}\n`);
}
