// The README's first hour, from `npm pack` to an answered call: its own blocks, in their order, in an empty folder with
// the packed packages. Then the marks of a fresh project.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { blocksOf, commandsOf, shows, type Block } from "../guides/guide.js";
import { installedCost, installPacked } from "./packed.testing.js";

const readme = readFileSync(join(import.meta.dirname, "../../README.md"), "utf8");
const [, section = ""] = /^## The first hour\n([\s\S]*?)^## /mu.exec(readme) ?? [];

const folder = mkdtempSync(join(tmpdir(), "hasp-first-hour-"));
// Not in the project: hasp keeps nothing of its own there.
const cache = mkdtempSync(join(tmpdir(), "hasp-cache-"));
const { CI: _ci, FORCE_COLOR: _force, HASP_CONFIG: _config, ...inherited } = process.env;
const environment = {
  ...inherited,
  NO_COLOR: "1",
  PATH: [join(folder, "node_modules/.bin"), inherited["PATH"]].join(delimiter),
  XDG_CACHE_HOME: cache,
};

beforeAll(() => installPacked(folder), 120_000);
afterAll(() => {
  for (const each of [folder, cache]) rmSync(each, { recursive: true, force: true });
});

function run(script: string): { readonly status: number | null; readonly printed: string } {
  const { status, stdout, stderr } = spawnSync(script, {
    cwd: folder,
    env: environment,
    shell: true,
    encoding: "utf8",
  });
  return { status, printed: status === 0 ? stdout : stdout + stderr };
}

describe("the README's first hour", () => {
  test("runs from the install line to an answered call", { timeout: 180_000 }, () => {
    const blocks = blocksOf(section);
    expect(blocks.map(({ language }) => language)).toContain("text");
    let printed = "";
    for (const block of blocks) printed = follow(block, printed);
    expect(printed).toContain("lamp");
  });

  test("ends with a call on the command line that is answered", { timeout: 60_000 }, () => {
    const [, call = ""] = /`npx (hasp call [^`]+)`/u.exec(section) ?? [];
    const { status, printed } = run(call);
    expect(printed).toContain('[{"id":"o1","customerId":"c1","item":"lamp"}]');
    expect(status).toBe(0);
  });
});

/** Does what a block says. Gives what was printed last. */
function follow({ language, path, text, ...block }: Block, before: string): string {
  if (path !== "") {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
    return before;
  }
  if (language === "text") {
    expect(shows(text, before), `printed was:\n${before}`).toBe(true);
    return before;
  }
  return commandsOf({ language, path, text, ...block }).reduce((_, { script, code }) => {
    // The packages are there already; npx would only be slower to find them.
    if (script.startsWith("npm install")) return "";
    const { status, printed } = run(script.replace(/^npx /u, ""));
    expect(status, `${script}\n${printed}`).toBe(code);
    return printed;
  }, "");
}

describe("what it costs", () => {
  test("to install hasp: at most 60 MB and 90 packages", () => {
    const cost = installedCost(join(folder, "node_modules/hasp"));
    expect(cost.packages).toBeLessThanOrEqual(90);
    expect(cost.megabytes).toBeLessThanOrEqual(60);
  });

  test("to install @hasp/runtime: at most 3 MB", () => {
    const { packages, megabytes } = installedCost(join(folder, "node_modules/@hasp/runtime"));
    expect(packages).toBe(2);
    expect(megabytes).toBeLessThanOrEqual(3);
  });

  // CPU time, in turns with bare Node: the machine may be busy with other things.
  test.skipIf(process.platform === "win32").each([
    ["--version", 1.5],
    ["check", 3],
    [`call find_orders '{"customerId":"c1"}'`, 4],
  ])("to run `hasp %s`: under %f times bare Node", { timeout: 120_000 }, (words, limit) => {
    const rounds = Array.from(
      { length: 7 },
      () => [cpuOf(`node_modules/hasp/bin/hasp.js ${words}`), cpuOf("-e 0")] as const,
    );
    const [own, bare] = [0, 1].map((index) => Math.min(...rounds.map((round) => round[index] ?? 0)));
    expect((own ?? 0) / (bare ?? 1)).toBeLessThan(limit);
  });
});

/** Seconds of CPU that one run of Node takes. */
function cpuOf(words: string): number {
  const script = `TIMEFORMAT='%U %S'; time node ${words} > /dev/null 2>&1`;
  const { stderr } = spawnSync("bash", ["-c", script], { cwd: folder, env: environment, encoding: "utf8" });
  const [user = 0, system = 0] = stderr.trim().split(" ").map(Number);
  return user + system;
}
