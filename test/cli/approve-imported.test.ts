import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, test } from "vitest";
import { main } from "../../packages/hasp/src/cli/main.js";
import { recordingTerminal } from "../../packages/hasp/src/cli/shell/terminal.testing.js";
import { hasp, haspJson, minimalSpec, project, put, tree } from "./command-line.js";

const operation = (name: string, schema: string): string => `
  /${name}:
    post:
      operationId: ${name}
      description: Do ${name}. Use it when somebody asks for it. Do not use it twice.
      requestBody: { required: true, description: The body., content: { application/json: { schema: ${schema} } } }
      responses: { "204": { description: done } }`;

/** An API that leaves four places of its inputs open: a value, a bare object, an open one, and the list of a definition. */
const shop = `openapi: 3.1.0
info: { title: Shop, version: "1" }
servers: [{ url: https://api.example.com }]
paths:${operation("add_note", "{ type: object, properties: { note: { description: Anything. } } }")}${operation("set_options", "{ type: object, properties: { options: { type: object, description: Any. } } }")}${operation("add_labels", "{ type: object, description: Any., additionalProperties: true }")}${operation("tag", '{ $ref: "#/components/schemas/Tags" }')}
components: { schemas: { Tags: { type: object, properties: { tags: { type: array, description: Which. } } } } }
`;

const start = (): string =>
  project({ "hasp.config.yaml": "specs: [specs]\ndialects: [anthropic]\n", "shop.yaml": shop });
const severe = async (folder: string, ...words: readonly string[]): Promise<readonly string[]> =>
  (await haspJson(folder, words)).diagnostics
    .filter(({ severity }) => severity === "error")
    .map(({ code, tool }) => `${code} ${tool}`);

describe("hasp approve --imported", () => {
  test("is what an import names at its end, and then check and build are clean", async () => {
    const folder = start();
    expect(await haspJson(folder, ["import", "openapi", "shop.yaml"])).toMatchObject({
      code: 0,
      summary: { imported: 4, approval: { claims: 4, command: "hasp approve --imported" } },
    });
    const { out } = await hasp(folder, ["import", "openapi", "shop.yaml"]);
    expect(out).toContain(
      "4 places that the source leaves open wait for an approval before a build: `hasp approve --imported`.\n",
    );
    expect(await severe(folder, "build")).toHaveLength(4);

    const run = await hasp(folder, ["approve", "--imported", "--yes"]);
    expect([run.code, run.error]).toEqual([0, ""]);
    expect(run.out).toContain("4 of 4 claims approved.");
    expect(tree(folder)["hasp-ledger/tag.yaml"]).toContain("reason: shop.yaml leaves it open\n");
    for (const command of ["check", "build"]) expect(await severe(folder, command)).toEqual([]);
    const again = await haspJson(folder, ["import", "openapi", "shop.yaml"]);
    expect(again.summary).not.toHaveProperty("approval");
  });

  test.each([
    ["y", 1, 4],
    ["n", 1, 0],
    ["r", 5, 1],
  ])("asks one question about a document; the answer %j leads to %i questions", async (first, questions, approved) => {
    const folder = start();
    await hasp(folder, ["import", "openapi", "shop.yaml"]);
    const asked: string[] = [];
    const terminal = recordingTerminal(folder, {
      isInteractive: true,
      questions: () => ({
        ask: async (question) => (asked.push(question), asked.length === 1 ? first : asked.length === 2 ? "y" : "n"),
        end: () => undefined,
      }),
    });
    expect(await main(["approve", "--imported"], terminal)).toBe(0);
    expect(terminal.printed().error).toContain(
      "shop.yaml leaves 4 places open in the inputs of 4 tools: a model may send any value there.\n",
    );
    expect(terminal.printed().error).toContain("  tag  input/properties/body/properties/tags/items: true\n");
    expect(asked).toHaveLength(questions);
    expect(Object.keys(tree(folder)).filter((path) => path.startsWith("hasp-ledger/"))).toHaveLength(approved);
  });

  test("covers nothing that an author wrote, in the spec, in a definition or in a tool of their own", async () => {
    const folder = start();
    await hasp(folder, ["import", "openapi", "shop.yaml"]);
    const specs = tree(folder);
    const edit = (path: string, from: string, to: string): void => {
      expect(specs[path]).toContain(from);
      put(folder, { [path]: (specs[path] ?? "").replace(from, to) });
    };
    edit("specs/add_note.tool.yaml", "note:", "mine: {}\n        note:");
    edit("specs/shop.schemas.yaml", "tags:", "mine: {}\n      tags:");
    // Better words are no claim.
    edit("specs/add_labels.tool.yaml", "Do add_labels.", "Add labels to the shop.");
    edit("specs/set_options.tool.yaml", "\nhandler:", "\nconcurrency: { class: WRITE_EXCLUSIVE }\nhandler:");
    put(folder, {
      "specs/own.tool.yaml": minimalSpec("own", "concurrency: { class: WRITE_EXCLUSIVE }\n"),
    });
    const { out } = await hasp(folder, ["approve", "--imported", "--yes"]);
    expect(out).toContain("2 of 2 claims approved.");
    expect(out).toContain("4 claims left, since the input was edited after the import");
    expect(await severe(folder, "check")).toEqual([
      "ledger/not-approved add_note",
      "ledger/not-approved add_note",
      "ledger/not-approved own",
      "ledger/not-approved set_options",
      "ledger/not-approved tag",
      "ledger/not-approved tag",
    ]);
  });

  test.each([
    [["--imported", "--yes"], { CI: "true" }, "cli/approve-in-ci"],
    [["--imported"], {}, "cli/no-terminal"],
    [["--imported", "--yes", "--reason", " "], {}, "cli/no-reason"],
    [["--imported", "--suggested", "--yes"], {}, "cli/usage"],
  ])("%j in %j is refused: %s", async (words, environment, code) => {
    const folder = start();
    await hasp(folder, ["import", "openapi", "shop.yaml"]);
    const before = tree(folder);
    const run = await haspJson(folder, ["approve", ...words], environment as Readonly<Record<string, string>>);
    expect(run).toMatchObject({ code: 2, diagnostics: [{ code }] });
    expect(tree(folder)).toEqual(before);
  });
});

const examples = join(import.meta.dirname, "../node_modules/@readme/oas-examples");
const figma = join(import.meta.dirname, "../node_modules/@figma/rest-api-spec/openapi/openapi.yaml");

test.each([
  ["Train Travel", join(examples, "3.1/json/train-travel.json"), undefined],
  ["Petstore", join(examples, "3.0/json/petstore.json"), undefined],
  ["Figma", figma, 1],
])("the whole document of %s builds after one approval", { timeout: 60_000 }, async (_name, path, claims) => {
  const name = basename(path);
  const folder = project({ [name]: readFileSync(path, "utf8") });
  const { summary } = await haspJson(folder, ["import", "openapi", name]);
  expect([summary["refused"], summary["approval"]]).toEqual([[], claims && expect.objectContaining({ claims })]);
  expect((await hasp(folder, ["approve", "--imported", "--yes"])).code).toBe(0);
  expect(await severe(folder, "check")).toEqual([]);
});
