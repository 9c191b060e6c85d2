import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { findCurrentTool } from "../../packages/project/src/session/current-tool.js";
import { ensureCurrentProject, type RunMode } from "../../packages/serve/src/running/current-project.js";
import type { ReadSession } from "../../packages/project/src/session/compile-project.js";
import { chooseGeneratedNames, mayHoldName } from "@hasp/compiler/layout";
import { createServedProject, type ServedProject } from "../clients/served-project.testing.js";
import { haspJson, type JsonRun, put, tree } from "./command-line.js";

let project: ServedProject;
let files: Readonly<Record<string, string>>;
beforeAll(async () => {
  project = await createServedProject();
  rmSync(join(project.folder, "node_modules"));
  files = tree(project.folder);
});
// Not in the project: hasp keeps nothing of its own there.
const cache = mkdtempSync(join(tmpdir(), "hasp-cache-"));
afterAll(() => {
  project.remove();
  rmSync(cache, { recursive: true });
});
afterEach(() => {
  for (const path of Object.keys(tree(project.folder))) if (!(path in files)) rmSync(join(project.folder, path));
  put(project.folder, files);
});

const textOf = (path: string): string => readFileSync(join(project.folder, path), "utf8");
const change = (path: string, from: string, to: string): void => {
  const text = textOf(path);
  expect(text).toContain(from);
  project.write(path, text.replace(from, to));
};

/** Decides twice if a tool may run: compiled by itself, and with the whole project. */
async function verdicts(
  tool: string,
  options: { readonly unlocked?: boolean } = {},
): Promise<readonly [boolean, boolean]> {
  const [alone, again] = [await found(tool, { cache: false, ...options }), await found(tool, options)];
  expect(again).toEqual(alone);
  const whole = await ensureCurrentProject(session(), modeOf({ cache: false, ...options }));
  return [alone !== undefined, whole.value !== undefined];
}

type Options = { readonly unlocked?: boolean; readonly cache?: boolean };

const session = (): ReadSession => ({
  root: project.folder,
  environment: { CI: "", XDG_CACHE_HOME: cache },
  onProgress: () => undefined,
});

const modeOf = (options: Options): RunMode => ({
  isUnlocked: options.unlocked === true,
  isCached: options.cache !== false,
  onSaved: () => undefined,
});

/** The tool as its call would find it, as plain data: a cache can carry nothing else. */
async function found(tool: string, options: Options = {}): Promise<unknown> {
  const current = await findCurrentTool(session(), tool, modeOf(options));
  if (current === undefined) return undefined;
  const { inputs: _inputs, ...plain } = JSON.parse(JSON.stringify(current)) as Record<string, unknown>;
  return plain;
}

const look = "specs/look.tool.yaml";

