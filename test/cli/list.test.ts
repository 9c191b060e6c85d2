import { describe, expect, test } from "vitest";
import { main } from "../../packages/hasp/src/cli/main.js";
import { recordingTerminal } from "../../packages/hasp/src/cli/shell/terminal.testing.js";
import { hasp, haspJson, minimalSpec, project, startHasp } from "./command-line.js";

const reads = "concurrency: { class: READ_ONLY }\n";
const folder = project({
  "hasp.config.yaml":
    "specs: [specs]\ndialects: [anthropic, mcp]\ntoolsets:\n  all: {}\n  orders: { include: [{ tag: orders }] }\n",
  "specs/find_order.tool.yaml": minimalSpec("find_order", `tags: [orders]\nowner: team-orders\n${reads}`),
  "specs/find_customer.tool.yaml": minimalSpec("find_customer", reads).replace(
    "Look one record up by its id.",
    "Look one record up by its id, with everything that is known of it and of the orders that it has made so far.",
  ),
  "specs/cancel_order.tool.yaml": minimalSpec(
    "cancel_order",
    "tags: [orders]\nvisibility: { load: deferred, searchHint: cancel order }\n",
  ),
});

const listed = async (...words: readonly string[]): Promise<readonly unknown[]> => {
  const run = await haspJson(folder, ["show", ...words]);
  expect([run.code, run.diagnostics]).toEqual([0, []]);
  return (run.data["tools"] as readonly { name: string }[]).map(({ name }) => name);
};

describe("hasp show", () => {
  test("prints a table on standard output, and totals on standard error", () => {
    const run = startHasp(folder, ["show"]);
    expect(run.code).toBe(0);
    const [head, ...rows] = run.out.trimEnd().split("\n");
    expect(head).toMatch(/^tool +class +tokens +approval +flags$/u);
    expect(rows.map((row) => row.trimEnd())).toEqual([
      expect.stringMatching(/^cancel_order +UNSAFE +\d+ +isDestructive, isOpenWorld, returnsUntrusted,$/u),
      expect.stringMatching(/^ +returnsPrivate, requiresPermission, load=deferred$/u),
      expect.stringMatching(/^find_customer +READ_ONLY +\d+ +1 of 1 waiting +isReadOnly, isIdempotent, isOpenWorld,$/u),
      expect.stringMatching(/^ +returnsUntrusted, returnsPrivate,$/u),
      expect.stringMatching(/^ +requiresPermission$/u),
      expect.stringMatching(/^find_order +READ_ONLY +\d+ +1 of 1 waiting +isReadOnly, isIdempotent, isOpenWorld,$/u),
      expect.stringMatching(/^ +returnsUntrusted, returnsPrivate,$/u),
      expect.stringMatching(/^ +requiresPermission$/u),
    ]);
    expect(run.error).toMatch(/^3 tools, about \d+ tokens in every request; 2 claims wait for an approval\.\n$/u);
  });

  test.each([
    [["find_*"], ["find_customer", "find_order"]],
    [
      ["*order", "find_customer"],
      ["cancel_order", "find_customer", "find_order"],
    ],
    [["--only", "class:UNSAFE"], ["cancel_order"]],
    [["--only=tag:orders", "find_*"], ["find_order"]],
    [["--only", "owner:team-orders"], ["find_order"]],
    [["--only", "flag:isDestructive"], ["cancel_order"]],
    [
      ["--only", "flag:isDestructive=false,flag:isOpenWorld"],
      ["find_customer", "find_order"],
    ],
    [["--only", "flag:load=deferred"], ["cancel_order"]],
    [
      ["--only", "tag:orders"],
      ["cancel_order", "find_order"],
    ],
    [
      ["--only", "toolset:orders"],
      ["cancel_order", "find_order"],
    ],
    [["--only", "approval:none"], ["cancel_order"]],
    [
      ["--only", "approval:waiting"],
      ["find_customer", "find_order"],
    ],
    [["--only", "approval:new", "tag:orders"], ["find_order"]],
    [["--only", "approval:stale"], []],
    [
      ["--for", "openai-chat", "--only", "toolset:orders"],
      ["cancel_order", "find_order"],
    ],
    [
      ["--sort", "tokens", "find_*"],
      ["find_customer", "find_order"],
    ],
  ])("%j selects %j", async (words, names) => {
    expect(await listed(...words)).toEqual(names);
  });

  test("tells programs all that is known", async () => {
    const { data, summary } = await haspJson(folder, ["show", "--only", "tool:find_order", "--for", "anthropic"]);
    expect(data["tools"]).toMatchObject([
      {
        name: "find_order",
        uri: "specs/find_order.tool.yaml",
        line: 2,
        class: "READ_ONLY",
        flags: { isReadOnly: true, isDestructive: false, requiresPermission: true, load: "normal" },
        tags: ["orders"],
        toolsets: ["all", "orders"],
        tokens: expect.any(Number),
        approval: "waiting",
        claims: [{ claim: "concurrency.class: READ_ONLY", state: "new" }],
        wireName: "find_order",
        strict: false,
      },
    ]);
    expect(summary["tools"]).toBe(1);
  });

  test("a tool that a dialect cannot express is named with the reason", async () => {
    const open = minimalSpec("open").replace("input:\n", "input:\n  additionalProperties: true\n");
    const other = project({ "open.tool.yaml": open });
    const run = await hasp(other, ["show", "--for", "anthropic-strict"]);
    expect(run).toMatchObject({ code: 0, out: "No tool matches.\n" });
    expect(run.error).toContain("open is not in the list for anthropic-strict: ");
  });

  test.each([
    [["nope"], "cli/unknown-thing"],
    [["find_*", "nope_*"], "cli/unknown-tool"],
    [["extension:", "find_order"], "cli/unknown-tool"],
    [["--only", "tag:order"], "cli/unknown-filter"],
    [["--only", "toolset:support"], "cli/unknown-filter"],
    [["--only", "flag:isDestructve"], "cli/unknown-filter"],
    [["--for", "openai"], "cli/unknown-dialect"],
  ])("%j gives 2", async (words, code) => {
    const run = await haspJson(folder, ["show", ...words]);
    expect([run.code, run.diagnostics.map((finding) => finding.code)]).toEqual([2, [code]]);
  });

  test("a tool that cannot be read is not called unknown", async () => {
    const broken = project({
      "bad.tool.yaml": minimalSpec("bad").replace("input:\n", "input:\n  discriminator: {}\n"),
    });
    const { code, diagnostics } = await haspJson(broken, ["show", "bad"]);
    expect([code, diagnostics.map((finding) => finding.code)]).toEqual([2, ["schema/unknown-keyword"]]);
  });

  test("a flag of an earlier version leads to the word that took its place", async () => {
    const run = await haspJson(folder, ["show", "--only", "flag:alwaysLoad"]);
    expect(run.diagnostics[0]?.message).toBe('There is no flag "alwaysLoad". Did you mean "load=always"?');
  });

  test.each([
    ["--only", "class:SAFE"],
    ["--only", "approval:yes"],
    ["--sort", "size"],
  ])("%s %s gives 2", async (option, value) => {
    expect((await hasp(folder, ["show", option, value])).code).toBe(2);
  });

  test("a broken spec is reported, and the other tools are listed", async () => {
    const broken = project({
      "a.tool.yaml": minimalSpec("a"),
      "b.tool.yaml": minimalSpec("b", "concurrency: { class: SAFE }\n"),
    });
    const run = await haspJson(broken, ["show"]);
    expect(run.code).toBe(1);
    expect(run.data["tools"]).toMatchObject([{ name: "a" }]);
    expect(run.diagnostics.every(({ severity }) => severity === "error")).toBe(true);
  });

  test.each([40, 60])("keeps within %i columns", async (columns) => {
    const terminal = recordingTerminal(folder, { columns });
    expect(await main(["show"], terminal)).toBe(0);
    const lines = terminal.printed().out.split("\n");
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(columns);
    expect(lines).toContain("find_customer");
    expect(lines.join(" ").replaceAll(/\s+/gu, " ")).toContain(
      "isReadOnly, isIdempotent, isOpenWorld, returnsUntrusted, returnsPrivate, requiresPermission",
    );
  });
});

