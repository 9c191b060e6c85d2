import { existsSync, readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { measureProcess, printTable } from "./measure.js";
import { makeProject } from "./project.js";
import { temporaryFolder } from "./temporary-folder.js";

const hasp = resolve(import.meta.dirname, "../../packages/hasp/bin/hasp.js");
const executable = "/usr/bin/chromium";

/** The catalogue of many generated tools: how long it takes beside a check, how large it is, and how it feels. */
export default async function run() {
  for (const count of [100, 1000]) {
    const project = makeProject(count);
    const where = { cwd: project.folder, env: project.env, runs: 3 };
    measureProcess([hasp, "build", "--unlocked"], { ...where, runs: 1 });
    const check = measureProcess([hasp, "check", "--no-cache"], { ...where, allowed: [1] });
    const catalogue = measureProcess([hasp, "catalogue"], { ...where, allowed: [1] });
    const anew = measureProcess([hasp, "catalogue", "--no-cache"], { ...where, runs: 1, allowed: [1] });
    const page = join(project.folder, "catalogue/index.html");
    const zipped = gzipSync(readFileSync(page)).length;
    printTable(
      `the catalogue of ${count} generated tools, five dialects, after a build`,
      ["", "measured", "mark"],
      [
        ["hasp check --no-cache, ms (CPU)", figures(check), ""],
        ["hasp catalogue, ms (CPU)", figures(catalogue), count === 1000 ? "3000" : ""],
        ["hasp catalogue --no-cache, ms (CPU)", figures(anew), ""],
        ["page, KB", (statSync(page).size / 1024).toFixed(0), ""],
        ["page, gzipped, KB", (zipped / 1024).toFixed(0), count === 100 ? "250" : ""],
        ...(existsSync(executable) ? await feelOf(pathToFileURL(page).href, count) : []),
      ],
    );
  }
}

const figures = ({ milliseconds, userMilliseconds }) => `${milliseconds.toFixed(0)} (${userMilliseconds.toFixed(0)})`;

/** First paint, and the longest frame while somebody searches and scrolls. */
async function feelOf(address, count) {
  const { chromium } = await import("playwright-core");
  const context = await chromium.launchPersistentContext(temporaryFolder("hasp-bench-chromium-"), {
    executablePath: executable,
    headless: true,
    chromiumSandbox: process.getuid?.() !== 0,
    args: ["--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-sync"],
  });
  const page = await context.newPage();
  await page.goto(address);
  await page.waitForSelector("h1");
  const paint = await page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0);
  await page.goto(`${address}#/tools`);
  await page.waitForSelector(".tool-list li");
  await page.waitForTimeout(500);
  const session = await context.newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  // CPU time of the page's thread: what else the machine does lengthens frames, and hardly this.
  const busy = async () => {
    const { metrics } = await session.send("Performance.getMetrics");
    return metrics.find(({ name }) => name === "TaskDuration").value * 1000;
  };
  const frames = async (steps, work) => {
    const before = await busy();
    await page.evaluate(() => {
      globalThis.frames_ = [];
      let last = performance.now();
      const step = (now) => {
        globalThis.frames_.push(now - last);
        last = now;
        globalThis.running_ = requestAnimationFrame(step);
      };
      globalThis.running_ = requestAnimationFrame(step);
    });
    await work();
    const p95 = await page.evaluate(() => {
      cancelAnimationFrame(globalThis.running_);
      const sorted = globalThis.frames_.slice(1).toSorted((left, right) => left - right);
      return sorted[Math.floor(sorted.length * 0.95)] ?? 0;
    });
    return { p95: p95.toFixed(1), cpu: (((await busy()) - before) / steps).toFixed(1) };
  };
  await page.keyboard.press("/");
  const words = "list account";
  const searching = await frames(words.length, async () => page.keyboard.type(words, { delay: 60 }));
  await page.keyboard.press("Escape");
  const turns = 30;
  const scrolling = await frames(turns, async () => {
    for (let turn = 0; turn < turns; turn += 1) {
      await page.mouse.wheel(0, 700);
      await page.waitForTimeout(20);
    }
  });
  await context.close();
  return [
    ["first paint, ms", paint.toFixed(0), count === 1000 ? "1000" : ""],
    ["frame while searching, p95, ms", searching.p95, "16.7"],
    ["work per key, ms (CPU)", searching.cpu, ""],
    ["frame while scrolling, p95, ms", scrolling.p95, "16.7"],
    ["work per turn of the wheel, ms (CPU)", scrolling.cpu, ""],
  ];
}
