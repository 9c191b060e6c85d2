import { describe, expect, test } from "vitest";
import { hasp, haspJson, minimalSpec, project, put, tree } from "./command-line.js";

const CODE = "fail-closed/claim-contradicts-handler";
const reads = "concurrency: { class: READ_ONLY }\n";
const over = (method: string, path = "/orders"): string =>
  `handler: { http: { connection: api, method: ${method}, path: ${path} } }\n`;
const config = (baseUrl: string, more = ""): string =>
  `specs: [specs]\ndialects: [anthropic]\nconnections:\n  api: { http: { baseUrl: ${baseUrl}${more} } }\n`;
const files = {
  "hasp.config.yaml": config("https://api.example.com"),
  "specs/find.tool.yaml": minimalSpec("find", reads + over("POST", "/search")),
  "specs/list.tool.yaml": minimalSpec("list", reads + over("GET")),
};
const errors = async (folder: string): Promise<readonly string[]> =>
  (await haspJson(folder, ["check"])).diagnostics
    .filter(({ severity }) => severity === "error")
    .map(({ code, tool }) => `${tool} ${code}`);

describe("a claim that contradicts its handler", () => {
  test("is approved only by who says so, and the ledger says so too", async () => {
    const folder = project(files);
    expect(await errors(folder)).toEqual([`find ${CODE}`, "find ledger/not-approved", "list ledger/not-approved"]);

    const plain = await hasp(folder, ["approve", "find", "list", "--yes", "--reason", "It only searches."]);
    expect(plain.code).toBe(0);
    expect(plain.out).toContain("1 of 2 claims approved");
    expect(plain.out).toContain(
      "1 claim contradicts what the handler does; --contradicting approves such a claim too.",
    );
    expect(await errors(folder)).toEqual([`find ${CODE}`, "find ledger/not-approved"]);

    const meant = await hasp(folder, ["approve", "find", "--yes", "--contradicting", "--reason", "It only searches."]);
    expect([meant.code, meant.error]).toEqual([0, ""]);
    expect(tree(folder)["hasp-ledger/find.yaml"]).toContain("contradicts: http");
    expect(await errors(folder)).toEqual([]);

    put(folder, {
      "hasp-ledger/find.yaml": (tree(folder)["hasp-ledger/find.yaml"] ?? "").replace(
        "contradicts: http",
        "contradicts: sql",
      ),
    });
    expect(await errors(folder)).toEqual([`find ${CODE}`]);
    expect((await hasp(folder, ["approve", "find", "--yes", "--reason", "Again."])).out).toContain(
      "0 of 1 claim approved",
    );
  });

  test("names nothing that is no kind of handler", async () => {
    const folder = project({
      ...files,
      "hasp-ledger/find.yaml": "approved: [{ claim: x, reason: y, covers: z, contradicts: everything }]\n",
    });
    expect(await errors(folder)).toContain("find ledger/malformed");
  });
});

describe("an approval covers", () => {
  const approved = async (): Promise<string> => {
    const folder = project(files);
    await hasp(folder, ["approve", "find", "list", "--yes", "--contradicting", "--reason", "They read."]);
    expect(await errors(folder)).toEqual([]);
    return folder;
  };
  const staleness = async (changed: Readonly<Record<string, string>>): Promise<readonly string[]> => {
    const folder = await approved();
    put(folder, changed);
    const { diagnostics } = await haspJson(folder, ["check"]);
    return diagnostics
      .filter(({ code, tool }) => tool === "list" && code === "ledger/stale")
      .map(({ message }) => message.replace(/^.*changed since: /u, ""));
  };

  test.each([
    ["the declaration of the handler.", { "specs/list.tool.yaml": minimalSpec("list", reads + over("GET", "/users")) }],
    ["the declaration of the handler.", { "specs/list.tool.yaml": minimalSpec("list", reads) }],
    ["the connection of the handler.", { "hasp.config.yaml": config("https://api.example.org") }],
    [
      "the connection of the handler.",
      { "hasp.config.yaml": config("https://api.example.com", ", allowPrivateAddresses: true") },
    ],
    [
      "the inputs that the tool accepts, or the values that the host binds.",
      { "specs/list.tool.yaml": minimalSpec("list", `${reads + over("GET")}bind: { id: context.id }\n`) },
    ],
  ])("an approval goes stale with %s", async (part, changed) => {
    expect(await staleness(changed)).toEqual([part]);
  });

  test("no limit of a connection", async () => {
    expect(await staleness({ "hasp.config.yaml": config("https://api.example.com", ", timeoutSeconds: 9") })).toEqual(
      [],
    );
  });

  test("a contradiction no longer, once the handler is another", async () => {
    const folder = await approved();
    put(folder, { "specs/find.tool.yaml": minimalSpec("find", reads + over("DELETE", "/search")) });
    expect(await errors(folder)).toEqual([`find ${CODE}`, "find ledger/stale"]);
  });
});

describe("hasp approve --suggested", () => {
  test("claims what a declared handler shows, and nothing that it contradicts", async () => {
    const suggested = "origin: { suggested: { from: annotations, class: READ_ONLY, isOpenWorld: false } }\n";
    const folder = project({
      "hasp.config.yaml": config("https://api.example.com"),
      "specs/get.tool.yaml": minimalSpec("get", over("GET")),
      "specs/put.tool.yaml": minimalSpec("put", over("PUT")),
      "specs/send.tool.yaml": minimalSpec("send", suggested + over("POST")),
    });
    const run = await hasp(folder, [
      "approve",
      "*",
      "--suggested",
      "--yes",
      "--contradicting",
      "--reason",
      "As shown.",
    ]);
    expect([run.code, run.error]).toEqual([0, ""]);
    expect(run.out).toContain(
      'send: concurrency.class: READ_ONLY contradicts what the handler does; it stays under "suggested".',
    );
    const written = tree(folder);
    expect(written["specs/get.tool.yaml"]).toMatch(/class: READ_ONLY/u);
    expect(written["specs/put.tool.yaml"]).toMatch(/isIdempotent: true/u);
    expect(written["specs/send.tool.yaml"]).toMatch(/suggested: .*READ_ONLY/u);
    expect(written["specs/send.tool.yaml"]).not.toMatch(/^concurrency/mu);
    expect(await errors(folder)).toEqual([]);
  });
});
