import { readdirSync, readFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { haspJson, project, tree } from "./command-line.js";

const providers = resolve(import.meta.dirname, "../../tools-spec/src/generated/providers");

/** The kind of import that reads what the lists of a dialect look like. */
function kindOf(dialect: string): string | undefined {
  if (dialect.startsWith("anthropic")) return "anthropic";
  if (dialect.startsWith("openai")) return "openai";
  if (dialect.startsWith("gemini")) return "gemini";
  return dialect === "mcp" ? "mcp-list" : undefined;
}

describe("the lists that hasp itself makes of the worked example come back", () => {
  const lists = readdirSync(providers).filter((name) => /^[\w-]+\.json$/u.test(name));

  test.each(lists.filter((name) => kindOf(basename(name, ".json")) !== undefined))(
    "%s: every tool is a spec that builds to the same list",
    async (name) => {
      const dialect = basename(name, ".json");
      const before = JSON.parse(readFileSync(join(providers, name), "utf8")) as readonly object[];
      const folder = project({
        "hasp.config.yaml": `specs: [specs]\ndialects: [${dialect}]\nemit: { jsonLists: true }\n`,
        [name]: JSON.stringify(before),
      });
      const run = await haspJson(folder, ["import", kindOf(dialect) ?? "", name]);
      expect(run.diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
      const count = (run.summary["tools"] as number) - (run.summary["refused"] as readonly string[]).length;
      expect(count).toBeGreaterThan(3);
      const build = await haspJson(folder, ["build"]);
      expect(build.diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
      const after = JSON.parse(tree(folder)[`src/generated/providers/${name}`] ?? "[]") as readonly object[];
      expect(after.map(schemaText).toSorted()).toEqual(
        before
          .map(schemaText)
          .filter((text) => text !== undefined)
          .toSorted(),
      );
    },
  );
});

/** The part of a tool that says what it takes, as text. */
function schemaText(tool: object): string | undefined {
  const {
    input_schema,
    inputSchema,
    parameters,
    parametersJsonSchema,
    function: inner,
  } = tool as { readonly [key: string]: object | undefined };
  if (inner !== undefined) return schemaText(inner);
  const schema = input_schema ?? inputSchema ?? parameters ?? parametersJsonSchema;
  return schema === undefined ? undefined : JSON.stringify(schema);
}
