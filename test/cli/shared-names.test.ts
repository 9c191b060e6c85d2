import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { hasp, haspJson, minimalSpec, project, put, tree } from "./command-line.js";

test("a handler is never bound to another tool whose name shares its file name", async () => {
  const folder = project({
    "hasp.config.yaml": "specs: [specs]\ndialects: [mcp]\n",
    "specs/one.tool.yaml": minimalSpec("getX"),
    "src/tools/get-x.ts": "export const execute = () => 'the handler of getX';\n",
  });
  expect(await hasp(folder, ["build"])).toMatchObject({ code: 0 });
  expect(readFileSync(join(folder, "src/generated/registry.ts"), "utf8")).toContain("tools/get-x.js");

  put(folder, { "specs/two.tool.yaml": minimalSpec("get_x") });
  const run = await haspJson(folder, ["build"]);
  const finding = run.diagnostics.find(({ code }) => code === "naming/similar-names");
  const handlers = Object.keys(tree(join(folder, "src/tools")));
  expect(handlers).toHaveLength(3);
  for (const path of handlers.filter((name) => name !== "get-x.ts")) {
    expect(finding?.help).toContain(`src/tools/${path}`);
  }
  expect(readFileSync(join(folder, "src/generated/registry.ts"), "utf8")).not.toContain("tools/get-x.js");
  expect(existsSync(join(folder, "src/generated/tools/get-x.ts"))).toBe(false);
});
