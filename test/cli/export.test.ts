import { readFileSync, rmSync } from "node:fs";
import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { readMcpbIgnorePatterns, shouldExclude } from "@anthropic-ai/mcpb/node";
import { Ajv } from "ajv";
import addFormats from "ajv-formats";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createFolder, type GuideFolder } from "../guides/guide-folder.js";
import { hasp as runHasp } from "./command-line.js";

const require = createRequire(import.meta.url);
const MANIFEST = {
  name: "@shop/tools",
  version: "1.2.0",
  description: "Orders of a shop.",
  type: "module",
  author: "Ada <ada@example.com>",
  license: "MIT",
  mcpName: "com.example/shop-tools",
  repository: "github:example/shop",
  icon: "logo.png",
  bin: { "shop-tools": "dist/serve.js" },
  dependencies: { "@hasp/runtime": "0.1.0" },
};

/** A module that no project contains. */
const OUTSIDE = join(import.meta.dirname, "../figures.js");

let project: GuideFolder;

async function hasp(...words: readonly string[]): Promise<{ readonly code: number | null; readonly text: string }> {
  const { code, out, error } = await runHasp(project.root, words);
  return { code, text: `${out}${error}` };
}
const read = (path: string): Buffer => readFileSync(join(project.root, path));
const setManifest = (changes: object): void =>
  project.write("package.json", JSON.stringify({ ...MANIFEST, ...changes }));

beforeAll(async () => {
  project = createFolder();
  setManifest({});
  project.write("logo.png", "a picture");
  project.write(".env", "SHOP_TOKEN=a-real-secret\n");
  project.write(
    "hasp.config.yaml",
    `specs: [specs]
dialects: [mcp]
toolsets:
  readers: { include: [find_order] }
  guarded: { include: [find_order], policy: policies/guarded.yaml }
  all: { include: [find_order, get_stock], policy: policies/all.yaml }
connections:
  shop: { http: { baseUrl: "https://shop.example.com", auth: { bearer: { env: SHOP_TOKEN } } } }
`,
  );
  project.write("policies/guarded.yaml", "hasp: 1\ndeny: [find_order]\n");
  project.write("policies/all.yaml", "hasp: 1\nmode: plan\n");
  const spec = (name: string, rest: string): string => `hasp: 1
name: ${name}
description: Read ${name}. Use it in this test. Do not use it elsewhere.
input: { type: object, required: [id], properties: { id: { type: string, minLength: 1, maxLength: 20, description: Which one. } } }
concurrency: { class: READ_ONLY }
behavior: { requiresPermission: false, interruptBehavior: cancel }
limits: { maxResultSizeChars: 1000 }
${rest}`;
  project.write("specs/find_order.tool.yaml", spec("find_order", "needs: { env: [ORDERS_FILE] }\n"));
  project.write(
    "specs/get_stock.tool.yaml",
    spec("get_stock", 'handler: { http: { connection: shop, method: GET, path: "/stock/{id}" } }\n'),
  );
  project.write(
    "src/tools/find-order.ts",
    'export const execute = ({ id }: { id: string }): string => `order ${id} of ${process.env["ORDERS_FILE"]}`;\n',
  );
  const approved = await hasp("approve", "find_order", "get_stock", "--yes", "--reason", "reads only");
  expect(approved, approved.text).toMatchObject({ code: 0 });
  const built = await hasp("build");
  expect(built, built.text).toMatchObject({ code: 0 });
  const { status, stdout } = spawnSync("npx", ["tsc"], {
    cwd: project.root,
    env: project.environment,
    encoding: "utf8",
  });
  expect(status, stdout).toBe(0);
});
afterAll(() => project.remove());
beforeEach(() => setManifest({}));

const bundle = (...words: readonly string[]): ReturnType<typeof hasp> =>
  hasp("export", "mcpb", "--registry", "dist/generated/registry.js", ...words);

