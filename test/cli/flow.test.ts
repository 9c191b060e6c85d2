import { readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { createDispatcher, type Tool } from "@hasp/runtime";
import { beforeAll, describe, expect, test } from "vitest";
import { importModule } from "@hasp/project/modules";
import { pathToFileURL } from "node:url";
import { hasp, haspJson, project, put } from "./command-line.js";
import { informationFlow } from "@hasp/runtime/flow";

const spec = (name: string, parameters: string, claims: string): string => `hasp: 1
name: ${name}
description: Work on the files of the project with ${name}. Use it when a task names them. Do not use it elsewhere.
input: { type: object, required: [${parameters}], properties: { ${parameters
  .split(", ")
  .map((each) => `${each}: { type: string, description: The ${each}. }`)
  .join(", ")} } }
${claims}`;

/** The search tool that many articles show, with the flags that they state and no others. */
const search = spec(
  "search_files",
  "pattern, directory",
  `concurrency: { class: READ_ONLY }
behavior: { isDestructive: false, requiresPermission: false, interruptBehavior: block }
limits: { maxResultSizeChars: 500000 }
`,
);
const write = spec(
  "write_file",
  "path, text",
  `concurrency: { class: WRITE_EXCLUSIVE }
behavior: { isDestructive: false, requiresPermission: false, interruptBehavior: block }
limits: { maxResultSizeChars: 20000 }
`,
);

const config = (flow: string): string => `specs: [specs]\ndialects: [anthropic]\n${flow}`;
const handler = 'export const execute = (): string => "done";\n';

async function build(flow: string): Promise<string> {
  const folder = project({
    "package.json": '{ "type": "module" }',
    "hasp.config.yaml": config(flow),
    "specs/search_files.tool.yaml": search,
    "specs/write_file.tool.yaml": write,
    "src/tools/search-files.ts": handler,
    "src/tools/write-file.ts": handler,
  });
  symlinkSync(join(import.meta.dirname, "../node_modules"), join(folder, "node_modules"));
  await hasp(folder, ["approve", "search_files", "write_file", "--yes", "--reason", "They stay in the project."]);
  await hasp(folder, ["build"]);
  return folder;
}

/** Dispatches search, search, write, search, search by the generated registry, and search once more in a next turn. */
async function run(folder: string): Promise<{ readonly codes: readonly string[]; readonly labels: readonly string[] }> {
  const file = pathToFileURL(join(folder, "src/generated/registry.ts")).href;
  const { registry } = (await importModule(file)) as { registry: { tools: readonly Tool<never>[] } };
  const dispatcher = createDispatcher({ tools: registry, extensions: [informationFlow] });
  const looked = { name: "search_files", input: { pattern: "x", directory: "." } };
  const wrote = { name: "write_file", input: { path: "a", text: "" } };
  const codes: string[] = [];
  for (const turn of [[looked, looked, wrote, looked, looked], [looked]]) {
    const results = await dispatcher.dispatch(turn.map((call, index) => ({ id: `${index}`, ...call })));
    codes.push(...results.map(({ error }) => error?.code ?? "ok"));
  }
  return { codes, labels: (await dispatcher.use(informationFlow).labels()).map(({ label }) => label) };
}

const LINE =
  '  flow: text of outsiders may reach search_files with private data (2 paths, hasp show toolset:); "flow: ask" puts such calls to a person\n';

describe("the batch of five calls of a search and a write tool that need no permission", () => {
  test.each(["", "flow: note\n"])(
    "runs whole, and the next turn too, while check says what may leave: %j",
    async (flow) => {
      const folder = await build(flow);
      expect(await run(folder)).toEqual({ codes: Array(6).fill("ok"), labels: ["untrusted", "private"] });
      const checked = await hasp(folder, ["check"]);
      expect(checked.code).toBe(0);
      expect(checked.out).toContain(LINE);
      // The remembered run says it too.
      expect((await hasp(folder, ["check"])).out).toContain(LINE);
      expect((await hasp(folder, ["build"])).out).toContain(LINE);
    },
  );

  test("asks after the first results where the setting says so, which one warning tells beforehand", async () => {
    const folder = await build("flow: ask\n");
    expect((await run(folder)).codes).toEqual(["ok", "ok", "flow", "flow", "flow", "flow"]);
    const { diagnostics } = await haspJson(folder, ["check"]);
    const warnings = diagnostics.filter(({ severity, code }) => severity === "warning" && code.startsWith("flow/"));
    expect(warnings).toMatchObject([{ code: "flow/will-ask", uri: "hasp.config.yaml", pointer: "/flow" }]);
    expect(warnings[0]?.message).toContain("search_files, write_file");
    expect((await hasp(folder, ["check"])).out).not.toContain("flow: text of outsiders");
  });

  test("brings in nothing and is not spoken of where the setting is off", async () => {
    const folder = await build("flow: off\n");
    expect(await run(folder)).toEqual({ codes: Array(6).fill("ok"), labels: [] });
    const { diagnostics, paths } = await haspJson(folder, ["check"]);
    expect([...diagnostics, ...paths].filter(({ code }) => code.startsWith("flow/"))).toEqual([]);
    expect((await hasp(folder, ["check"])).out).not.toContain("flow: text of outsiders");
  });
});

describe("the setting of a toolset", () => {
  const toolsets =
    "flow: note\ntoolsets:\n  whole: {}\n  quiet: { include: [search_files], flow: off }\n  loud: { include: [write_file], flow: ask }\n";
  let folder: string;
  beforeAll(async () => {
    folder = await build(toolsets);
  });

  test("is carried by the registry, for the whole and for each selection", async () => {
    const file = pathToFileURL(join(folder, "src/generated/registry.ts")).href;
    const { registry } = (await importModule(file)) as {
      registry: { flow: string; pick(names: readonly string[]): { flow: string } };
    };
    const flows = [["search_files"], ["write_file"], ["search_files", "write_file"]].map(
      (names) => registry.pick(names).flow,
    );
    expect([registry.flow, ...flows]).toEqual(["note", "off", "ask", "note"]);
    expect((await hasp(folder, ["build", "--check"])).code).toBe(0);
  });

  test("check states the setting, toolset by toolset", async () => {
    const { out } = await hasp(folder, ["check"]);
    expect(out).toContain("  flow in whole: text of outsiders may reach search_files with private data (2 paths,");
    expect(out.match(/flow in /gu)).toHaveLength(1);
    const { diagnostics } = await haspJson(folder, ["check"]);
    expect(diagnostics.filter(({ code }) => code === "flow/will-ask")).toMatchObject([
      { pointer: "/toolsets/loud/flow" },
    ]);
  });

  test("is drawn by `show toolset:`, of every toolset or the named one", async () => {
    const all = await hasp(folder, ["show", "toolset:"]);
    expect(all.out.match(/What may leave through the toolset \w+, flow: \w+/gu)).toEqual([
      "What may leave through the toolset loud, flow: ask",
      "What may leave through the toolset quiet, flow: off",
      "What may leave through the toolset whole, flow: note",
    ]);
    expect(all.out).toContain("nobody is asked: flow is note");
    expect((await haspJson(folder, ["show", "toolset:loud"])).data).toMatchObject({
      flow: { toolset: "loud", setting: "ask", sinks: [{ tool: "write_file", guard: "guard" }] },
    });
    expect((await haspJson(folder, ["show", "toolset:lout"])).diagnostics).toMatchObject([
      {
        code: "cli/unknown-thing",
        message: 'There is no tool, policy, toolset or finding "lout". Did you mean "loud"?',
      },
    ]);
    expect((await haspJson(folder, ["show", "toolset:"])).data["toolsets"]).toHaveLength(3);
    expect((await haspJson(folder, ["show", "toolset:", "--for", "mcp"])).diagnostics).toMatchObject([
      { code: "cli/only-for-tools" },
    ]);
  });

  test("decides with the tools which extensions the registry names: `show extension:` lists them", async () => {
    const { out } = await hasp(folder, ["show", "extension:"]);
    expect(out.split("\n").map((line) => line.split(/ {2,}/u))).toEqual([
      ["extension", "from", "tools that ask for it", "toolsets"],
      ["flow", "@hasp/runtime/flow", "search_files, write_file", "loud, whole"],
      ["results", "@hasp/runtime/results", "search_files, write_file", "loud, quiet, whole"],
      [""],
    ]);
    const manifest = JSON.parse(readFileSync(join(folder, "src/generated/manifest.json"), "utf8")) as object;
    const { data } = await haspJson(folder, ["show", "extension:"]);
    expect(data["extensions"]).toMatchObject([
      { name: "flow", tools: ["search_files", "write_file"], toolsets: ["loud", "whole"] },
      { name: "results", from: "@hasp/runtime/results", toolsets: ["loud", "quiet", "whole"] },
    ]);
    expect(manifest).toMatchObject({ extensions: ["flow", "results"] });
  });

  test("is a loosening of `diff` at its place if it is weaker than before", async () => {
    const head = project({ "hasp.config.yaml": config("flow: off\n"), "specs/search_files.tool.yaml": search });
    put(head, { "base/hasp.config.yaml": config("flow: ask\n"), "base/specs/search_files.tool.yaml": search });
    expect((await haspJson(head, ["diff", "./base"])).diagnostics).toMatchObject([
      { code: "diff/flow-lowered", severity: "error", pointer: "/flow" },
    ]);
  });
});

test("a registry that loses an extension is a loosening, and one that gains one is only noted", async () => {
  const config = "specs: [specs]\n";
  const deferred = `${search}visibility: deferred\n`;
  const files = { "hasp.config.yaml": config, "specs/search_files.tool.yaml": search };
  const head = project({ ...files, "base/hasp.config.yaml": config });
  const compare = async (now: string, base: string): Promise<readonly (readonly [string, string])[]> => {
    put(head, { "specs/search_files.tool.yaml": now, "base/specs/search_files.tool.yaml": base });
    const { diagnostics } = await haspJson(head, ["diff", "./base"]);
    return diagnostics.flatMap(({ code, severity, message }) =>
      code.startsWith("diff/extension") ? [[severity, message] as const] : [],
    );
  };
  const named = 'The registry no longer names the extension "search", asked for by search_files: ';
  expect(await compare(search, deferred)).toEqual([["error", expect.stringContaining(named)]]);
  expect(await compare(deferred, search)).toEqual([
    ["info", 'The registry now names the extension "search", asked for by search_files.'],
  ]);
  expect(await compare(search, search)).toEqual([]);
  // A tool with errors may still ask.
  expect(await compare(`${search}nonsense: 1\n`, deferred)).toEqual([]);
});

test("a setting that does not exist is an error with the known ones", async () => {
  const folder = project({ "hasp.config.yaml": config("flow: on\n"), "specs/search_files.tool.yaml": search });
  const { diagnostics } = await haspJson(folder, ["check"]);
  expect(diagnostics).toMatchObject([{ code: "config/wrong-value", pointer: "/flow" }]);
  expect(diagnostics[0]?.message).toContain("ask");
});