describe("a tool that runs without a look at the whole project", () => {
  test.each(["look", "peek", "wait", "note", "wipe"])(
    "runs %s, which needs nothing of the rest of the project",
    async (tool) => {
      expect(await verdicts(tool)).toEqual([true, true]);
    },
  );

  test.each<readonly [string, () => void]>([
    ["its spec says more than was built", () => change(look, "Does look", "Really looks")],
    [
      "its spec claims what nobody approved",
      () => change(look, "interruptBehavior: cancel", "interruptBehavior: cancel, returnsPrivate: false"),
    ],
    ["its approval is of other inputs", () => change(look, "maximum: 9", "maximum: 99")],
    ["its approval is withdrawn", () => rmSync(join(project.folder, ledgerOf("look")))],
    ["its approval has ended", () => change(ledgerOf("look"), "covers:", 'expires: "2020-01-01"\n    covers:')],
    ["its approval is given twice", () => project.write("hasp-ledger/look.yml", textOf(ledgerOf("look")))],
    ["its approval cannot be read", () => project.write(ledgerOf("look"), "look: [")],
    ["its spec is no YAML", () => change(look, "hasp: 1", "hasp: [1")],
    ["its spec is in no format", () => change(look, "hasp: 1", "hasp: 1\nneed: {}")],
    ["its spec leads nowhere", () => change(look, "{ type: string, minLength: 1", "{ $ref: ./none.json, minLength: 1")],
    [
      "its generated module was edited",
      () => project.write("src/generated/tools/look.ts", `${textOf("src/generated/tools/look.ts")}\n`),
    ],
    ["its generated module is gone", () => rmSync(join(project.folder, "src/generated/tools/look.ts"))],
    ["nothing was built", () => rmSync(join(project.folder, "src/generated"), { recursive: true })],
    ["another spec has its name", () => project.write("specs/more.tool.yaml", textOf(look))],
    [
      "another spec has its name, escaped",
      () => project.write("specs/more.tool.yaml", textOf(look).replace("name: look", String.raw`name: "l\u006fok"`)),
    ],
    [
      "another spec has its name, broken over two lines",
      () => project.write("specs/more.tool.yaml", textOf(look).replace("name: look", 'name: "lo\\\n  ok"')),
    ],
    [
      "another spec claims its alias",
      () =>
        project.write(
          "specs/more.tool.yaml",
          textOf("specs/wipe.tool.yaml").replace("name: wipe", "name: more\naliases: [peek]"),
        ),
    ],
    [
      "another spec gives the same names to generated code",
      () => project.write("specs/more.tool.yaml", textOf("specs/wipe.tool.yaml").replace("name: wipe", "name: Look")),
    ],
    ["the configuration cannot be read", () => project.write("hasp.config.yaml", "specs: 3\n")],
  ])("is none of which %s", async (_what, arrange) => {
    expect([await found("look"), await found("peek")]).not.toContain(undefined);
    arrange();
    expect(await verdicts("look")).toEqual([false, false]);
    expect(await verdicts("peek")).toEqual([false, false]);
  });

  test("is not stopped by what is wrong with another", async () => {
    change("specs/wipe.tool.yaml", "hasp: 1", "hasp: [1");
    expect(await verdicts("look")).toEqual([true, false]);
    project.write("src/no-context.ts", "export const createContext = () => undefined;\n");
    const call = (tool: string): Promise<JsonRun> =>
      haspJson(project.folder, ["call", tool, '{"id":"x"}', "--dry-run", "--context=src/no-context.ts"]);
    expect(await call("look")).toMatchObject({ code: 0, diagnostics: [] });
    expect(await call("wipe")).toMatchObject({ code: 2, diagnostics: [{ code: "load/yaml-syntax" }] });
  });

  test("runs after its spec was moved, whatever others lack, but not with code before its module's own", async () => {
    project.write("specs/moved/look.tool.yaml", textOf(look));
    rmSync(join(project.folder, look));
    rmSync(join(project.folder, ledgerOf("wipe")));
    const [alone, again] = [await found("look", { cache: false }), await found("look")];
    expect(alone).toBeDefined();
    expect(again).toEqual(alone);
    change("src/generated/tools/look.ts", "// Generated", 'import "./more.js"; // Generated');
    expect(await found("look")).toBeUndefined();
  });

  test("is named where its handler cannot be used", async () => {
    project.write("src/tools/wait.ts", "export const run = () => undefined;\n");
    project.write("src/tools/note.ts", 'throw new Error("no such database");\n');
    const call = (tool: string): Promise<JsonRun> => haspJson(project.folder, ["call", tool, "{}", "--dry-run"]);
    const refused = (message: RegExp): object => ({
      code: 2,
      diagnostics: [{ code: "serve/handler-fails", message: expect.stringMatching(message) as string }],
    });
    expect(await call("wait")).toMatchObject(
      refused(/"src\/tools\/wait.ts" cannot be used: .*must export .*`execute`/u),
    );
    expect(await call("note")).toMatchObject(refused(/"src\/tools\/note.ts" cannot be used: no such database/u));
  });

  test("is not stopped by settings that change nothing about its call", async () => {
    change("hasp.config.yaml", "[mcp]", "[anthropic]");
    expect(await verdicts("look")).toEqual([true, false]);
  });

  test("leaves it to the project where a file was only reworded", async () => {
    change(look, "hasp: 1", "# a comment\nhasp: 1");
    expect(await verdicts("look")).toEqual([false, true]);
  });

  test("is one without approvals only where the build was", async () => {
    change(look, "interruptBehavior: cancel", "interruptBehavior: cancel, returnsPrivate: false");
    expect((await haspJson(project.folder, ["build", "--unlocked"])).code).toBe(0);
    expect(await verdicts("look")).toEqual([false, false]);
    expect(await verdicts("look", { unlocked: true })).toEqual([true, true]);
  });

  test("is found without the compiler where it was called before and nothing has changed", async () => {
    const first = await found("look");
    vi.doMock("../../packages/project/src/session/compile-tool.js", () => {
      throw new Error("the compiler was loaded");
    });
    try {
      expect(await found("look")).toEqual(first);
      change(look, "Does look", "Really looks");
      await expect(found("look")).rejects.toThrow();
    } finally {
      vi.doUnmock("../../packages/project/src/session/compile-tool.js");
    }
  });
});

/** The file that approves a tool. */
function ledgerOf(tool: string): string {
  return Object.keys(files).find((path) => path.endsWith(`/${tool}.yaml`)) ?? "";
}

test("every spelling that generated code takes for a tool's name finds the possible files", () => {
  for (const [name, other] of [
    ["execute_sql", "executeSql"],
    ["execute_sql", "Execute-SQL"],
    ["con", "con_tool"],
    ["conTool", "con"],
    ["a", "A"],
  ] as const) {
    expect([...chooseGeneratedNames([name, other]).values()].every(({ kebab }) => /-[0-9a-f]{4}$/u.test(kebab))).toBe(
      true,
    );
    expect(mayHoldName([name]).test(`name: ${other}\n`)).toBe(true);
    expect(mayHoldName([other]).test(`name: ${name}\n`)).toBe(true);
  }
  expect(mayHoldName(["execute_sql"]).test("name: run_sql\n")).toBe(false);
  expect(mayHoldName(["a.(*"]).test("name: a.(*\n")).toBe(true);
});
