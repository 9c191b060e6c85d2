import type { CompileResult } from "hasp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { builtInPlugins } from "@hasp/project/built-in";
import { compareVersions, compileVersion } from "@hasp/compiler/diff";
import { compileSpecs, createProject, type GeneratedProject, plan } from "./generated-project.js";

const spec = {
  hasp: 1,
  name: "look",
  description: "Looks.",
  visibility: { describe: { custom: "describe" } },
  input: { type: "object", properties: {} },
  behavior: { isOpenWorld: false },
  needs: { context: ["account.plan", "user"] },
};
const context = { type: "AppContext", file: "src/context.ts" };
const compiled = (changes: object): Promise<CompileResult> =>
  compileSpecs({ "look.tool.yaml": { ...spec, ...changes } }, { context });

const handler = (describes: string): string => `import type { LookHandler } from "../generated/tools/look.js";

export const execute: LookHandler["execute"] = () => null;
export const describe: LookHandler["describe"] = ${describes};
`;

const host = `import { createDispatcher } from "@hasp/runtime";
import type { AppContext } from "./context.js";

declare const console: { log(text: string): void };
const context = (plan: AppContext["account"]["plan"]): AppContext => ({ account: { plan, card: "4111" }, user: "ann", secret: "s" });
try {
  const { registry } = await import("./generated/registry.js");
  const codes: string[] = [];
  const dispatcher = createDispatcher({
    tools: registry,
    onEvent: (event) => event.type === "problem" && codes.push(event.code),
  });
  const plain = dispatcher.definitions("mcp");
  const free = dispatcher.definitions("mcp", { context: context("free") });
  const texts = [plain, free].map(([tool]) => tool?.["description"]);
  const same = [free === plain, dispatcher.definitions("mcp", { context: context("free") }) === free, dispatcher.definitions("mcp") === plain];
  console.log(JSON.stringify({ texts, same, codes }));
} catch (error) {
  console.log(JSON.stringify({ error: String(error) }));
}
`;

describe("a spec whose description varies", () => {
  let project: GeneratedProject;
  beforeAll(async () => {
    project = createProject(await compiled({}));
    project.write(
      "src/context.ts",
      'export interface AppContext { account: { plan: "free" | "paid"; card: string }; user?: string; secret: string }\n',
    );
    project.write("src/main.ts", host);
  });
  afterAll(() => project.remove());

  /** Runs the host with this function in the handler; without one, the type-checker is not asked. */
  function run(describes: string): unknown {
    project.write("src/tools/look.ts", handler(describes));
    expect(project.typeErrors()).toBe("");
    return JSON.parse(project.run("dist/main.js"));
  }

  test("has a stub that type-checks, and whose throw leaves the description", () => {
    expect(project.typeErrors()).toBe("");
    expect(JSON.parse(project.run("dist/main.js"))).toEqual({
      texts: ["Looks.", "Looks."],
      same: [true, true, true],
      codes: ["describe-failed", "describe-failed"],
    });
  });

  test("lists what its handler returns for the members that it names, where the host gives a context", () => {
    expect(
      run('(given) => `Looks for ${given.user ?? ""} on ${given.account.plan}: ${JSON.stringify(given)}`'),
    ).toEqual({
      texts: ["Looks.", 'Looks for ann on free: {"account":{"plan":"free"},"user":"ann"}'],
      same: [false, true, true],
      codes: [],
    });
  });

  test.each(["({ secret }) => secret", "({ account }) => account.card", "() => 7", "async () => 'later'"])(
    "does not type-check with %s",
    (describes) => {
      project.write("src/tools/look.ts", handler(describes));
      expect(project.typeErrors()).toMatch(/^src\/tools\/look\.ts/u);
    },
  );

  test("refuses a handler without the function, in the types and where types are not checked", () => {
    project.write("src/tools/look.ts", handler("() => 'x'").replace("export const describe", "export const other"));
    expect(project.typeErrors()).toContain("src/tools/look.ts must export `describe`: the spec of look needs it.");
    expect(JSON.parse(project.run("dist/main.js"))).toEqual({
      error: "TypeError: src/tools/look.ts must export the function `describe`: the spec of look needs it.",
    });
  });
});

test.each([[{}], [{ context: [] }], [{ env: ["KEY"] }]])("`describe` is refused with the needs %j", async (needs) => {
  const { diagnostics } = await compiled({ needs });
  expect(diagnostics.filter(({ severity }) => severity === "error")).toMatchObject([
    {
      code: "flatten/describes-no-context",
      location: { pointer: "/visibility/describe" },
      help: "Name the members of the context that it reads as `needs.context`.",
    },
  ]);
});

test("`hasp diff` says that the description varies, by another function, and no longer", async () => {
  const functions = [undefined, { custom: "describe" }, { custom: "tell" }, undefined];
  const versions = await Promise.all(
    functions.map((describe) =>
      compileVersion(
        {
          sources: [
            { uri: "look.tool.yaml", role: "spec", text: JSON.stringify({ ...spec, visibility: { describe } }) },
          ],
          plan,
        },
        builtInPlugins,
      ),
    ),
  );
  const found = versions.slice(1).map(({ value: after }, index) => {
    const before = versions[index]?.value;
    if (before === undefined || after === undefined) return expect.fail("both versions compile");
    return compareVersions(before, after, "base").map(({ code, location }) => [code, location?.pointer]);
  });
  expect(found).toEqual([
    [["diff/description-varies", "/visibility/describe"]],
    [["diff/description-varies", "/visibility/describe"]],
    [["diff/description-fixed", "/description"]],
  ]);
});
