import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { hasp, haspJson, project, put } from "./command-line.js";

const KIND = `{
  name: "acme/queue", summary: "Puts a message into a queue.", module: "@acme/queue", export: "sendToQueue",
  declaration: {
    type: "object", required: ["queue"], additionalProperties: false,
    properties: { queue: { type: "string", minLength: 1 }, priority: { type: "integer" }, note: {}, maxRows: {} },
  },
}`;
const plugin = (kinds: string): string => `export default { name: "acme", handlerKinds: [${kinds}] };\n`;

const QUEUE = `export async function sendToQueue({ queue }, { id, tenant }, { signal }) {
  if (queue === "throws") throw new Error("no broker");
  if (queue === "hangs") await new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
  if (queue === "garbage") return { sent: 7 };
  return { sent: [queue, id, tenant ?? "-"].join(" ") };
}
`;
const TYPES = `export function sendToQueue(
  declaration: { readonly queue: string }, input: { readonly id: string; readonly tenant?: string }, options: { readonly signal: AbortSignal },
): Promise<{ readonly sent: string }>;
`;
const CONFIG = "specs: [specs]\ndialects: [mcp]\nplugins: [./plugins/acme.js]\ncontext: ./src/context.ts#Context\n";

const spec = (handler: string, more = ""): string => `hasp: 1
name: send_order
description: Send one order to the warehouse. Use it when its id is known. Do not use it to search.
input: { type: object, required: [id], properties: { id: { type: string, maxLength: 9, description: The order. } } }
output: { type: object, required: [sent], properties: { sent: { type: string } } }
behavior: { interruptBehavior: block }
limits: { maxResultSizeChars: 20000, timeoutSeconds: 1 }
handler: ${handler}
${more}`;
const BOUND = "bind: { tenant: context.tenant }\n";

