import { type ChildProcess, spawn } from "node:child_process";
import { appendFileSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterEach, describe, expect, test } from "vitest";
import { buildLockPath } from "../../packages/project/src/output/build-lock.js";
import { bin, hasp, minimalSpec, project, put, tree } from "./command-line.js";

const config = "specs: [specs]\ndialects: [anthropic, mcp]\n";
const files = {
  "hasp.config.yaml": config,
  "specs/a.tool.yaml": minimalSpec("a"),
  "specs/sub/b.tool.yaml": minimalSpec("b"),
};

const withShared = minimalSpec("c").replace("properties:\n", "properties:\n    x: { $ref: ./common/x.yaml }\n");

/** A `hasp build --watch` in a process of its own, and what it has printed. */
class Watching {
  readonly folder: string;
  readonly #child: ChildProcess;
  #out = "";
  #error = "";
  #seen = 0;

  constructor(folder: string, environment: Readonly<Record<string, string>> = {}) {
    this.folder = folder;
    const { CI: _ci, FORCE_COLOR: _force, ...inherited } = process.env;
    this.#child = spawn(process.execPath, [bin, "build", "--watch"], {
      cwd: folder,
      env: { ...inherited, ...environment },
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.#child.stdout?.on("data", (chunk: Buffer) => (this.#out += chunk.toString()));
    this.#child.stderr?.on("data", (chunk: Buffer) => (this.#error += chunk.toString()));
  }

  /** Waits for the next output that contains the words. */
  async next(words: RegExp): Promise<string> {
    return until(
      () => {
        const news = this.#out.slice(this.#seen);
        if (!words.test(news)) return undefined;
        this.#seen = this.#out.length;
        return news;
      },
      () => `${this.#out}\n${this.#error}`,
    );
  }

  get printed(): string {
    return this.#out;
  }

