// Imports of real documents, as far as ../shared is there.
import { cpSync, existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { haspJson, project, put, tree } from "./command-line.js";

const corpus = resolve(import.meta.dirname, "../../../shared/corpus/tools");
const config =
  "specs: [specs]\ndialects: [anthropic, openai-responses, openai-responses-strict, gemini, gemini-json-schema, mcp]\nemit: { jsonLists: true }\n";

describe.skipIf(!existsSync(corpus))("the corpus (skipped where ../shared/corpus is not there)", () => {
  test.each(existsSync(corpus) ? readdirSync(corpus) : [])(
    "%s: each tool is carried by each dialect or refused by name with a reason",
    async (file) => {
      const folder = project({ "hasp.config.yaml": config });
      cpSync(join(corpus, file), join(folder, file));
      const imported = await haspJson(folder, ["import", "mcp-list", file]);
      const total = imported.summary["tools"] as number;
      const refused = new Set(imported.summary["refused"] as readonly string[]);
      for (const name of refused) {
        expect(imported.diagnostics.some(({ severity, tool: about }) => severity === "error" && about === name)).toBe(
          true,
        );
      }

      // A spec that the compiler refuses is refused by name; without it the rest must build.
      const check = await haspJson(folder, ["check", "--unlocked"]);
      const errors = check.diagnostics.filter(({ severity }) => severity === "error");
      expect(errors.filter(({ uri, message }) => uri === null || message === "")).toEqual([]);
      const bad = new Set(errors.map(({ uri }) => uri ?? ""));
      for (const uri of bad) put(folder, { [uri]: "" });
      put(folder, {
        "hasp.config.yaml": `${config.replace("[specs]", JSON.stringify(Object.keys(tree(folder)).filter((path) => path.startsWith("specs/") && !bad.has(path))))}`,
      });
      const build = await haspJson(folder, ["build", "--unlocked"]);
      expect(build.diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
      expect(build.code).toBe(0);
      const carried = total - refused.size - bad.size;
      expect(build.summary["tools"]).toBe(carried);
      const [toolset] = build.summary["toolsets"] as readonly {
        dialects: readonly {
          dialect: string;
          carried: number;
          excluded: readonly { tool: string; reason: string }[];
        }[];
      }[];
      for (const dialect of toolset?.dialects ?? []) {
        expect([dialect.dialect, dialect.carried + dialect.excluded.length]).toEqual([dialect.dialect, carried]);
        for (const { tool: name, reason } of dialect.excluded) expect([name, reason.length > 10]).toEqual([name, true]);
      }
    },
  );
});

const digitalocean = resolve(import.meta.dirname, "../../../shared/corpus/multifile/digitalocean");

test.skipIf(!existsSync(digitalocean))(
  "98 files of DigitalOcean become one file of definitions, and what is sound builds",
  async () => {
    const folder = project({ "hasp.config.yaml": "specs: [specs]\ndialects: [anthropic, openai-responses, mcp]\n" });
    cpSync(digitalocean, join(folder, "api"), { recursive: true });
    const run = await haspJson(folder, ["import", "mcp-list", "api/tools.yaml"]);
    // A "$ref" in the place of a map of properties: legal for bundlers that paste, not JSON Schema.
    expect(run.diagnostics).toContainEqual(
      expect.objectContaining({
        code: "import/reference-for-map",
        uri: "api/resources/load_balancers/models/load_balancer_create.yml",
        line: 6,
      }),
    );
    expect(run).toMatchObject({ code: 1, summary: { tools: 8, imported: 7, refused: ["loadBalancers_create"] } });
    // The author decides where the import could not, and leaves out what holds passwords in its examples.
    expect(run.diagnostics.filter(({ code }) => code === "import/bare-object")).toMatchObject([
      { uri: "api/resources/kubernetes/models/node_pool.yml" },
    ]);
    const shared = tree(folder)["specs/tools.schemas.yaml"] ?? "";
    put(folder, {
      "specs/tools.schemas.yaml": shared.replace(
        /^( +labels:\n +type: \[object, "null"\]\n(?:(?! +additionalProperties).*\n){0,6}? +additionalProperties:) true$/m,
        "$1 { type: string }",
      ),
    });
    const errors = (await haspJson(folder, ["check"])).diagnostics.filter(({ severity }) => severity === "error");
    const bad = new Set(errors.map(({ tool }) => tool));
    // Findings in the shared file belong to no single tool.
    const shown = [...new Set(errors.filter(({ tool }) => tool === null).map(({ code }) => code))];
    const ignore = shown.map((rule) => ({ in: "specs/tools.schemas.yaml", rule, reason: "as the API has it" }));
    const specs = Object.keys(tree(folder)).filter(
      (path) => path.endsWith(".tool.yaml") && ![...bad].some((tool) => path.includes(`/${tool}.`)),
    );
    put(folder, {
      "hasp.config.yaml": `specs: ${JSON.stringify(specs)}\nfindings: ${JSON.stringify(ignore)}\ndialects: [anthropic, openai-responses, mcp]\n`,
    });
    const build = await haspJson(folder, ["build"]);
    expect(build.diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
    expect(build.code).toBe(0);
  },
);

const schemas = resolve(import.meta.dirname, "../../../shared/corpus/schemas");

/** A document whose operations take the corpus's schemas as bodies, with their definitions as components. */
function documentOf(file: string): object {
  const { schemas: list } = JSON.parse(readFileSync(join(schemas, file), "utf8")) as {
    readonly schemas: readonly { readonly name: string; readonly schema: object }[];
  };
  const components: Record<string, unknown> = {};
  const paths = Object.fromEntries(
    list.map(({ name, schema }, index) => {
      const text = JSON.stringify(schema)
        .replaceAll('"$ref":"#/$defs/', `"$ref":"#/components/schemas/${index}.`)
        .replaceAll('"$ref":"#/definitions/', `"$ref":"#/components/schemas/${index}.`);
      const { $defs, definitions, ...root } = JSON.parse(text) as {
        readonly $defs?: object;
        readonly definitions?: object;
      };
      for (const [definition, value] of Object.entries({ ...$defs, ...definitions })) {
        components[`${index}.${definition}`] = value;
      }
      return [
        `/${index}`,
        {
          post: {
            operationId: name,
            description: `Does ${name}.`,
            requestBody: { content: { "application/json": { schema: root } } },
            responses: { 204: { description: "Done." } },
          },
        },
      ];
    }),
  );
  return { openapi: "3.0.3", info: { title: file, version: "1" }, paths, components: { schemas: components } };
}

test.skipIf(!existsSync(schemas)).each(["box-openapi.json", "digitalocean-openapi.json", "qdrant-openapi.json"])(
  "%s: every operation is imported or refused by name, and check reports only files that the author can edit",
  async (file) => {
    const folder = project({
      "hasp.config.yaml": "specs: [specs]\ndialects: [anthropic, openai-responses, gemini-json-schema]\n",
      "api.json": JSON.stringify(documentOf(file)),
    });
    const run = await haspJson(folder, ["import", "openapi", "api.json"]);
    const refused = run.summary["refused"] as readonly string[];
    for (const name of refused) {
      expect(
        run.diagnostics.some(
          ({ severity, tool, message }) => severity === "error" && tool === name && message.length > 20,
        ),
      ).toBe(true);
    }
    expect(refused.length).toBeLessThan(3);
    const check = await haspJson(folder, ["check", "--unlocked"]);
    const errors = check.diagnostics.filter(({ severity }) => severity === "error");
    expect(errors.filter(({ uri }) => uri === null || !uri.startsWith("specs/"))).toEqual([]);
    // The author must decide the rest, or the source is wrong.
    const known = ["schema/bare-object", "schema/invalid-example", "schema/open-object", "supply-chain/secret-in-text"];
    expect([...new Set(errors.map(({ code }) => code))].filter((code) => !known.includes(code))).toEqual([]);
  },
);