describe("tokens", () => {
  test("a build ends with the tokens of each list and the most expensive tools; a check counts none", async () => {
    const small = project({
      "hasp.config.yaml": "dialects: [anthropic, mcp]\n",
      ...Object.fromEntries(["a", "b", "c", "d", "e", "f"].map((name) => [`${name}.tool.yaml`, minimalSpec(name)])),
      "long.tool.yaml": minimalSpec("long").replace("Which record.", "Which record of them all. ".repeat(20)),
    });
    const { out } = await hasp(small, ["build"]);
    expect(out).toMatch(/Tokens in every request, estimated: anthropic \d+, mcp \d+\.\n/u);
    expect(out).toMatch(/Most expensive tools: long \d+, a \d+, b \d+, c \d+, d \d+\.\n/u);
    expect((await hasp(small, ["build", "--quiet"])).out).toBe("");
    for (const format of ["sarif", "github", "junit"]) {
      expect((await hasp(small, ["build", "--format", format])).out).not.toMatch(/tokens/iu);
    }
    const { summary } = await haspJson(small, ["build"]);
    expect(summary).toMatchObject({
      tokens: { counted: false, mostExpensive: [{ tool: "long" }, {}, {}, {}, {}] },
      toolsets: [{ dialects: [{ dialect: "anthropic", tokens: expect.any(Number) }, { dialect: "mcp" }] }],
    });
    expect((await hasp(small, ["check"])).out).not.toMatch(/tokens/iu);
    expect(JSON.stringify((await haspJson(small, ["check"])).summary)).not.toContain("tokens");
  });

  test("a deferred tool costs nothing until it is searched for", async () => {
    const tokensOf = async (extra: string): Promise<unknown> => {
      const specs = { "a.tool.yaml": minimalSpec("a"), "b.tool.yaml": minimalSpec("b", extra) };
      const { summary } = await haspJson(project({ "hasp.config.yaml": "dialects: [mcp]\n", ...specs }), ["build"]);
      return (summary["toolsets"] as readonly { dialects: readonly { tokens: number }[] }[])[0]?.dialects[0]?.tokens;
    };
    const [both, one] = [await tokensOf(""), await tokensOf("visibility: { load: deferred, searchHint: b }\n")];
    expect(Number(both)).toBeGreaterThan(1.9 * Number(one));
  });
});