  async end(signal: NodeJS.Signals = "SIGINT"): Promise<number | null> {
    if (this.#child.exitCode !== null) return this.#child.exitCode;
    const ended = new Promise<number | null>((resolve) => this.#child.once("exit", resolve));
    this.#child.kill(signal);
    return ended;
  }
}

/** Looks again and again until there is something; a machine may be slow. */
async function until<Value>(look: () => Value | undefined, describeState: () => string): Promise<Value> {
  for (let tries = 0; tries < 2000; tries += 1) {
    const value = look();
    if (value !== undefined) return value;
    await wait(10);
  }
  throw new Error(`it never came: ${describeState()}`);
}

const started: Watching[] = [];

async function watch(folder: string, environment?: Readonly<Record<string, string>>): Promise<Watching> {
  const watching = new Watching(folder, environment);
  started.push(watching);
  await watching.next(/\d+ ms\n/);
  return watching;
}

afterEach(async () => {
  for (const watching of started.splice(0)) await watching.end("SIGKILL");
});

/** The files on disk are those that a build of the same project makes. */
async function expectAsBuilt({ folder }: Watching): Promise<void> {
  const own = (path: string): boolean => path.startsWith("src/generated");
  const copy = project(Object.fromEntries(Object.entries(tree(folder)).filter(([path]) => !own(path))));
  expect((await hasp(copy, ["build"])).code).toBe(0);
  const made = (root: string): unknown => Object.fromEntries(Object.entries(tree(root)).filter(([path]) => own(path)));
  expect(made(folder)).toEqual(made(copy));
}

describe("hasp build --watch", () => {
  test("builds, builds again on a save, touches nothing else, and leaves on Ctrl-C", async () => {
    const watching = await watch(project(files));
    const { folder } = watching;
    const untouched = statSync(join(folder, "src/generated/tools/b.ts")).mtimeMs;
    put(folder, { "specs/a.tool.yaml": minimalSpec("a", "tags: [x]\n") });
    expect(await watching.next(/\d+ ms\n/)).toContain("written");
    await expectAsBuilt(watching);
    expect(statSync(join(folder, "src/generated/tools/b.ts")).mtimeMs).toBe(untouched);
    expect(await watching.end()).toBe(0);
  });

  test("a moved output folder is made again, and stays when it comes back", async () => {
    const watching = await watch(project(files));
    const { folder } = watching;
    const elsewhere = join(project(), "elsewhere");
    renameSync(join(folder, "src/generated"), elsewhere);
    expect(await watching.next(/\d+ ms\n/)).toContain("written");
    await expectAsBuilt(watching);
    renameSync(join(folder, "src"), join(folder, "sources"));
    expect(await watching.next(/\d+ ms\n/)).toContain("written");
    await expectAsBuilt(watching);
  });

  test("a change during the wait for another build does not count as built", async () => {
    const watching = await watch(project(files));
    const { folder } = watching;
    const lock = buildLockPath(folder);
    writeFileSync(lock, String(process.pid));
    put(folder, { "specs/a.tool.yaml": minimalSpec("a", "tags: [x]\n") });
    // Long enough for the build to have looked at what is there, and to wait.
    await wait(500);
    put(folder, { "src/generated/tools/b.ts": "// by hand\n" });
    await wait(200);
    rmSync(lock);
    await watching.next(/\d+ ms\n/);
    const isFixed = (): true | undefined =>
      readFileSync(join(folder, "src/generated/tools/b.ts"), "utf8") === "// by hand\n" ? undefined : true;
    await until(isFixed, () => watching.printed);
    await expectAsBuilt(watching);
  });

  test("survives a broken spec: reports where, writes nothing, and continues once it is fixed", async () => {
    const watching = await watch(project(files));
    const { folder } = watching;
    const before = tree(folder)["src/generated/tools/a.ts"];
    put(folder, { "specs/a.tool.yaml": `${minimalSpec("a")}typo: 1\n` });
    const printed = await watching.next(/Nothing was written/);
    expect(printed).toContain("specs/a.tool.yaml");
    expect(printed).toContain("typo: 1");
    expect(tree(folder)["src/generated/tools/a.ts"]).toBe(before);
    put(folder, { "specs/a.tool.yaml": minimalSpec("a", "tags: [x]\n") });
    await watching.next(/\d+ ms\n/);
    await expectAsBuilt(watching);
  });

  test("a file that an editor writes in two steps is read to its end before anybody is told", async () => {
    const watching = await watch(project(files));
    const path = join(watching.folder, "specs/a.tool.yaml");
    // Where this process itself is held up between the steps, the half file is rightly reported: then it is tried
    // again.
    const quiet = new Set<number>();
    for (let tries = 0; tries < 16 && quiet.size < 2; tries += 1) {
      const text = minimalSpec("a", `tags: [x${tries}]\n`);
      // Half of it may be a spec that lacks something, or no YAML at all.
      writeFileSync(path, tries % 2 === 0 ? text.slice(0, 60) : 'hasp: 1\nname: "a');
      await wait(30);
      writeFileSync(path, text);
      if (!(await watching.next(/\d+ ms\n/)).includes("error")) quiet.add(tries % 2);
    }
    expect([...quiet].toSorted()).toEqual([0, 1]);
    await expectAsBuilt(watching);
  });

  test("new specs, new folders, renamed and removed ones", async () => {
    const watching = await watch(project(files));
    const { folder } = watching;
    put(folder, { "specs/c.tool.yaml": minimalSpec("c") });
    expect(await watching.next(/\d+ ms\n/)).toContain("3 tools");
    mkdirSync(join(folder, "specs/new/deep"), { recursive: true });
    put(folder, { "specs/new/deep/d.tool.yaml": minimalSpec("d") });
    expect(await watching.next(/\d+ ms\n/)).toContain("4 tools");
    put(folder, { "specs/new/deep/d.tool.yaml": minimalSpec("dd") });
    await watching.next(/\d+ ms\n/);
    renameSync(join(folder, "specs/new"), join(folder, "specs/other"));
    put(folder, { "specs/other/deep/e.tool.yaml": minimalSpec("e") });
    await until(
      () => (/5 tools/.test(watching.printed) ? true : undefined),
      () => watching.printed,
    );
    rmSync(join(folder, "specs/other"), { recursive: true });
    await until(
      () => (/3 tools[^]*5 tools[^]*3 tools/.test(watching.printed) ? true : undefined),
      () => watching.printed,
    );
    await expectAsBuilt(watching);
  });

  test("a shared file, the configuration and the ledger are seen, also where they were missing before", async () => {
    const watching = await watch(
      project({
        ...files,
        "specs/a.tool.yaml": minimalSpec("a").replace(
          "id: { type",
          "at: { $ref: ../common/place.yaml }\n    id: { type",
        ),
        "common/place.yaml": "type: string\n",
      }),
    );
    const { folder } = watching;
    put(folder, { "common/place.yaml": "type: integer\n" });
    await watching.next(/written/);
    expect(readFileSync(join(folder, "src/generated/tools/a.ts"), "utf8")).toContain("integer");
    rmSync(join(folder, "common"), { recursive: true });
    await watching.next(/Nothing was written/);
    put(folder, { "common/place.yaml": "type: boolean\n" });
    await watching.next(/written/);
    put(folder, { "hasp.config.yaml": "specs: [specs]\ndialects: [gemini]\n" });
    expect(await watching.next(/\d+ ms\n/)).toContain("gemini");
    put(folder, { "hasp-ledger/zz.yaml": "approved: []\n" });
    expect(await watching.next(/\d+ ms\n/)).toContain("ledger/unknown-tool");
    rmSync(join(folder, "hasp-ledger"), { recursive: true });
    await watching.next(/\d+ ms\n/);
    await expectAsBuilt(watching);
  });

  test("begins with what an earlier one computed, and computes what changes then", async () => {
    const cache = project();
    const shared = { "specs/common/x.yaml": "type: string\nmaxLength: 5\n" };
    const folder = project({ ...files, ...shared, "specs/c.tool.yaml": withShared });
    const kept = (): readonly (readonly [string, number])[] =>
      Object.keys(tree(cache))
        .filter((path) => path.endsWith(".cache"))
        .map((path) => [path, statSync(join(cache, path)).mtimeMs]);
    const first = await watch(folder, { XDG_CACHE_HOME: cache });
    const before = await until(
      () => (kept().length > 0 ? kept() : undefined),
      () => first.printed,
    );
    await first.end();
    const watching = await watch(folder, { XDG_CACHE_HOME: cache });
    put(folder, { "specs/common/x.yaml": "type: string\nmaxLength: 6\n" });
    expect(await watching.next(/\d+ ms\n/)).toContain("written");
    await expectAsBuilt(watching);
    put(folder, { "specs/a.tool.yaml": minimalSpec("a", "tags: [x]\n") });
    expect(await watching.next(/\d+ ms\n/)).toContain("written");
    await expectAsBuilt(watching);
    put(folder, shared);
    expect(await watching.next(/\d+ ms\n/)).toContain("written");
    await expectAsBuilt(watching);
    // What was known of every file at the start was all that there was to know.
    expect(kept()).toEqual(before);
  });

  test("a generated file that somebody edits or removes is made again", async () => {
    const watching = await watch(project(files));
    const { folder } = watching;
    const before = tree(folder);
    appendFileSync(join(folder, "src/generated/registry.ts"), "// mine\n");
    await watching.next(/1 file written/);
    expect(tree(folder)).toEqual(before);
    rmSync(join(folder, "src/generated/tools/a.ts"));
    await watching.next(/1 file written/);
    expect(tree(folder)).toEqual(before);
  });

  test("a missing approval is a warning and a mark; with it, files are those of any build", async () => {
    const claim = "behavior: { interruptBehavior: block, isOpenWorld: false }";
    const folder = project({
      ...files,
      "specs/a.tool.yaml": minimalSpec("a").replace("behavior: { interruptBehavior: block }", claim),
    });
    const watching = await watch(folder);
    expect(watching.printed).toContain("ledger/not-approved");
    expect(readFileSync(join(folder, "src/generated/registry.ts"), "utf8")).toContain("unlocked: true");
    expect((await hasp(folder, ["approve", "a", "--yes", "--reason", "It reads one table of ours."])).code).toBe(0);
    await watching.next(/each approved/);
    await expectAsBuilt(watching);
  });

  test("where CI is set, it does not go on without approvals", async () => {
    const claim = "behavior: { interruptBehavior: block, isOpenWorld: false }";
    const folder = project({
      ...files,
      "specs/a.tool.yaml": minimalSpec("a").replace("behavior: { interruptBehavior: block }", claim),
    });
    const watching = new Watching(folder, { CI: "1" });
    started.push(watching);
    await watching.next(/unlocked-in-ci/);
    expect(Object.keys(tree(folder)).filter((path) => path.startsWith("src/"))).toEqual([]);
  });
});

test("--watch with --check makes no sense and is refused", async () => {
  expect((await hasp(project(files), ["build", "--watch", "--check"])).code).toBe(2);
});
