import { describe, expect, test } from "vitest";
import { hasp, haspJson, minimalSpec, project } from "./command-line.js";

const composed = `# A comment.
allOf:
  - $ref: ./common.yaml#/$defs/Page
  - type: object
    required: [query]
    properties:
      query: { type: string, minLength: 1 }
      sort: { enum: [up, down] }
`;
const common = "$defs:\n  Page:\n    type: object\n    properties:\n      limit: { type: integer, maximum: 100 }\n";

describe("hasp schema flatten", () => {
  test("prints the flat schema alone on standard output, from several YAML files", async () => {
    const folder = project({ "schema.yaml": composed, "common.yaml": common });
    const run = await hasp(folder, ["schema", "flatten", "schema.yaml"]);
    expect([run.code, run.error]).toEqual([0, ""]);
    expect(JSON.parse(run.out)).toEqual({
      type: "object",
      properties: {
        limit: { type: "integer", maximum: 100 },
        query: { type: "string", minLength: 1 },
        sort: { enum: ["up", "down"] },
      },
      required: ["query"],
    });
    expect((await haspJson(folder, ["schema", "flatten", "schema.yaml"])).data["schema"]).toEqual(JSON.parse(run.out));
  });

  test("takes the input of a spec", async () => {
    const folder = project({ "a.tool.yaml": minimalSpec("a") });
    expect(JSON.parse((await hasp(folder, ["schema", "flatten", "a.tool.yaml"])).out)).toMatchObject({
      required: ["id"],
    });
  });

  test("closes the input of a spec as a build does, and no schema by itself", async () => {
    const input = "type: object\nproperties: { id: { type: string } }\n";
    const folder = project({
      "a.tool.yaml": minimalSpec("a"),
      "b.yaml": input,
      "hasp.config.yaml": "dialects: [openai-responses]\n",
    });
    const flat = JSON.parse((await hasp(folder, ["schema", "flatten", "a.tool.yaml"])).out) as object;
    expect(flat).toMatchObject({ additionalProperties: false });
    const shown = await haspJson(folder, ["show", "a"]);
    expect(shown.data["tool"]).toMatchObject({ input: flat });
    expect(JSON.parse((await hasp(folder, ["schema", "flatten", "b.yaml"])).out)).not.toHaveProperty(
      "additionalProperties",
    );
    for (const dialect of ["openai-responses", "gemini-json-schema", "mcp"]) {
      const lowered = await haspJson(folder, ["schema", "lower", "a.tool.yaml", "--for", dialect]);
      const listed = JSON.stringify((await haspJson(folder, ["show", "a", "--for", dialect])).data["definition"]);
      expect(lowered.code).toBe(0);
      expect(listed).toContain(JSON.stringify(lowered.data["schema"]));
    }
  });

  test("a spec of several tools, or of none, is no schema", async () => {
    const folder = project({ "a.tools.yaml": "hasp: 1\ntools: []\n", "b.tool.json": "{}" });
    for (const file of ["a.tools.yaml", "b.tool.json"]) {
      for (const words of [
        ["schema", "flatten", file],
        ["schema", "lower", file, "--for", "mcp"],
      ]) {
        expect(await haspJson(folder, words)).toMatchObject({ code: 2, diagnostics: [{ code: "cli/cannot-read" }] });
      }
    }
  });

  test("a schema that cannot be used prints nothing on standard output, and the reason with its place", async () => {
    const folder = project({
      "schema.yaml": "type: object\nallOf:\n  - { properties: { a: { $ref: '#/$defs/Gone' } } }\n",
    });
    const run = await hasp(folder, ["schema", "flatten", "schema.yaml"]);
    expect(run.code).toBe(1);
    expect(run.out).toBe("");
    expect(run.error).toMatch(/> 3 │ .*\$defs\/Gone/);
  });

  test.each([
    ["gone.yaml", "cli/cannot-read"],
    ["broken.yaml", "load/yaml-syntax"],
  ])("%s gives 2", async (file, code) => {
    const folder = project({ "broken.yaml": "a: [\n" });
    expect(await haspJson(folder, ["schema", "flatten", file])).toMatchObject({ code: 2, diagnostics: [{ code }] });
  });

  test("a reference out of the folder is not followed", async () => {
    const folder = project({ "inner/schema.yaml": "$ref: ../secret.yaml\n", "secret.yaml": "type: string\n" });
    const run = await haspJson(folder, ["schema", "flatten", "schema.yaml", "--cwd", "inner"]);
    expect(run.code).toBe(1);
    expect(JSON.stringify(run.data)).not.toContain('string"');
  });
});

