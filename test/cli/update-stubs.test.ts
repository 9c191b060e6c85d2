import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { hasp, haspJson, minimalSpec, project, put, tree } from "./command-line.js";

const config = "specs: [specs]\ndialects: [mcp]\n";
const plain = minimalSpec("pay", "");
const demanding = minimalSpec(
  "pay",
  "concurrency: { class: UNSAFE, rules: [{ custom: isSmall, class: READ_ONLY }] }\nvalidate: [{ custom: isKnown }]\n",
);
const written = `import type { PayHandler } from "../generated/tools/pay.js";

export const execute: PayHandler["execute"] = async ({ id }) => id; // mine
`;

/** A project whose handler was written before its spec demanded more. */
async function grown(handler: string = written): Promise<string> {
  const folder = project({ "hasp.config.yaml": config, "specs/pay.tool.yaml": plain, "src/tools/pay.ts": handler });
  expect((await hasp(folder, ["build"])).code).toBe(0);
  put(folder, { "specs/pay.tool.yaml": demanding });
  return folder;
}

describe("hasp build --update", () => {
  test("adds the functions that the spec demands now, and changes no character of the user's", async () => {
    const folder = await grown();
    const run = await hasp(folder, ["build", "--unlocked", "--update"]);
    expect(run).toMatchObject({
      code: 0,
      out: expect.stringContaining("Added to your handlers\n  src/tools/pay.ts: `isSmall`, `isKnown`"),
    });
    const text = readFileSync(join(folder, "src/tools/pay.ts"), "utf8");
    expect(text.replace('\nimport { NotExecuted } from "@hasp/runtime";', "").startsWith(written)).toBe(true);
    expect(text).toContain('export const isSmall: PayHandler["isSmall"] =');
    expect(text).toContain('export const isKnown: PayHandler["isKnown"] =');
    const again = await hasp(folder, ["build", "--unlocked", "--update"]);
    expect(again.out).toContain("Your handlers have everything that the specs require.");
    expect(readFileSync(join(folder, "src/tools/pay.ts"), "utf8")).toBe(text);
  });

  test("without it, or with --dry-run, the handler stays as it is", async () => {
    const folder = await grown();
    const before = statSync(join(folder, "src/tools/pay.ts")).mtimeMs;
    expect((await hasp(folder, ["build", "--unlocked", "--update", "--dry-run"])).out).toContain(
      "Would add to your handlers",
    );
    expect((await hasp(folder, ["build", "--unlocked"])).code).toBe(0);
    expect(readFileSync(join(folder, "src/tools/pay.ts"), "utf8")).toBe(written);
    expect(statSync(join(folder, "src/tools/pay.ts")).mtimeMs).toBe(before);
  });

  test("leaves alone what it cannot add to, and says why", async () => {
    const folder = await grown("export const execute = ;\n");
    const run = await haspJson(folder, ["build", "--unlocked", "--update"]);
    expect(run.diagnostics).toContainEqual(
      expect.objectContaining({
        code: "write/stub-left-alone",
        tool: "pay",
        message: expect.stringContaining("TypeScript cannot read it"),
      }),
    );
    expect(readFileSync(join(folder, "src/tools/pay.ts"), "utf8")).toBe("export const execute = ;\n");
  });
});

describe("a tool that is renamed", () => {
  test("moves nothing by itself: the old handler stays, the new one is a stub, and what to do is said once", async () => {
    const folder = project({ "hasp.config.yaml": config, "specs/pay.tool.yaml": plain, "src/tools/pay.ts": written });
    expect((await hasp(folder, ["build"])).code).toBe(0);
    put(folder, { "specs/pay.tool.yaml": minimalSpec("charge", "") });
    const run = await haspJson(folder, ["build"]);
    expect(run.code).toBe(0);
    expect(run.diagnostics).toContainEqual(
      expect.objectContaining({
        code: "write/handler-without-tool",
        severity: "warning",
        message: '"src/tools/pay.ts" was the handler of "pay", which no longer exists. hasp keeps the file unchanged.',
        help: "If the tool was renamed, move your code to src/tools/charge.ts and update its type names; otherwise delete the file.",
      }),
    );
    const files = tree(folder);
    expect(files["src/tools/pay.ts"]).toBe(written);
    expect(files["src/tools/charge.ts"]).toContain("throw new NotExecuted");
    expect(Object.keys(files).filter((path) => path.startsWith("src/generated/tools/"))).toEqual([
      "src/generated/tools/charge.ts",
    ]);
    expect((await haspJson(folder, ["build"])).diagnostics.filter(({ code }) => code.startsWith("write/"))).toEqual([]);
  });
});

