import { execFile } from "node:child_process";
import { copyFileSync, mkdtempSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { compileSpecs } from "../generated/generated-project.js";
import { blocksOf } from "../guides/guide.js";
import { findProgram } from "../missing-programs.js";

const repository = join(import.meta.dirname, "../..");
const schema = JSON.parse(readFileSync(join(repository, "packages/hasp/schema/bundle.schema.json"), "utf8")) as object;
const page = readFileSync(join(repository, "packages/hasp/docs/other-languages.md"), "utf8");

const input = {
  type: "object",
  required: ["id"],
  properties: {
    id: { type: "string" },
    limit: { type: "integer" },
    extra: { type: "object", additionalProperties: { type: "integer" } },
  },
};
const common = { hasp: 1, description: "Does something.", input };
const specs = {
  "find.tool.yaml": {
    ...common,
    name: "find_order",
    concurrency: { class: "READ_ONLY" },
    behavior: { requiresPermission: false, isOpenWorld: false },
    examples: [{ input: { id: "a" } }],
  },
  "change.tool.yaml": {
    ...common,
    name: "change_order",
    concurrency: { rules: [{ when: "input.id == 'test'", class: "READ_ONLY" }] },
    behavior: { requiresPermission: { unless: "has(input.limit) && input.limit < 3" } },
    validate: [{ that: "input.id != ''", message: "Say which order." }],
  },
  "later.tool.yaml": { ...common, name: "count_orders", visibility: { load: "deferred" } },
  "note.tool.yaml": { ...common, name: "note_down", input: { type: "string" } },
  "gated.tool.yaml": { ...common, name: "list_orders", visibility: { featureGate: "orders" } },
};

async function compileBundle(): Promise<{ readonly text: string; readonly lists: ReadonlyMap<string, unknown> }> {
  const { files } = await compileSpecs(specs, { bundle: true });
  const texts = new Map(files.map(({ path, text }) => [path, text]));
  const lists = [...texts]
    .filter(([path]) => path.endsWith(".json"))
    .map(([path, text]) => [path, JSON.parse(text)] as const);
  return { text: texts.get("src/generated/bundle.json") ?? "", lists: new Map(lists) };
}

describe("bundle.json", () => {
  test("is as its schema says, and holds the lists that are written apart", async () => {
    const { text, lists } = await compileBundle();
    const bundle = JSON.parse(text) as {
      readonly dialects: { readonly [id: string]: { readonly [part: string]: unknown } };
    };
    const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true });
    const validate = ajv.compile(schema);
    expect(validate(bundle), ajv.errorsText(validate.errors)).toBe(true);
    const ids = Object.keys(bundle.dialects);
    expect(ids.length).toBeGreaterThan(6);
    for (const id of ids) {
      const written = (part: string): unknown => lists.get(`src/generated/providers/${id}${part}.json`);
      const { list, deferred, gated } = bundle.dialects[id] ?? {};
      expect({ list, deferred, gated }, id).toEqual({
        list: written(""),
        deferred: written(".deferred") ?? [],
        gated: written(".gated") ?? {},
      });
    }
  });

  test("states conditions as CEL, and what each of them decides", async () => {
    const { text } = await compileBundle();
    const { tools } = JSON.parse(text) as { readonly tools: { readonly [name: string]: object } };
    const strict = {
      isReadOnly: false,
      isDestructive: true,
      isIdempotent: false,
      isOpenWorld: true,
      returnsUntrusted: true,
      returnsPrivate: true,
      requiresPermission: true,
    };
    expect(tools["change_order"]).toMatchObject({
      decision: {
        otherwise: { class: "UNSAFE", ...strict },
        flags: [
          {
            if: { cel: "has(input.limit) && input.limit < 3" },
            then: { requiresPermission: false },
            else: { requiresPermission: true },
          },
        ],
        rules: [
          {
            if: { cel: "input.id == 'test'" },
            then: { class: "READ_ONLY", isReadOnly: true, isDestructive: false, isIdempotent: true },
          },
        ],
      },
      checks: [{ that: { cel: "input.id != ''" }, message: "Say which order." }],
    });
  });
});

/** Plays a provider that answers with these calls. Returns what the program sent and printed. */
async function runAgent(calls: readonly ({ readonly name: string } & Readonly<Record<string, string>>)[]) {
  const folder = mkdtempSync(join(tmpdir(), "hasp-python-"));
  const { text } = await compileBundle();
  let sent = "";
  const server = createServer((request, response) => {
    request.on("data", (chunk: Buffer) => void (sent += chunk.toString()));
    request.on("end", () => {
      response.end(JSON.stringify({ output: calls.map((call) => ({ type: "function_call", ...call })) }));
    });
  });
  try {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    mkdirSync(join(folder, "src/generated"), { recursive: true });
    writeFileSync(join(folder, "src/generated/bundle.json"), text);
    copyFileSync(join(repository, "packages/hasp/schema/bundle.py"), join(folder, "bundle.py"));
    for (const { path, text: program } of blocksOf(page)) writeFileSync(join(folder, path), program);
    const { stdout } = await promisify(execFile)("python3", ["agent.py", address], { cwd: folder });
    return { sent: JSON.parse(sent) as { readonly tools: unknown }, lines: stdout.trim().split("\n") };
  } finally {
    server.close();
    rmSync(folder, { recursive: true });
  }
}

test.skipIf(findProgram("python3") === undefined)(
  "the program of the page sends the list, decodes calls and reads their flags",
  async () => {
    const { lists } = await compileBundle();
    const sentInput = JSON.stringify({ id: "a", limit: null, extra: [{ key: "note", value: 1 }] });
    const { sent, lines } = await runAgent([
      { name: "find_order", arguments: sentInput },
      { name: "change_order", arguments: sentInput },
      { type: "custom_tool_call", name: "note_down", input: "a 'word'" },
    ]);
    expect(sent.tools).toEqual(lists.get("src/generated/providers/openai-responses-strict.json"));
    const decoded = "{'id': 'a', 'extra': {'note': 1}}";
    expect(lines).toEqual([
      `find_order ${decoded} {'class': 'READ_ONLY', 'isReadOnly': True, 'isDestructive': False, 'isIdempotent': True, 'isOpenWorld': False, 'returnsUntrusted': True, 'returnsPrivate': True, 'requiresPermission': False}`,
      expect.stringMatching(
        `^change_order ${decoded.replaceAll(/[{}]/gu, "\\$&")} {'class': 'UNSAFE', .*'requiresPermission': True`,
      ),
      expect.stringMatching(/^note_down \{'text': "a 'word'"\} \{'class': 'UNSAFE'/u),
    ]);
  },
);

test.skipIf(findProgram("python3") === undefined)(
  "the reader takes numbers of JSON, and neither NaN nor an infinity",
  async () => {
    const cwd = join(repository, "packages/hasp/schema");
    const program = "import sys; from bundle import decode; print(decode({'kind': 'text'}, sys.argv[1]))";
    const decode = (text: string) => promisify(execFile)("python3", ["-B", "-c", program, text], { cwd });
    expect((await decode('{"a": [1.5, 9007199254740993]}')).stdout).toBe("{'a': [1.5, 9007199254740993]}\n");
    for (const text of ["NaN", "[Infinity]", '{"a": -Infinity}', "1e400"]) {
      await expect(decode(text), text).rejects.toThrow("ValueError");
    }
  },
);
