import { check } from "prettier";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { compileSpecs, createProject, type GeneratedProject, type SpecFiles } from "./generated-project.js";

const specs: SpecFiles = Object.fromEntries(
  ["add", "drop"].map((name) => [
    `${name}.tool.json`,
    { hasp: 1, name, description: "Does it.", input: { type: "object", properties: { a: { type: "integer" } } } },
  ]),
);

describe("the declarations of two toolsets", () => {
  let project: GeneratedProject;
  let texts: readonly { readonly path: string; readonly text: string }[];
  beforeAll(async () => {
    const toolset = (name: string, tool: string) => ({ name, include: [tool], exclude: [] });
    const result = await compileSpecs(specs, {
      declarations: true,
      toolsets: [toolset("left", "add"), toolset("right", "drop")],
    });
    texts = result.files.filter(({ path }) => path.endsWith("/declarations.d.ts"));
    project = createProject(result);
  });
  afterAll(() => project.remove());

  test("compile side by side, and declare nothing in the user's own program", () => {
    project.write("src/main.ts", "// @ts-expect-error nothing is called so here\nvoid tools;\n");
    expect(texts.map(({ path }) => path)).toEqual([
      "src/generated/left/declarations.d.ts",
      "src/generated/right/declarations.d.ts",
    ]);
    expect(project.typeErrors()).toBe("");
  });

  test("the declarations are left as they are by prettier", async () => {
    for (const { path, text } of texts) expect(await check(text, { filepath: path }), path).toBe(true);
  });
});