function queueProject(text: string, files: { readonly [path: string]: string } = {}): string {
  const root = project({
    "package.json": '{ "name": "shop", "type": "module" }',
    "tsconfig.json": JSON.stringify({
      compilerOptions: {
        strict: true,
        noEmit: true,
        module: "nodenext",
        target: "es2023",
        lib: ["es2023", "dom"],
        types: [],
      },
      include: ["src"],
    }),
    "hasp.config.yaml": CONFIG,
    "plugins/acme.js": plugin(KIND),
    "src/context.ts":
      'export interface Context { readonly tenant: string }\nexport const context = { tenant: "t1" };\n',
    "specs/send_order.tool.yaml": text,
    "node_modules/@acme/queue/package.json":
      '{ "name": "@acme/queue", "type": "module", "exports": { "types": "./index.d.ts", "default": "./index.js" } }',
    "node_modules/@acme/queue/index.js": QUEUE,
    "node_modules/@acme/queue/index.d.ts": TYPES,
    "node_modules/@hasp/README.md": "",
    ...files,
  });
  const [runtime] = fileURLToPath(import.meta.resolve("@hasp/runtime")).split(/(?<=packages\/\w+)\//u);
  symlinkSync(runtime ?? "", join(root, "node_modules/@hasp/runtime"));
  return root;
}

const findingsOf = async (root: string, words: readonly string[] = ["check"]) =>
  (await haspJson(root, words)).diagnostics
    .filter(({ severity }) => severity !== "info")
    .map(({ code, line, message }) => ({ code, line, message }));

async function call(
  root: string,
): Promise<{ readonly isError: boolean; readonly output?: unknown; readonly text: string }> {
  const run = await hasp(root, [
    "call",
    "send_order",
    '{"id":"o1"}',
    "--allow",
    "--context",
    "src/context.ts#context",
    "--format",
    "json",
  ]);
  const { result } = (
    JSON.parse(run.out) as {
      readonly call: { readonly result: { readonly isError: boolean; readonly output?: unknown } };
    }
  ).call;
  return { ...result, text: JSON.stringify(result) };
}

test("a handler of a plugin's kind is built, type-checked, tested and called with its bound values", async () => {
  const tests = `tests:
  - input: { id: o1 }
    context: { tenant: t9 }
    respond: { output: { sent: yes it is } }
    expect: { output: { sent: yes it is }, request: { input: { id: o1, tenant: t9 } } }
  - { input: { id: o1 }, context: { tenant: t9 }, respond: { error: no broker }, expect: { error: no broker } }
  - { input: { id: o1 }, context: { tenant: t9 }, respond: { output: { sent: 7 } }, expect: { error: sent } }
`;
  const root = queueProject(spec("{ acme/queue: { queue: orders, priority: 2 } }", `${BOUND}${tests}`));
  expect(await findingsOf(root)).toEqual([]);
  expect(await hasp(root, ["build"])).toMatchObject({ code: 0 });
  expect((await hasp(root, ["build", "--check"])).code).toBe(0);
  const module = readFileSync(join(root, "src/generated/handlers/send-order.ts"), "utf8");
  expect(module).toContain('import { sendToQueue as run } from "@acme/queue";');
  expect(module).toContain('declaration: { queue: "orders", priority: 2 }');
  expect(existsSync(join(root, "src/tools/send-order.ts"))).toBe(false);
  const tsc = fileURLToPath(new URL("../../node_modules/typescript/bin/tsc", import.meta.url));
  expect(spawnSync(process.execPath, [tsc, "-p", "."], { cwd: root, encoding: "utf8" }).stdout).toBe("");
  expect(await hasp(root, ["test"])).toMatchObject({ code: 0 });
  expect(await call(root)).toMatchObject({ isError: false, output: { sent: "orders o1 t1" } });
  expect((await hasp(root, ["eject", "send_order"])).code).toBe(0);
});

test.each([
  ["throws", "no broker"],
  ["hangs", "did not finish within 1 s"],
  ["garbage", "sent"],
])("a plugin's handler that %s is an error of its call", async (queue, words) => {
  const root = queueProject(spec(`{ acme/queue: { queue: ${queue} } }`));
  expect(await hasp(root, ["build"])).toMatchObject({ code: 0 });
  const result = await call(root);
  expect(result.isError).toBe(true);
  expect(result.text).toContain(words);
});

test("a plugin's handler proves no claim: each needs an approval, and none is suggested", async () => {
  const silent = queueProject(spec("{ acme/queue: { queue: orders } }"));
  const { data } = await haspJson(silent, ["show", "send_order"]);
  expect(JSON.stringify(data)).toContain("UNSAFE");
  const claiming = queueProject(spec("{ acme/queue: { queue: orders } }", "concurrency: { class: READ_ONLY }\n"));
  expect((await findingsOf(claiming)).map(({ code }) => code)).toContain("ledger/not-approved");
  expect((await hasp(silent, ["approve", "--suggested"])).out).not.toContain("READ_ONLY");
});

test("an approval ends, and diff reports, when a declaration or the function behind it changes", async () => {
  const claim = "concurrency: { class: READ_ONLY }\n";
  const root = queueProject(spec("{ acme/queue: { queue: orders, maxRows: 9 } }", claim));
  expect((await hasp(root, ["approve", "send_order", "--yes", "--reason", "It only peeks."])).code).toBe(0);
  expect((await findingsOf(root)).map(({ code }) => code)).toEqual(["safety/name-contradicts-claim"]);
  put(root, { "plugins/acme.js": plugin(KIND.replace("sendToQueue", "drainQueue")) });
  expect((await findingsOf(root)).map(({ code }) => code)).toContain("ledger/stale");
  put(root, { "plugins/acme.js": plugin(KIND) });
  const later = queueProject(spec("{ acme/queue: { queue: others, maxRows: 2 } }", claim));
  const changed = (await haspJson(later, ["diff", root])).diagnostics.filter(
    ({ code }) => code === "diff/handler-changed",
  );
  expect(changed.map(({ message }) => message).join("\n")).toMatch(
    /handler\.acme\/queue\.queue[^]*handler\.acme\/queue\.maxRows/u,
  );
});

test("refuses declarations that no kind, or that their kind, does not take", async () => {
  const refused = [
    ["{ acme/quue: { queue: a } }", "handler/unknown-kind", 'Did you mean "acme/queue"?'],
    ["{ other/queue: { queue: a } }", "handler/unknown-kind", 'adds the handler kind "other/queue"'],
    ["{ acme/queue: { queue: 7 } }", "handler/declaration", "queue"],
    ["{ acme/queue: {} }", "handler/declaration", "queue"],
    ["{ acme/queue: { queue: a, topic: b } }", "handler/declaration", "topic"],
    ["{ acme/queue: { queue: a }, mcp: { connection: a, tool: b } }", "resolve/wrong-value", "exactly one"],
    ["{ acme/queue: a }", "resolve/wrong-value", "object"],
    [
      "{ acme/queue: { queue: a } }\ntests: [{ input: { id: o1 }, respond: { stdout: a }, expect: { output: { sent: a } } }]",
      "handler/answer-of-kind",
      "handler.acme/queue",
    ],
  ] as const;
  const specs = refused.map(([handler], index) => [
    `specs/${index}.tool.yaml`,
    spec(handler).replace("send_order", `send_order_${index}`),
  ]);
  const root = queueProject(spec("{ acme/queue: { queue: a } }"), Object.fromEntries(specs));
  const { diagnostics } = await haspJson(root, ["check"]);
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  expect(errors.map(({ uri, code, message }) => [uri, code, message]).toSorted()).toEqual(
    refused.map(([, code, words], index) => [`specs/${index}.tool.yaml`, code, expect.stringContaining(words)]),
  );
});

test("says that the package of a kind is missing", async () => {
  const root = queueProject(spec("{ acme/queue: { queue: a } }"), {
    "plugins/acme.js": plugin(KIND.replace("@acme/queue", "@acme/other")),
  });
  expect(await findingsOf(root)).toMatchObject([{ code: "handler/missing-module", line: 8 }]);
});

test("prints the words of a plugin and of a declaration as data and comments alone", async () => {
  const text = `*/ export const bad = 1; /* \` \${x} " \\n // <script>`;
  const kind = KIND.replace("Puts a message into a queue.", text.replaceAll(/["\\]/gu, "\\$&"));
  const declaration = JSON.stringify({ queue: text, note: { constructor: text, [text]: [text, null, -0] } });
  const root = queueProject(spec(`{ acme/queue: ${declaration} }`), { "plugins/acme.js": plugin(kind) });
  expect(await hasp(root, ["build"])).toMatchObject({ code: 0 });
  const path = join(root, "src/generated/handlers/send-order.ts");
  const module = readFileSync(path, "utf8");
  expect(module.match(/^export /gmu)).toHaveLength(1);
  const tsc = fileURLToPath(new URL("../../node_modules/typescript/bin/tsc", import.meta.url));
  expect(spawnSync(process.execPath, [tsc, "-p", "."], { cwd: root, encoding: "utf8" }).stdout).toBe("");
});

describe("a handler kind that cannot be used is one error at its plugin, and nothing is written", () => {
  test.each([
    ["throws", ['module: "@acme/queue"', 'get module() { throw new Error("oops"); }'], "oops"],
    ["imports a part of Node", ['"@acme/queue"', '"child_process"'], "part of Node"],
    ["claims effects", ["summary:", "effects: [], summary:"], 'The key "effects" is not known'],
  ])("a handler kind is refused that %s", async (_, [from = "", to = ""], words) => {
    const root = queueProject(spec("{ acme/queue: { queue: a } }"), {
      "plugins/acme.js": plugin(KIND.replace(from, to)),
    });
    const { code, diagnostics } = await haspJson(root, ["build"]);
    expect(diagnostics).toMatchObject([
      { code: "plugin/invalid", uri: "hasp.config.yaml", line: 3, message: expect.stringContaining(words) as string },
    ]);
    expect(code).toBe(2);
    expect(existsSync(join(root, "src/generated"))).toBe(false);
  });
});