test("the manifest names the configuration and what it builds on among what was read", async () => {
  const folder = project({
    "hasp.config.yaml": `extends: ./strict.yaml\n${config}`,
    "strict.yaml": "budgets: { toolTokens: 500 }\n",
    "specs/pay.tool.yaml": plain,
  });
  expect((await hasp(folder, ["build"])).code).toBe(0);
  const { inputs } = JSON.parse(readFileSync(join(folder, "src/generated/manifest.json"), "utf8")) as {
    inputs: Record<string, string>;
  };
  expect(Object.keys(inputs)).toEqual(["hasp.config.yaml", "strict.yaml"]);
  put(folder, { "strict.yaml": "budgets: { toolTokens: 501 }\n" });
  expect((await haspJson(folder, ["build", "--check"])).diagnostics.map(({ code }) => code)).toEqual([
    "drift/outdated",
  ]);
});

describe("templates of the project's own", () => {
  const handler =
    'import type { __HANDLER_TYPE__ } from "__TOOL_MODULE__";\n\n// Ours: __TOOL_NAME__\nexport const execute: __HANDLER_TYPE__["execute"] = () => "__MESSAGE__";\n';

  test("makes stubs from the project's templates, in the format of its prettier configuration", async () => {
    const folder = project({
      "hasp.config.yaml": config,
      "specs/pay.tool.yaml": plain,
      "hasp-templates/stub/handler.ts": handler,
      ".prettierrc": '{ "singleQuote": true, "semi": false }',
    });
    expect((await hasp(folder, ["build"])).code).toBe(0);
    expect(readFileSync(join(folder, "src/tools/pay.ts"), "utf8")).toBe(
      "import type { PayHandler } from '../generated/tools/pay.js'\n\n// Ours: pay\nexport const execute: PayHandler['execute'] = () =>\n  'pay does nothing yet: write it in src/tools/pay.ts.'\n",
    );
    // Stubs are made once: another template changes none that is there.
    put(folder, { "hasp-templates/stub/handler.ts": `// New.\n${handler}` });
    expect((await hasp(folder, ["build"])).code).toBe(0);
    expect(readFileSync(join(folder, "src/tools/pay.ts"), "utf8")).not.toContain("New");
  });

  test("bad templates stop the build, at their place", async () => {
    const folder = project({
      "hasp.config.yaml": config,
      "specs/pay.tool.yaml": plain,
      "hasp-templates/stub/handler.ts": handler.replace("__MESSAGE__", "__MESSAGES__"),
    });
    const run = await haspJson(folder, ["build"]);
    expect(run.code).not.toBe(0);
    expect(run.diagnostics).toEqual([
      expect.objectContaining({
        code: "template/unknown-placeholder",
        uri: "hasp-templates/stub/handler.ts",
        line: 4,
        column: 60,
        message: 'Unknown placeholder __MESSAGES__. Did you mean "__MESSAGE__"?',
      }),
    ]);
    expect(Object.keys(tree(folder)).filter((path) => path.startsWith("src/"))).toEqual([]);
  });

  test("makes the specs of hasp new from the project's templates", async () => {
    const template =
      "# ours\nhasp: 1\nname: __TOOL_NAME__\ndescription: Team form.\ninput: { type: object, properties: {} }\n";
    const folder = project({ "hasp-templates/new/read.tool.yaml": template });
    expect((await hasp(folder, ["new", "find_orders", "--kind", "read"])).code).toBe(0);
    expect(readFileSync(join(folder, "specs/find_orders.tool.yaml"), "utf8")).toBe(
      template.replace("__TOOL_NAME__", "find_orders"),
    );
    put(folder, { "hasp-templates/new/read.tool.yaml": "hasp: 1\nname: find\n" });
    expect(await haspJson(folder, ["new", "find_more", "--kind", "read"])).toMatchObject({
      code: 2,
      diagnostics: [{ code: "template/missing-placeholder" }],
    });
  });
});
