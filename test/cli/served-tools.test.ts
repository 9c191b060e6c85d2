import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { AnyTool } from "@hasp/runtime";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bindTools } from "../../packages/serve/src/running/bind-tools.js";
import { type CurrentProject, ensureCurrentProject } from "../../packages/serve/src/running/current-project.js";
import { loadRegistry } from "@hasp/project/modules";
import { createServedProject, type ServedProject } from "../clients/served-project.testing.js";
import { startHasp } from "./command-line.js";

const cache = mkdtempSync(join(tmpdir(), "hasp-cache-"));
afterAll(() => rmSync(cache, { recursive: true }));

async function current(root: string): Promise<CurrentProject> {
  const { value, diagnostics } = await ensureCurrentProject(
    { root, environment: { CI: "", XDG_CACHE_HOME: cache }, onProgress: () => undefined },
    { isUnlocked: false, isCached: true, onSaved: () => undefined },
  );
  if (value === undefined) throw new Error(JSON.stringify(diagnostics));
  return value;
}

/** The project's tools without its generated code; fails where they cannot be had. */
async function boundTools({ served, root }: CurrentProject): Promise<readonly AnyTool[]> {
  const bound = await bindTools(served ?? [], root);
  if (bound === undefined || "finding" in bound) throw new Error(JSON.stringify(bound));
  return bound.tools;
}

/** The view of a tool that clients and the dispatcher have; functions count as present or absent. */
const seen = (tool: AnyTool): unknown => ({
  ...(JSON.parse(JSON.stringify(tool)) as object),
  functions: Object.entries(tool)
    .flatMap(([name, value]) => (typeof value === "function" ? [name] : []))
    .toSorted(),
  dialects: undefined,
  entry: tool.definitionFor("mcp"),
  classes: tool.examples.map(({ input }) => tool.classify(input as never)),
});

test("tools bound without generated code are those of the registry, newly compiled and remembered", async () => {
  const root = resolve(import.meta.dirname, "../../tools-spec");
  const compiled = await current(root);
  const registry = await loadRegistry(join(root, compiled.registry));
  if ("fault" in registry) throw new Error(registry.fault);
  const tools = (await boundTools(compiled)).map(seen);
  // A handler that is loaded later has its functions later. The registry decides about flow, as `findFlow` does here.
  // It has an engine for patterns only where a schema has one.
  const later = ["load", "permit", "prepare", "isEnabled", "patterns"];
  const withoutLater = (each: unknown): unknown => {
    const { functions, registration, ...others } = each as {
      readonly functions: readonly string[];
      readonly registration: unknown;
    };
    expect(registration).toBeDefined();
    return { ...others, functions: functions.filter((name) => !later.includes(name)) };
  };
  expect(tools.map(withoutLater)).toEqual(registry.tools.map(seen).map(withoutLater));
  expect((await boundTools(await current(root))).map(seen)).toEqual(tools);
});

describe("hasp serve", () => {
  let project: ServedProject;
  beforeAll(async () => {
    project = await createServedProject();
  });
  afterAll(() => project.remove());

  test("refuses a handler that cannot be used, where that shows before its first call", () => {
    project.write("src/tools/wait.ts", "export const run = () => undefined;\n");
    const run = startHasp(project.folder, ["serve"]);
    expect(run).toMatchObject({ code: 2, out: "" });
    expect(run.error).toContain('The handler "src/tools/wait.ts" cannot be used');
  });
});

describe("a handler that is loaded on its first call", () => {
  let project: ServedProject;
  beforeAll(async () => {
    project = await createServedProject();
  });
  afterAll(() => project.remove());

  test("shares its modules with the others, fails alone, and has its say in whether it is offered from the start", async () => {
    project.write("src/shared.ts", "await new Promise((done) => setTimeout(done, 20));\nexport const own = {};\n");
    for (const name of ["note", "wipe"]) {
      project.write(
        `src/tools/${name}.ts`,
        'import { own } from "../shared.js";\nglobalThis.sharedByTools = [...(globalThis.sharedByTools ?? []), own];\nexport const execute = () => "done";\n',
      );
    }
    project.write("src/tools/look.ts", 'throw new Error("no such database");\nexport const execute = () => 1;\n');
    project.write("src/tools/wait.ts", 'export const isEnabled = () => false;\nexport const execute = () => "";\n');
    const tools = new Map((await boundTools(await current(project.folder))).map((tool) => [tool.name, tool]));
    const loaded = async (name: string): Promise<unknown> => tools.get(name)?.load?.();
    expect(tools.get("wait")?.isEnabled?.()).toBe(false);
    await Promise.all([loaded("note"), expect(loaded("look")).rejects.toThrow("no such database"), loaded("wipe")]);
    const shared = (globalThis as { readonly sharedByTools?: readonly object[] }).sharedByTools ?? [];
    expect([shared.length, new Set(shared).size]).toEqual([2, 1]);
  });
});
