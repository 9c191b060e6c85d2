import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { haspJson, hasp, minimalSpec, project } from "./command-line.js";

const names = Array.from({ length: 130 }, (_, index) => `find_record_${String(index).padStart(3, "0")}`);
const specs = Object.fromEntries(names.map((name) => [`specs/${name}.tool.yaml`, minimalSpec(name)]));
const config = (toolset: string): string =>
  `specs: [specs]\ndialects: [openai-chat, mcp]\nemit: { jsonLists: true }\n${toolset === "" ? "" : `toolsets:\n  ${toolset}\n`}`;
const errorsOf = (run: Awaited<ReturnType<typeof haspJson>>): readonly string[] =>
  run.diagnostics.filter(({ severity }) => severity === "error").map(({ code }) => code);

test("a first request holds no deferred tool that its API cannot mark, and one mark of a cached prefix", async () => {
  const later = "visibility: { load: deferred, searchHint: archived records }\n";
  const gated = "visibility: { featureGate: BETA }\n";
  const folder = project({
    "hasp.config.yaml":
      "specs: [specs]\nemit: { jsonLists: true }\ndialects: { anthropic: { cacheControl: { type: ephemeral } }, openai-chat: {} }\n",
    "specs/a_record.tool.yaml": minimalSpec("a_record"),
    "specs/b_record.tool.yaml": minimalSpec("b_record"),
    "specs/c_record.tool.yaml": minimalSpec("c_record") + gated,
    "specs/d_record.tool.yaml": minimalSpec("d_record") + later,
  });
  const { code, out } = await hasp(folder, ["build"]);
  expect([code, /dialect +listed +deferred +ask a person/u.test(out), /anthropic +3 +1 +4 /u.test(out)]).toEqual([
    0,
    true,
    true,
  ]);
  const read = (file: string): readonly object[] =>
    JSON.parse(readFileSync(join(folder, "src/generated/providers", file), "utf8")) as readonly object[];
  const anthropic = read("anthropic.json");
  expect(anthropic.map((entry) => ["cache_control" in entry, "defer_loading" in entry])).toEqual([
    [false, false],
    [true, false],
    [false, true],
  ]);
  expect(read("openai-chat.json")).toMatchObject(["a_record", "b_record"].map((name) => ({ function: { name } })));
  expect(read("openai-chat.deferred.json")).toMatchObject([{ function: { name: "d_record" } }]);
  const text = readFileSync(join(folder, "src/generated/providers/openai-chat.ts"), "utf8");
  expect(text).toMatch(/const tools: [^;]*aRecord[^;]*bRecord[^;]*;[^]*const deferredTools: [^;]*dRecord/u);
  expect((await hasp(folder, ["build", "--check"])).code).toBe(0);
});

describe("130 tools for OpenAI's chat API, which takes 128", () => {
  test.each(["check", "build"])("%s fails, says why and what to do", async (command) => {
    const folder = project({ ...specs, "hasp.config.yaml": config("") });
    const run = await haspJson(folder, [command]);
    expect(run.code).toBe(1);
    expect(errorsOf(run)).toEqual(["lower/request"]);
    const finding = run.diagnostics.find(({ code }) => code === "lower/request");
    expect(finding?.message).toContain("The list has 130 tools; openai-chat allows 128.");
    expect(finding?.help).toContain("toolsets: { all: { partial: true } }");
  });

  test("the finding stands at the toolset", async () => {
    const folder = project({ ...specs, "hasp.config.yaml": config("every: { include: [{ tag: none }] }") });
    const other = project({ ...specs, "hasp.config.yaml": config("every: { partial: false }") });
    expect(errorsOf(await haspJson(folder, ["check"]))).not.toContain("lower/request");
    const run = await haspJson(other, ["check"]);
    expect(run.diagnostics.find(({ code }) => code === "lower/request")).toMatchObject({
      uri: "hasp.config.yaml",
      line: 5,
    });
  });

  test("a partial toolset lists what fits, by name, and names the rest in every report", async () => {
    const folder = project({ ...specs, "hasp.config.yaml": config("all: { partial: true }") });
    const left = names.slice(128);
    expect((await haspJson(folder, ["check"])).code).toBe(0);
    const run = await haspJson(folder, ["build"]);
    expect(run.code).toBe(0);
    const finding = run.diagnostics.find(({ code }) => code === "lower/partial");
    expect(finding?.message).toContain(`leaves out 2 of its 130 tools`);
    for (const name of left) expect(finding?.message).toContain(name);
    const read = (path: string): unknown => JSON.parse(readFileSync(join(folder, "src/generated", path), "utf8"));
    const listed = names.slice(0, 128);
    expect(read("providers/openai-chat.json")).toMatchObject(listed.map((name) => ({ function: { name } })));
    expect(read("providers/mcp.json")).toHaveLength(130);
    const reason =
      "it does not fit into one request. The list has 129 tools; openai-chat allows 128. Split it into toolsets.";
    expect(read("losses.json")).toMatchObject({
      "openai-chat": { excluded: Object.fromEntries(left.map((name) => [name, reason])) },
    });
    expect((await hasp(folder, ["build", "--check"])).code).toBe(0);
    const people = await hasp(folder, ["build"]);
    for (const name of left) expect(people.out).toContain(name);
  });

  test("a list within the limits is the same, partial or not", async () => {
    const few = Object.fromEntries(Object.entries(specs).slice(0, 3));
    const lists = await Promise.all(
      ["", "all: { partial: true }"].map(async (toolset) => {
        const folder = project({ ...few, "hasp.config.yaml": config(toolset) });
        const run = await haspJson(folder, ["build"]);
        expect([run.code, run.diagnostics.filter(({ code }) => code.startsWith("lower/"))]).toEqual([0, []]);
        return readFileSync(join(folder, "src/generated/providers/openai-chat.json"), "utf8");
      }),
    );
    expect(lists[0]).toBe(lists[1]);
  });
});
