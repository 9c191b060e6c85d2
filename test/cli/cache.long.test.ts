import {
  chmodSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { reportFormats } from "@hasp/report";
import { hasp, minimalSpec, project, put, startHasp, tree, type Run } from "./command-line.js";

const files = {
  "hasp.config.yaml": "specs: [specs]\ndialects: [anthropic, gemini, mcp]\n",
  "specs/a.tool.yaml": minimalSpec("a"),
  "specs/b.tool.yaml": minimalSpec("b").replace("id: { type", "at: { $ref: ./common/place.yaml }\n    id: { type"),
  "specs/common/place.yaml": "type: object\nproperties: { x: { type: number, exclusiveMinimum: 1 } }\n",
};

/** The length of the digest that a file begins with. */
const HEADER = 64;

/** A project with a cache folder of its own outside it. */
class Cached {
  readonly cache: string = project();
  readonly folder: string;

  constructor(folder: string = project(files)) {
    this.folder = folder;
  }

  run(...words: readonly string[]): Promise<Run> {
    return hasp(this.folder, words, { XDG_CACHE_HOME: this.cache });
  }

  /** Lists the cached runs with their times; a run that recalls another writes nothing. */
  kept(): readonly string[] {
    return Object.keys(tree(this.cache)).filter((path) => path.endsWith(".cache"));
  }

  /** Those that hold a whole run; the others hold what was computed of each tool. */
  runs(): readonly string[] {
    return this.kept().filter((path) => readFileSync(join(this.cache, path), "utf8").startsWith('{"inputs"', HEADER));
  }

  tools(): readonly string[] {
    const runs = this.runs();
    return this.kept().filter((path) => !runs.includes(path));
  }

  /** True if a run recalls the findings of an earlier one. */
  async recalls(...words: readonly string[]): Promise<boolean> {
    const before = this.kept();
    // A time that nobody would write: whatever is written again has another.
    for (const path of before) utimesSync(join(this.cache, path), 1000, 1000);
    await this.run(...words);
    return (
      before.length > 0 &&
      this.kept().length === before.length &&
      before.every((path) => statSync(join(this.cache, path)).mtimeMs === 1_000_000)
    );
  }
}

/** Time is told in milliseconds, and differs. */
function withoutTime({ code, out, error }: Run): Run {
  return { code, out: out.replaceAll(/\d+ ms/gu, "… ms"), error };
}

describe("a run on unchanged input", () => {
  test("prints the same in each format as one that does everything again", async () => {
    const cached = new Cached(
      project({ ...files, "specs/c.tool.yaml": minimalSpec("c").replace("Use it when", "Or when") }),
    );
    for (const words of [["check"], ["build"], ["build", "--check"]]) {
      await cached.run(...words);
      expect(await cached.recalls(...words)).toBe(true);
      for (const format of words[0] === "check" ? Object.keys(reportFormats) : ["pretty", "json"]) {
        expect(withoutTime(await cached.run(...words, "--format", format)), format).toEqual(
          withoutTime(await cached.run(...words, "--format", format, "--no-cache")),
        );
      }
    }
  });

  test("is recalled right after a build made handlers that rules look at", async () => {
    const spec = minimalSpec("c").replace("Use it when", "It takes a code. Use it when");
    const cached = new Cached(project({ ...files, "specs/c.tool.yaml": spec }));
    const first = await cached.run("build");
    expect(first.out).toContain("files written");
    expect(await cached.recalls("build")).toBe(true);
    const next = withoutTime(await cached.run("build"));
    expect(next).toEqual(withoutTime(await cached.run("build", "--no-cache")));
    expect(next.out).toContain("no files written");
  });

  test("repeats errors, with the places in the user's own text, and exit code 1", async () => {
    const cached = new Cached(
      project({ ...files, "specs/c.tool.yaml": "hasp: 1\nname: c\ndescriptoin: C.\ninput: {}\n" }),
    );
    const first = await cached.run("check");
    expect(first.code).toBe(1);
    expect(first.out).toContain("descriptoin: C.");
    expect(await cached.recalls("check")).toBe(true);
    expect(await cached.run("check")).toEqual(first);
    const built = await cached.run("build");
    expect(await cached.recalls("build")).toBe(true);
    expect(await cached.run("build")).toEqual(built);
    expect(Object.keys(tree(cached.folder))).toHaveLength(5);
  });

  test("shows the configuration's own text, too, where a finding is about it", async () => {
    const cached = new Cached(
      project({
        ...files,
        "hasp.config.yaml": "specs: [specs]\nfindings: [{ in: elsewhere, rule: naming/vague-name, severity: error }]\n",
      }),
    );
    const first = await cached.run("check");
    expect(first.out).toMatch(/> 2 │ findings/);
    expect(await cached.recalls("check")).toBe(true);
    expect(await cached.run("check")).toEqual(first);
  });

  test("is not what one with other options, another configuration or in another project has found", async () => {
    const cached = new Cached();
    await cached.run("check");
    expect(await cached.recalls("check", "--unlocked")).toBe(false);
    put(cached.folder, { "other.yaml": "specs: [specs]\ndialects: [anthropic]\n" });
    expect(await cached.recalls("check", "--config", "other.yaml")).toBe(false);
    const other = new Cached(project(files));
    cpSync(cached.cache, other.cache, { recursive: true });
    expect(await other.recalls("check")).toBe(false);
  });

  test("is not recalled if its generated modules were not verified", () => {
    const cached = new Cached();
    put(cached.folder, {
      "killer.cjs": 'if (process.argv[1].endsWith("verifier-child.js")) process.exit(7);\n',
    });
    const run = (...words: readonly string[]): Run =>
      startHasp(cached.folder, words, {
        XDG_CACHE_HOME: cached.cache,
        NODE_OPTIONS: `--require=${JSON.stringify(join(cached.folder, "killer.cjs"))}`,
      });
    expect(run("build").code).toBe(0);
    const first = run("build", "--check");
    expect(first.code).toBe(2);
    expect(first.out).toContain("drift/not-verified");
    expect(first.out).not.toContain("match the specs");
    expect(run("build", "--check")).toEqual(first);
  });

  test("is not recalled if a plugin failed, which it may not do again", async () => {
    const cached = new Cached(
      project({
        ...files,
        "hasp.config.yaml": "specs: [specs]\nplugins: [./plugin.mjs]\n",
        "plugin.mjs": `import { existsSync } from "node:fs";
          const emit = () => {
            if (existsSync(new URL("./busy", import.meta.url))) throw new Error("no room");
            return [{ path: "a.txt", text: "a" }];
          };
          export default { name: "acme", emitters: [{ name: "acme/a", emit }] };\n`,
        busy: "",
      }),
    );
    const first = await cached.run("build");
    expect(first.code).toBe(2);
    expect(first.out).toContain("plugin/failed");
    rmSync(join(cached.folder, "busy"));
    expect((await cached.run("build")).code).toBe(0);
  });
});

describe("whatever changes is seen", () => {
  const edits: Readonly<Record<string, (folder: string) => void>> = {
    "a spec": (folder) => put(folder, { "specs/a.tool.yaml": minimalSpec("a", "tags: [x]\n") }),
    "a spec, to the same size and time": (folder) => {
      const path = join(folder, "specs/a.tool.yaml");
      const { atime, mtime } = statSync(path);
      put(folder, { "specs/a.tool.yaml": minimalSpec("z") });
      utimesSync(path, atime, mtime);
    },
    "a new spec": (folder) => put(folder, { "specs/deep/c.tool.yaml": minimalSpec("c") }),
    "a spec that is gone": (folder) => rmSync(join(folder, "specs/a.tool.yaml")),
    "a shared file": (folder) =>
      put(folder, { "specs/common/place.yaml": "type: object\nproperties: { y: { type: number } }\n" }),
    "a shared file that is gone": (folder) => rmSync(join(folder, "specs/common/place.yaml")),
    "the configuration": (folder) => put(folder, { "hasp.config.yaml": "specs: [specs]\ndialects: [anthropic]\n" }),
    "a second configuration": (folder) => put(folder, { "hasp.config.json": "{}" }),
    "a ledger": (folder) => put(folder, { "hasp-ledger/a.yaml": "approved: []\n" }),
    "a link where specs are": (folder) => symlinkSync("a.tool.yaml", join(folder, "specs/d.tool.yaml")),
    "a generated file, edited": (folder) => writeFileSync(join(folder, "src/generated/registry.ts"), "// mine"),
    "a generated file that is gone": (folder) => rmSync(join(folder, "src/generated/tools/a.ts")),
    "the manifest": (folder) => writeFileSync(join(folder, "src/generated/manifest.json"), "{}"),
    "a handler that is gone": (folder) => rmSync(join(folder, "src/tools/a.ts")),
    "a generated file behind a link": (folder) => {
      const path = join(folder, "src/generated/registry.ts");
      cpSync(path, join(folder, "elsewhere.ts"));
      rmSync(path);
      symlinkSync(join(folder, "elsewhere.ts"), path);
    },
  };

  test.each(Object.entries(edits))("a run sees the change: %s", async (_name, edit) => {
    const cached = new Cached();
    const cold = project(files);
    for (const words of [["build"], ["check"], ["build", "--check"], ["build"]]) await cached.run(...words);
    await hasp(cold, ["build"]);
    expect(await cached.recalls("build")).toBe(true);
    edit(cached.folder);
    edit(cold);
    for (const words of [["build", "--check", "--format", "json"], ["check", "--format", "json"], ["build"]]) {
      expect(withoutTime(await cached.run(...words))).toEqual(withoutTime(await hasp(cold, words)));
      expect(tree(cached.folder)).toEqual(tree(cold));
    }
  });

  test.each(["$id", '"\\x24id"'])(
    "a file that comes to stand where another has a schema of its own: %s",
    async (id) => {
      const referring = (name: string, ref: string): string =>
        minimalSpec(name).replace("id: { type", `at: { $ref: ${ref}, description: Here. }\n    id: { type`);
      const specs = {
        "specs/a.tool.yaml": referring("a", "bundle.yaml"),
        "specs/bundle.yaml": `${id}: common/x\n$ref: place.yaml\n$defs: { Place: { ${id}: place.yaml, type: boolean } }\n`,
        "specs/b.tool.yaml": minimalSpec("b"),
      };
      const cached = new Cached(project({ ...files, ...specs }));
      for (const [b, code] of [
        [minimalSpec("b"), 0],
        [referring("b", "common/place.yaml"), 1],
        [minimalSpec("b"), 0],
      ] as const) {
        put(cached.folder, { "specs/b.tool.yaml": b });
        const run = await cached.run("check", "--format", "json");
        expect(run.code).toBe(code);
        expect(withoutTime(run)).toEqual(withoutTime(await cached.run("check", "--no-cache", "--format", "json")));
      }
    },
  );

  test("a configuration that is a program is run each time", async () => {
    const folder = project({
      ...files,
      "hasp.config.mjs": `import { readFileSync } from "node:fs";\nexport default JSON.parse(readFileSync(new URL("./settings.json", import.meta.url), "utf8"));\n`,
      "settings.json": `{ "specs": ["specs"] }`,
    });
    rmSync(join(folder, "hasp.config.yaml"));
    const cached = new Cached(folder);
    await cached.run("check");
    expect(await cached.recalls("check")).toBe(true);
  });

  test("an approval ends on its day, whatever an earlier run has found", async () => {
    const cached = new Cached(project({ ...files, "hasp-ledger/a.yaml": "approved: []\n" }));
    await cached.run("check");
    const run = readFileSync(join(cached.cache, cached.runs()[0] ?? ""), "utf8");
    expect(run).toContain('"kind":"today"');
  });
});

describe("a cache that is not what hasp wrote", () => {
  const record = (cached: Cached): string => join(cached.cache, cached.runs()[0] ?? "");

  test.each<readonly [string, (text: string) => string]>([
    ["damaged", (text) => text.replace('"diagnostics":[', '"diagnostics":[ ')],
    ["cut off", (text) => text.slice(0, text.length / 2)],
    ["empty", () => ""],
    [
      "a green result in place of a red one",
      (text) =>
        text.slice(0, HEADER) +
        text.slice(HEADER).replace(/"diagnostics":\[.*?\],"facts"/u, '"diagnostics":[],"facts"'),
    ],
  ])("is as if it were not there: %s", async (_name, change) => {
    const cached = new Cached(project({ ...files, "specs/c.tool.yaml": "hasp: 1\nname: c\n" }));
    const first = await cached.run("check");
    const before = readFileSync(record(cached), "utf8");
    const changed = change(before);
    expect(changed).not.toBe(before);
    writeFileSync(record(cached), changed);
    expect(await cached.run("check")).toEqual(first);
    expect(readFileSync(record(cached), "utf8")).toBe(before);
  });

  test.each<readonly [string, (text: string) => string]>([
    ["damaged", (text) => text.replace('"isReadOnly":false', '"isReadOnly":true ')],
    ["cut off", (text) => text.slice(0, text.length / 2)],
    ["empty", () => ""],
    ["milder", (text) => text.slice(0, HEADER) + text.slice(HEADER).replaceAll('"UNSAFE"', '"READ_ONLY"')],
  ])("the facts about tools count as absent: %s", async (_name, change) => {
    const cached = new Cached();
    await cached.run("build");
    const changed = cached.tools().filter((record) => {
      const path = join(cached.cache, record);
      const before = readFileSync(path, "latin1");
      writeFileSync(path, change(before), "latin1");
      return change(before) !== before;
    });
    expect(changed).not.toEqual([]);
    const cold = project(files);
    await hasp(cold, ["build"]);
    for (const folder of [cached.folder, cold]) put(folder, { "specs/a.tool.yaml": minimalSpec("a", "tags: [x]\n") });
    expect(withoutTime(await cached.run("build"))).toEqual(withoutTime(await hasp(cold, ["build"])));
    expect(tree(cached.folder)).toEqual(tree(cold));
  });

  test("files that lost their end count as absent, and the next run writes them whole", async () => {
    const cached = new Cached();
    const first = await cached.run("check");
    const whole = new Map(cached.tools().map((path) => [path, readFileSync(join(cached.cache, path))]));
    for (const [path, bytes] of whole) writeFileSync(join(cached.cache, path), bytes.subarray(0, -10));
    for (const path of cached.runs()) rmSync(join(cached.cache, path));
    expect(await cached.run("check")).toEqual(first);
    for (const [path, bytes] of whole) expect(readFileSync(join(cached.cache, path)), path).toEqual(bytes);
  });

  test("after a change, a few files of many are written again", async () => {
    const specs = Array.from({ length: 30 }, (_, index) => [`specs/t${index}.tool.yaml`, minimalSpec(`t${index}`)]);
    const cached = new Cached(project({ ...files, ...(Object.fromEntries(specs) as Record<string, string>) }));
    await cached.run("check");
    const before = cached.tools();
    expect(before).toHaveLength(16);
    for (const path of before) utimesSync(join(cached.cache, path), 1000, 1000);
    put(cached.folder, { "specs/t1.tool.yaml": minimalSpec("t1", "tags: [x]\n") });
    await cached.run("check");
    const written = before.filter((path) => statSync(join(cached.cache, path)).mtimeMs !== 1_000_000);
    // The digest of its text, and that of its text and settings.
    expect([1, 2]).toContain(written.length);
  });

  test("one inside the project, which a commit may bring, is neither read nor written", async () => {
    const { folder } = new Cached();
    const inside = { XDG_CACHE_HOME: join(folder, "node_modules/.cache") };
    await hasp(folder, ["build"], inside);
    expect(Object.keys(tree(folder)).filter((path) => path.endsWith(".cache"))).toEqual([]);
  });

  test("a link in place of its folder is not followed", async () => {
    const target = project();
    const cached = new Cached();
    symlinkSync(target, join(cached.cache, "hasp"));
    await cached.run("check");
    expect(tree(target)).toEqual({});
  });

  test("a folder in which others may write is not used", async () => {
    const cached = new Cached();
    await cached.run("check");
    expect(statSync(join(cached.cache, "hasp")).mode & 0o077).toBe(0);
    rmSync(join(cached.cache, "hasp"), { recursive: true });
    mkdirSync(join(cached.cache, "hasp"));
    chmodSync(join(cached.cache, "hasp"), 0o777);
    await cached.run("check");
    expect(cached.kept()).toEqual([]);
  });

  test("a file of another project or another command is not taken for one's own", async () => {
    const cached = new Cached(project({ ...files, "specs/c.tool.yaml": "hasp: 1\nname: c\n" }));
    const first = await cached.run("check");
    const [red = ""] = cached.runs();
    const green = new Cached();
    await green.run("check");
    cpSync(join(green.cache, green.runs()[0] ?? ""), join(cached.cache, red));
    expect(await cached.run("check")).toEqual(first);
  });

  test("where CI is set nothing is read or written", async () => {
    const cached = new Cached();
    await cached.run("check");
    const environment = { XDG_CACHE_HOME: cached.cache, CI: "true" };
    for (const path of cached.kept()) utimesSync(join(cached.cache, path), 1000, 1000);
    await hasp(cached.folder, ["check"], environment);
    await hasp(cached.folder, ["build"], environment);
    expect(new Set(cached.kept().map((path) => statSync(join(cached.cache, path)).mtimeMs))).toEqual(
      new Set([1_000_000]),
    );
  });

  test("where it cannot be written, runs find what they would without it", async () => {
    const cached = new Cached();
    const expected = withoutTime(await cached.run("check", "--no-cache"));
    writeFileSync(join(cached.cache, "hasp"), "a file in the way");
    expect(withoutTime(await cached.run("check"))).toEqual(expected);
    expect(withoutTime(await cached.run("check"))).toEqual(expected);
  });

  test("two processes that share it find what each would alone", async () => {
    const cached = new Cached();
    const commands = [["check"], ["build"], ["check", "--unlocked"], ["build", "--check"]];
    await cached.run("build");
    const expected = new Map<readonly string[], Run>();
    for (const words of commands) expected.set(words, withoutTime(await cached.run(...words, "--no-cache")));
    const runs = await Promise.all(
      [...commands, ...commands].map(async (words) => [words, withoutTime(await cached.run(...words))] as const),
    );
    for (const [words, run] of runs) expect(run).toEqual(expected.get(words));
    expect(Object.keys(tree(cached.cache)).filter((path) => path.includes("tmp"))).toEqual([]);
  });
});

test("a change that keeps size and time is seen", async () => {
  const cached = new Cached();
  const updated = (): readonly string[] => {
    const { out } = startHasp(cached.folder, ["build", "--format", "json"], { XDG_CACHE_HOME: cached.cache });
    return (JSON.parse(out) as { summary: { files: { updated: string[] } } }).summary.files.updated;
  };
  /** Another text of the same length in the same file, with the same time. */
  const editInSecret = (path: string, from: string, to: string): void => {
    writeFileSync(path, readFileSync(path, "utf8").replace(from, to));
    utimesSync(path, 1000, 1000);
  };
  const [spec, made] = [join(cached.folder, "specs/a.tool.yaml"), join(cached.folder, "src/generated/tools/a.ts")];
  updated();
  for (const path of [spec, made]) utimesSync(path, 1000, 1000);
  expect([updated(), updated()]).toEqual([[], []]);
  const text = readFileSync(made, "utf8");
  editInSecret(made, "hasp", "HASP");
  expect(updated()).toEqual(["src/generated/tools/a.ts"]);
  expect(readFileSync(made, "utf8")).toBe(text);
  editInSecret(spec, "one record", "one Record");
  const described = "src/generated/specs/a.ts";
  expect(updated()).toContain(described);
  expect(readFileSync(join(cached.folder, described), "utf8")).toContain("one Record");
});

test("a call finds that nothing has changed since an earlier one, and sees whatever has", async () => {
  const cached = new Cached();
  const call = ["call", "a", '{"id":"x"}'];
  const drift = async (): Promise<readonly string[]> => {
    const { diagnostics } = JSON.parse((await cached.run(...call, "--format", "json")).out) as {
      diagnostics: { code: string }[];
    };
    return [...new Set(diagnostics.map(({ code }) => code))].filter((code) => code.startsWith("drift/"));
  };
  await cached.run("build");
  await cached.run(...call);
  expect(await cached.recalls(...call)).toBe(true);
  expect(withoutTime(await cached.run(...call))).toEqual(withoutTime(await cached.run(...call, "--no-cache")));

  const types = "src/generated/tools/a.ts";
  const made = readFileSync(join(cached.folder, types), "utf8");
  put(cached.folder, { [types]: `${made}// mine\n` });
  expect(await drift()).toEqual(["drift/edited"]);
  put(cached.folder, { [types]: made });
  expect(await drift()).toEqual([]);
  const changed = (name: string): Record<string, string> => ({
    [`specs/${name}.tool.yaml`]: minimalSpec(name).replace(
      "id: { type: string, minLength: 1, maxLength: 100",
      "id: { type: integer",
    ),
  });
  // A call asks for the tool that it calls, and leaves the others to `check`.
  put(cached.folder, changed("b"));
  expect(await drift()).toEqual([]);
  put(cached.folder, changed("a"));
  expect(await drift()).toEqual(["drift/outdated"]);
});

test("--no-cache neither uses nor keeps anything; nor does a run whose environment names no place for it", async () => {
  const cached = new Cached();
  await cached.run("check", "--no-cache");
  expect(tree(cached.cache)).toEqual({});
  expect((await hasp(cached.folder, ["build"])).code).toBe(0);
  expect(Object.keys(tree(cached.folder)).filter((path) => path.includes("cache"))).toEqual([]);
});

test("the cache stays within its bounds", async () => {
  const cached = new Cached();
  await cached.run("check");
  const place = join(cached.cache, "hasp");
  for (let index = 0; index < 800; index += 1) {
    const name = join(place, `${String(index).padStart(16, "0")}-0000000000000000.cache`);
    writeFileSync(name, "");
    utimesSync(name, index, index);
  }
  expect(await cached.recalls("build")).toBe(false);
  expect(readdirSync(place)).toHaveLength(768);
});