describe("hasp schema lower", () => {
  test("prints the lowered schema on standard output and what is lost on standard error", async () => {
    const folder = project({ "schema.yaml": composed, "common.yaml": common });
    const run = await hasp(folder, ["schema", "lower", "schema.yaml", "--for", "openai-responses"]);
    expect(run.code).toBe(0);
    expect(JSON.parse(run.out)).toMatchObject({ type: "object" });
    const { data, code } = await haspJson(folder, ["schema", "lower", "schema.yaml", "--for", "gemini"]);
    expect(code).toBe(0);
    expect(Object.keys(data)).toEqual(["diagnostics", "dialect", "schema", "losses", "codec", "summary"]);
  });

  test("an unknown dialect gives 2 and the nearest one", async () => {
    const run = await haspJson(project({ "schema.yaml": composed }), [
      "schema",
      "lower",
      "schema.yaml",
      "--for",
      "openai-response",
    ]);
    expect(run.code).toBe(2);
    expect(run.diagnostics[0]?.message).toContain('Did you mean "openai-responses"?');
  });
});

describe("hasp show", () => {
  const spec = minimalSpec("find_it", "concurrency: { class: READ_ONLY }\naliases: [find]\n");
  const files = { "hasp.config.yaml": "specs: [specs]\n", "specs/find_it.tool.yaml": spec };

  test("says of each field what it is and why, before anything is approved", async () => {
    const folder = project(files);
    const run = await hasp(folder, ["show", "find_it"]);
    expect(run.code).toBe(0);
    expect(run.out).toMatch(/concurrency\.class +READ_ONLY +line 12/);
    expect(run.out).toMatch(/behavior\.isDestructive +false +entailed by READ_ONLY, line 12/);
    expect(run.out).toMatch(/behavior\.requiresPermission +true +fail-closed default/);
    expect(run.out).toMatch(/Loosens a default:\n *concurrency\.class: READ_ONLY +line 12 +not approved yet/);
    expect((await haspJson(folder, ["show", "find"])).data["tool"]).toMatchObject({ name: "find_it" });
  });

  test.each(["anthropic", "openai-responses-strict", "gemini", "mcp"])(
    "puts what %s is sent beside the spec",
    async (dialect) => {
      const folder = project(files);
      const run = await hasp(folder, ["show", "find_it", "--for", dialect]);
      expect([run.code, run.error]).toEqual([0, ""]);
      expect(run.out).toMatch(/"name": "find_it".*│ 2 +name: find_it/);
      expect(run.out).toMatch(/"id": \{.*│ 9 +id: \{ type: string/);
      const { data } = await haspJson(folder, ["show", "find_it", "--for", dialect]);
      expect(JSON.stringify(data["definition"])).toContain("find_it");
    },
  );

  test("a name of two things is refused with the names that are exact", async () => {
    const config = "specs: [specs]\ntoolsets: { find: { include: [find_it] } }\n";
    const folder = project({ ...files, "hasp.config.yaml": config });
    const run = await haspJson(folder, ["show", "find"]);
    expect(run).toMatchObject({
      code: 2,
      diagnostics: [{ code: "cli/several-things", help: "Say which you mean: tool:find, toolset:find." }],
    });
    expect((await hasp(folder, ["show", "tool:find"])).out).toMatch(/concurrency\.class +READ_ONLY/);
    expect((await hasp(folder, ["show", "toolset:find"])).out).toContain("What may leave through the toolset find");
    for (const path of ["specs/find_it.tool.yaml", "./specs/find_it.tool.yaml"]) {
      expect((await hasp(folder, ["show", path])).out).toMatch(/concurrency\.class +READ_ONLY/);
    }
    expect((await haspJson(folder, ["show", "tool:"])).data["tools"]).toHaveLength(1);
  });

  test("an unknown tool gives 2 and the nearest name", async () => {
    const run = await haspJson(project(files), ["show", "find_is"]);
    expect(run.code).toBe(2);
    expect(run.diagnostics[0]?.message).toContain('Did you mean "find_it"?');
  });

  test("a tool with a mistake shows the mistake", async () => {
    const run = await haspJson(project({ ...files, "specs/bad.tool.yaml": `${minimalSpec("bad")}nonsense: 1\n` }), [
      "show",
      "bad",
    ]);
    expect(run.diagnostics.map(({ code }) => code)).toContain("resolve/unknown-key");
    expect(run.code).toBe(2);
  });
});