/** Starts the server of a bundle as its manifest says, in the folder that was packed, and connects the official client. */
async function started(use: (client: Client, env: Readonly<Record<string, string>>) => Promise<void>): Promise<void> {
  const client = new Client({ name: "test", version: "1" });
  try {
    const { server } = JSON.parse(read("manifest.json").toString()) as {
      server: { mcp_config: { args: string[]; env: Record<string, string> } };
    };
    const { args, env } = server.mcp_config;
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: args.map((word) => word.replaceAll("${__dirname}", project.root)),
        env: { ORDERS_FILE: "orders.csv", PATH: process.env["PATH"] ?? "" },
        cwd: tmpdir(),
        stderr: "ignore",
      }),
    );
    await use(client, env);
  } finally {
    await client.close();
  }
}

describe("the manifest of a bundle", () => {
  test("fits the published schema, holds no secret, and is the same every time", async () => {
    expect(await bundle()).toMatchObject({ code: 0 });
    const text = read("manifest.json").toString();
    expect(await bundle()).toMatchObject({ code: 0 });
    expect(read("manifest.json").toString()).toBe(text);
    const manifest: unknown = JSON.parse(text);
    const schema = require("@anthropic-ai/mcpb/mcpb-manifest-v0.3.schema.json") as object;
    const ajv = new Ajv({ strict: false });
    addFormats.default(ajv);
    expect(ajv.validate(schema, manifest), ajv.errorsText()).toBe(true);
    expect(manifest).toMatchObject({
      name: "shop-tools",
      version: "1.2.0",
      author: { name: "Ada", email: "ada@example.com" },
      icon: "logo.png",
      tools: [{ name: "find_order" }, { name: "get_stock" }],
      user_config: { ORDERS_FILE: { sensitive: true, required: true }, SHOP_TOKEN: { sensitive: true } },
    });
    expect(text).not.toContain("a-real-secret");
  });

  test("leaves the manifest of something else as it is", async () => {
    const own = '{ "manifest_version": 3, "name": "An extension of a browser" }';
    project.write("manifest.json", own);
    expect((await bundle()).code).not.toBe(0);
    expect(read("manifest.json").toString()).toBe(own);
    rmSync(join(project.root, "manifest.json"));
  });

  test("starts the packed server, which answers the official client", async () => {
    expect(await bundle("--toolset", "readers")).toMatchObject({ code: 0 });
    await started(async (client, env) => {
      expect(env).toEqual({ ORDERS_FILE: "${user_config.ORDERS_FILE}" });
      expect(client.getServerVersion()).toMatchObject({ name: "@shop/tools", version: "1.2.0" });
      expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(["find_order"]);
      const { content } = await client.callTool({ name: "find_order", arguments: { id: "o1" } });
      expect(content).toEqual([{ type: "text", text: "order o1 of orders.csv" }]);
    });
  });

  test("applies the policy of its toolset, and is not written without it", async () => {
    expect(await bundle("--toolset", "guarded")).toMatchObject({ code: 0 });
    await started(async (client) => expect((await client.listTools()).tools).toEqual([]));
    const compiled = read("dist/generated/guarded/policy.js");
    rmSync(join(project.root, "dist/generated/guarded/policy.js"));
    const without = await bundle("--toolset", "guarded");
    project.write("dist/generated/guarded/policy.js", compiled.toString());
    expect(without).toMatchObject({ code: 2, text: expect.stringMatching(/guarded\/policy\.js" does not exist/u) });
  });

  test("offers no tools of several toolsets of which one has a policy of its own", async () => {
    const config = read("hasp.config.yaml").toString();
    project.write("hasp.config.yaml", config.replace(", policy: policies/all.yaml", ""));
    const { code, text } = await bundle();
    project.write("hasp.config.yaml", config);
    expect(text).toMatch(/several toolsets, and some of these have policies/u);
    expect(code).toBe(2);
  });

  test.each([
    ["a registry that is TypeScript", [], {}, /is not a JavaScript module/u],
    ["a registry that is missing", ["--registry", "dist/none.js"], {}, /does not exist/u],
    ["a registry outside of the project", ["--registry", OUTSIDE], {}, /not inside the project/u],
    ["an author that is missing", [], { author: undefined }, /"author" is missing/u],
    ["a hostile name", [], { name: "../../etc" }, /"name" must be a package name/u],
    ["a range for a version", [], { version: "^1.0.0" }, /"version" must be one exact version/u],
    ["no version", [], { version: undefined }, /"version" is missing/u],
    ["a tool to allow that there is not", ["--allow", "find_orders"], {}, /no tool .*"find_orders".*find_order\b/su],
    [
      "an icon outside of the project",
      ["--registry", "dist/generated/registry.js"],
      { icon: "../x.png" },
      /x\.png" is not inside/u,
    ],
    [
      "hasp as a package for development, which a bundle leaves out",
      ["--registry", "dist/generated/registry.js"],
      { devDependencies: { hasp: "0.1.0" } },
      /"hasp" under "devDependencies" only.*npm install hasp/su,
    ],
  ])("the export refuses %s", async (_what, words, changes, message) => {
    setManifest(changes);
    const { code, text } = await hasp("export", "mcpb", "--out", "no.json", ...words);
    expect(text).toMatch(message);
    expect(code).toBe(2);
  });

  test("keeps stored calls out of the bundle", async () => {
    const configuration = read("hasp.config.yaml").toString();
    project.write("hasp.config.yaml", `${configuration}callStore: { files: "stored [calls]" }\n`);
    project.write(".mcpbignore", "docs");
    try {
      for (const _time of [1, 2]) expect(await bundle()).toMatchObject({ code: 0 });
    } finally {
      project.write("hasp.config.yaml", configuration);
    }
    const ignored = readMcpbIgnorePatterns(project.root);
    expect(ignored).toEqual(["docs", expect.any(String)]);
    expect(["stored [calls]/t.jsonl", "stored c/t.jsonl"].map((path) => shouldExclude(path, ignored))).toEqual([
      true,
      false,
    ]);
  });

  test("leaves other files alone", async () => {
    expect((await bundle("--out", "package.json")).text).toMatch(/is not an export/u);
    expect(JSON.parse(read("package.json").toString())).toMatchObject({ name: "@shop/tools" });
  });
});

describe("server.json", () => {
  const exported = async (...words: readonly string[]): Promise<unknown> => {
    expect(await hasp("export", "server-json", ...words)).toMatchObject({ code: 0 });
    return JSON.parse(read("server.json").toString());
  };

  test("declares the package, what it needs, and no value", async () => {
    expect(await exported()).toEqual({
      $schema: "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
      name: "com.example/shop-tools",
      description: "Orders of a shop.",
      version: "1.2.0",
      repository: { url: "https://github.com/example/shop", source: "github" },
      packages: [
        {
          registryType: "npm",
          identifier: "@shop/tools",
          version: "1.2.0",
          runtimeHint: "npx",
          transport: { type: "stdio" },
          environmentVariables: [
            { name: "ORDERS_FILE", description: "Needed by find_order.", isRequired: true, isSecret: true },
            { name: "SHOP_TOKEN", description: "Needed by get_stock.", isRequired: true, isSecret: true },
          ],
        },
      ],
    });
    expect(await exported("--toolset", "readers")).toMatchObject({
      packages: [{ environmentVariables: [{ name: "ORDERS_FILE" }] }],
    });
  });

  test("names a server at an address", async () => {
    setManifest({ private: true });
    expect(await exported("--url", "https://example.com/mcp")).toMatchObject({
      remotes: [{ type: "streamable-http", url: "https://example.com/mcp" }],
    });
  });

  test.each([
    [{ mcpName: undefined }, [], /"mcpName" is missing/u],
    [{ mcpName: "a/b/c" }, [], /"mcpName" must be/u],
    [{ description: "long ".repeat(30) }, [], /at most 100 characters/u],
    [{ bin: undefined }, [], /A client has no way to run/u],
    [{ icons: [{ src: "http://example.com/x.png" }] }, [], /"icons" must be/u],
    [{}, ["--url", "http://example.com/mcp"], /is not an https URL/u],
    [{}, ["--toolset", "reader"], /no toolset "reader".*readers/su],
  ])("the export refuses %j", async (changes, words, message) => {
    setManifest(changes);
    const { code, text } = await hasp("export", "server-json", ...words);
    expect(text).toMatch(message);
    expect(code).toBe(2);
  });
});
