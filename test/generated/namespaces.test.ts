import { expect, test } from "vitest";
import { toToolCalls } from "@hasp/runtime/openai";
import { inNamespaces } from "@hasp/runtime/codegen/v1";
import { compileSpecs } from "./generated-project.js";

const spec = (name: string, changes: object = {}): object => ({
  hasp: 1,
  name,
  description: "Does it.",
  input: { type: "object", properties: {} },
  ...changes,
});
const specs = {
  "find.tool.yaml": spec("find", { tags: ["crm", "shop"] }),
  "note.tool.yaml": spec("note", { tags: ["crm"], input: { type: "string" } }),
  "pay.tool.yaml": spec("pay", { tags: ["__ my/shop"], visibility: { featureGate: "PAY" } }),
  "ship.tool.yaml": spec("ship", { tags: ["__ my/shop"], visibility: { load: "deferred" } }),
  "wait.tool.yaml": spec("wait"),
};

interface Entry {
  readonly type: string;
  readonly name: string;
  readonly description: string;
  readonly tools?: readonly Entry[];
}

/** Compiles the specs, and returns the text of a list by the end of its path. */
async function lists(namespaces: "tool" | "toolset" | "tag"): Promise<(end: string) => string> {
  const grouping = namespaces === "tool" ? {} : { namespaces };
  const { files } = await compileSpecs(specs, { ...grouping, bundle: true });
  return (end) => files.find(({ path }) => path.endsWith(end))?.text ?? "";
}
const outline = (entries: readonly Entry[]): readonly unknown[] =>
  entries.map(({ type, name, description, tools }) =>
    tools ? [name, description, outline(tools)] : `${type} ${name}`,
  );

test("tools with a tag are in the namespace of their first one; other APIs have plain lists", async () => {
  const textOf = await lists("tag");
  const list = JSON.parse(textOf("providers/openai-responses.json")) as readonly Entry[];
  expect(outline(list)).toEqual([
    ["-my-shop", "Tools: ship.", ["function ship"]],
    ["crm", "Tools: find, note.", ["function find", "custom note"]],
    "function wait",
  ]);
  const bundle = JSON.parse(textOf("bundle.json")) as {
    readonly dialects: { readonly [id: string]: { readonly list: readonly Entry[] } };
  };
  expect(bundle.dialects["openai-responses"]?.list).toEqual(list);
  expect(textOf("providers/openai-responses.ts")).toContain('{ "-my-shop": ["pay", "ship"], crm: ["find", "note"] }');
  expect(textOf("providers/openai-chat.json")).toBe((await lists("tool"))("providers/openai-chat.json"));
});

test("tools of a toolset are in the namespace of its name", async () => {
  const list = JSON.parse((await lists("toolset"))("providers/openai-responses.json")) as readonly Entry[];
  expect(outline(list)).toEqual([
    ["all", "Tools: find, note, ship, wait.", ["function find", "custom note", "function ship", "function wait"]],
  ]);
});

test("a call finds its tool by both names", () => {
  const entries = [
    { type: "function", name: "find" },
    { type: "custom", name: "note" },
    { type: "function", name: "wait" },
  ];
  const sent = inNamespaces(entries, { crm: ["find", "note"], none: ["gone"] });
  const call = (name: string, namespace?: string, type = "function_call"): object => ({
    type,
    call_id: `${namespace}.${name}`,
    name,
    ...(type === "function_call" ? { arguments: "{}" } : { input: "x" }),
    ...(namespace !== undefined && { namespace }),
  });
  const output = [
    call("find", "crm"),
    call("note", "crm", "custom_tool_call"),
    call("wait"),
    call("wait", "wait"),
    call("find"),
    call("find", "other"),
    call("note", "other", "custom_tool_call"),
    call("note", undefined, "custom_tool_call"),
  ];
  const { calls, others } = toToolCalls({ output } as never, sent);
  expect(calls.map(({ id, origin }) => [id, origin])).toEqual([
    ["crm.find", { namespace: "crm" }],
    ["crm.note", { type: "custom", namespace: "crm" }],
    ["undefined.wait", undefined],
    ["wait.wait", { namespace: "wait" }],
  ]);
  expect(others.map(({ id }) => id)).toEqual(["undefined.find", "other.find", "other.note", "undefined.note"]);
});
