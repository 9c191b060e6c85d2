import { describe, expect, test, vi } from "vitest";
import { FAIL_CLOSED_DEFAULTS, toHints, type ToolMetadata } from "../../tool/fields.js";
import { createDispatcher } from "../../dispatch/kernel.js";
import { allDecoders, plainDecoders } from "@hasp/schema/internal/runtime";
import type { JsonSchema } from "@hasp/schema";
import { buildTool } from "../../tool/tool.js";
import { createResourceFinder } from "../../tool/resource-key.js";
import { nativePattern } from "../../tool/tool-parts.js";
import { bindLazySpec, bindLazyTool, bindSpec, bindTool } from "./bind-tool.js";
import type { Lazy } from "./lazy-schema.js";
import { anthropic, mcp } from "./entry-makers.js";
import { complete, gemini, type Listing, listTool } from "./listing.js";
import { createRegistry } from "./registry.js";
import { sentence } from "../../tool/sentence.js";
import type { ToolSpec } from "./tool-spec.js";

interface PayTypes {
  readonly name: "pay";
  readonly arguments: { readonly amount: number };
  readonly input: { readonly amount: number };
  readonly output: unknown;
  readonly context: unknown;
  readonly handler: { readonly execute: (input: { readonly amount: number }) => unknown };
  readonly handlerFile: "src/tools/pay.ts";
}

const specOf = (
  changes: Partial<ToolSpec<PayTypes>> = {},
  metadata: ToolMetadata = FAIL_CLOSED_DEFAULTS,
): ToolSpec<PayTypes> => ({
  name: "pay",
  description: "Pay.",
  handlerFile: "src/tools/pay.ts",
  metadata,
  input: () => ({
    type: "object",
    properties: { amount: { type: "number" } },
    required: ["amount"],
    additionalProperties: false,
  }),
  ...changes,
});
const handler = { execute: ({ amount }: { readonly amount: number }): unknown => amount };

describe("sentence", () => {
  test.each([
    ["Running {query}", { query: "SELECT 1" }, "Running SELECT 1"],
    ["Running {query}", {}, "Running"],
    ["Reading {target.path} of {target.kind}", { target: { path: "/a" } }, "Reading /a of"],
    ["{a.b}", { "a.b": 1, a: { b: 2 } }, "1"],
    ["{constructor}{__proto__}{toString}", {}, ""],
    ["{text}", { text: "a\u001b[31m\nb\u202Ec\u2028d" }, "a [31m b c d"],
    ["{list}", { list: [1, { a: null }] }, '[1,{"a":null}]'],
    ["{flag} {none}", { flag: false, none: null }, "false"],
    ["Running {query}", undefined, "Running"],
    ["Running {query}", "no object", "Running"],
  ])("a sentence %s of %j is %s", (template, input, expected) => {
    expect(sentence(template)({ input })).toBe(expected);
  });

  test("a sentence is cut at 80 whole characters", () => {
    const cut = sentence("{text}")({ input: { text: "😀".repeat(1_000_000) } });
    expect(Array.from(cut).length).toBe(80);
    expect(cut.endsWith("😀…")).toBe(true);
  });
});

describe("binding", () => {
  test("bindTool returns a frozen tool that agrees with the spec", () => {
    const spec = specOf({
      title: "Pay",
      rules: [{ when: (input) => input.amount < 1, class: "READ_ONLY" }],
      display: { running: "Paying {amount}" },
    });
    const tool = bindTool(spec, handler);
    expect(tool.title).toBe("Pay");
    expect(tool.metadata).toEqual(FAIL_CLOSED_DEFAULTS);
    expect(tool.classify({ amount: 0 }).class).toBe("READ_ONLY");
    expect(tool.classify({ amount: 2 }).class).toBe("UNSAFE");
    expect(tool.classify(undefined)).toMatchObject({ class: "UNSAFE", isDestructive: true, requiresPermission: true });
    expect(tool.display.running?.({ input: { amount: 3 } })).toBe("Paying 3");
    expect(Object.isFrozen(tool)).toBe(true);
    expect([tool.input, spec.rules, spec.rules?.[0], spec.display].map(Object.isFrozen)).toEqual([
      true,
      true,
      true,
      true,
    ]);
  });

  test.each([{ costHint: "cheap" }, { execute: () => 1 }, { outputCheck: "sometimes" }, { coerce: { emptyText: "" } }])(
    "bindTool refuses %j, which this version does not know in a generated module",
    (stated) => {
      const spec = { ...specOf(), ...stated } as ReturnType<typeof specOf>;
      expect(() => bindTool(spec, handler)).toThrow(
        /^The generated module of pay states (costHint|execute|outputCheck: sometimes|coerce), /u,
      );
    },
  );

  test("bindTool makes an entry only when its list is requested", () => {
    const made: string[] = [];
    const maker = (dialect: string) => () => {
      made.push(dialect);
      return { name: "pay", of: dialect };
    };
    const dialects = { anthropic: { definition: maker("anthropic") }, gemini: { definition: maker("gemini") } };
    const { definitions } = createDispatcher({ tools: [bindTool(specOf({ dialects }), handler)], dialect: "gemini" });
    expect(made).toEqual([]);
    expect(definitions("gemini")).toEqual([{ name: "pay", of: "gemini" }]);
    expect(definitions("gemini")).toBe(definitions("gemini"));
    expect(Object.isFrozen(definitions("gemini")[0])).toBe(true);
    expect(made).toEqual(["gemini"]);
  });

  test("bindTool takes custom predicates and checks from the handler's module; a throw is the strict answer", () => {
    const spec = specOf({
      rules: [{ when: { custom: "isSmall" }, class: "WRITE_EXCLUSIVE", isDestructive: false }],
      flags: { requiresPermission: { unless: { custom: "isSmall" } } },
      validate: [{ custom: "isKnown" }],
    });
    const module = {
      ...handler,
      isSmall: ({ amount }: { readonly amount: number }): boolean => {
        if (amount < 0) throw new Error("no");
        return amount < 5;
      },
      isKnown: (): true => true,
    };
    const tool = bindTool(spec, module);
    expect(tool.classify({ amount: 1 })).toMatchObject({
      class: "WRITE_EXCLUSIVE",
      isDestructive: false,
      requiresPermission: false,
    });
    expect(tool.classify({ amount: 9 })).toMatchObject({
      class: "UNSAFE",
      isDestructive: true,
      requiresPermission: true,
    });
    expect(tool.classify({ amount: -1 })).toMatchObject({
      class: "UNSAFE",
      isDestructive: true,
      requiresPermission: true,
    });
    expect(tool.validate).toEqual([module.isKnown]);
  });

  test("bindTool names the exports that a module lacks", () => {
    // @ts-expect-error the module exports nothing
    expect(() => bindTool(specOf(), {})).toThrow(
      "src/tools/pay.ts must export the function `execute`: the spec of pay needs it.",
    );
    const wrong = { ...handler, permit: 3 };
    expect(() => bindTool(specOf(), wrong)).toThrow(
      "src/tools/pay.ts must export `permit` as a function, not as number.",
    );
    expect(() => bindTool(specOf({ validate: [{ custom: "isKnown" }] }), handler)).toThrow("`isKnown`");
  });

  test("bindLazyTool imports a handler on its first call, once, and repeats a failed import", async () => {
    let imports = 0;
    const tool = bindLazyTool(specOf(), async () => {
      imports += 1;
      if (imports === 1) throw new Error("the disk was away");
      return handler;
    });
    expect(imports).toBe(0);
    const options = {} as Parameters<typeof tool.execute>[1];
    await expect(tool.execute({ amount: 1 }, options)).rejects.toThrow("the disk was away");
    await expect(tool.execute({ amount: 1 }, options)).resolves.toBe(1);
    await expect(tool.execute({ amount: 2 }, options)).resolves.toBe(2);
    expect(imports).toBe(2);
    await tool.load?.();
    expect(tool.load?.()).toBeUndefined();
    expect(tool.permit).toBeUndefined();
    expect(imports).toBe(2);
  });
});

describe("a tool of stated parts", () => {
  const strict = (codec: object): Partial<ToolSpec<PayTypes>> => ({
    dialects: { "openai-responses-strict": { codec: codec as never, definition: () => ({}) } },
  });
  const renamed = { kind: "object", properties: { amount: { wire: "sum" } } };
  const write = { concurrency: { class: "WRITE_EXCLUSIVE" } } as const;

  test("bindSpec and bindLazySpec refuse a spec that needs a part which it does not state", () => {
    for (const spec of [specOf(strict(renamed)), specOf({ metadata: write, resourceKey: "input.amount" })]) {
      expect(() => bindSpec(spec, handler)).toThrow(/"pay" needs `parts\.\w+` .* Run `hasp build`/u);
      expect(() => bindLazySpec(spec, async () => handler)).toThrow(/"pay" needs `parts\.\w+`/u);
    }
  });

  test("bindTool gives every part to a module that states none", () => {
    const tool = bindTool(specOf({ ...strict(renamed), metadata: write, resourceKey: "input.amount" }), handler);
    expect(tool.decodeInput("openai-responses-strict", { sum: 2 }, [])).toEqual({ amount: 2 });
    expect(tool.findResource?.({ amount: 2 })).toMatchObject({ key: "2" });
  });

  test("a tool of stated parts uses them, and no value passes by one that is missing", () => {
    const input = (): JsonSchema => ({ type: "object", properties: { amount: { type: "string", pattern: "^a" } } });
    const spec = specOf({ input, metadata: write, resourceKey: "input.amount", ...strict(renamed) });
    const parts = { patterns: nativePattern, decoders: plainDecoders, createResourceFinder };
    const tool = bindSpec({ ...spec, parts }, handler);
    expect(tool.validateInput({ amount: "b" }).valid).toBe(false);
    expect(tool.decodeInput("openai-responses-strict", { sum: "a" }, [])).toEqual({ amount: "a" });
    expect(tool.findResource?.({ amount: "a" })).toMatchObject({ key: "a" });

    const { patterns: _patterns, ...others } = parts;
    expect(() => bindSpec({ ...spec, parts: others }, handler).validateInput({ amount: "b" })).toThrow(
      /nothing here matches patterns/u,
    );
    for (const amount of [{ anyOf: [{ type: "string" }] }, { not: {} }, { type: "string", format: "email" }] as const) {
      const lacking = bindSpec({ ...spec, input: () => ({ type: "object", properties: { amount } }), parts }, handler);
      expect(() => lacking.validateInput({ amount: "b" })).toThrow(/needs `allKeywords`, and nothing here has them/u);
    }
    const pairs = bindSpec({ ...spec, ...strict({ kind: "pairs" }), parts }, handler);
    expect(() => pairs.decodeInput("openai-responses-strict", [], [])).toThrow(/Nothing here decodes .*"pairs"/u);
  });

  test("buildTool asks for the decoders of a codec", () => {
    const definition = { name: "pay", description: "Pay.", input: specOf().input(), ...handler, ...strict(renamed) };
    expect(() => buildTool(definition as never)).toThrow(/"pay" needs `parts\.decoders`/u);
    const tool = buildTool({ ...definition, parts: { decoders: allDecoders } } as never);
    expect(tool.decodeInput("openai-responses-strict", { sum: 2 }, [])).toEqual({ amount: 2 });
  });
});

describe("a handler in a process of its own", () => {
  const isolated = async (): Promise<unknown> => "elsewhere";
  const elsewhere = { type: "text", text: "elsewhere" };
  const call = { id: "1", name: "pay", input: { amount: 1 } };
  const run = async (tool: ReturnType<typeof bindTool<PayTypes, typeof handler>>): Promise<unknown> => {
    const dispatcher = createDispatcher({
      tools: [tool],
      permissions: { rules: [{ tool: "pay", decision: "allow" }] },
    });
    return (await dispatcher.dispatch([call]))[0]?.content[0];
  };

  test("an isolated handler runs in its process, and decides here", async () => {
    let answer = true;
    const deciding = { ...handler, permit: () => (answer ? "allow" : "deny") };
    expect(await run(bindTool(specOf({ isolation: {} }), deciding, isolated))).toEqual(elsewhere);
    expect(await run(bindLazyTool(specOf({ isolation: {} }), async () => deciding, isolated))).toEqual(elsewhere);
    answer = false;
    expect(await run(bindLazyTool(specOf({ isolation: {} }), async () => deciding, isolated))).not.toEqual(elsewhere);
  });

  test("bindTool refuses an isolated handler without its process", () => {
    expect(() => bindTool(specOf({ isolation: {} }), handler)).toThrow(/process of its own/u);
    expect(() => bindLazyTool(specOf({ isolation: { memoryMb: 64 } }), async () => handler)).toThrow(/isolate/u);
  });
});

describe("a registry", () => {
  const registry = createRegistry<{ readonly pay: PayTypes; readonly ask: PayTypes }>(
    { pay: () => bindTool(specOf(), handler), ask: undefined },
    { unlocked: true },
  );

  test("a registry holds its tools by name, without those left out of the bundle", () => {
    expect(registry.tools.map(({ name }) => name)).toEqual(["pay"]);
    expect(registry.unlocked).toBe(true);
    expect(registry.get("pay").name).toBe("pay");
    expect(() => registry.get("ask")).toThrow('There is no tool "ask" in this registry.');
    // @ts-expect-error no such name
    expect(() => registry.get("constructor")).toThrow(TypeError);
  });

  test("a registry returns views of itself", () => {
    expect(registry.pick(["pay"]).tools.length).toBe(1);
    expect(registry.pick([]).tools).toEqual([]);
    expect([registry.leftOut, registry.pick(["pay"]).leftOut]).toEqual([["ask"], []]);
    // Skips a name that has a spec but is not in the bundle: a toolset may hold it.
    expect(registry.pick(["ask", "pay"]).names).toEqual(["pay"]);
    expect(() => registry.pick(["pay"]).pick(["ask" as never])).toThrow(TypeError);
    // @ts-expect-error no such name
    expect(() => registry.pick(["constructor"])).toThrow(TypeError);
  });
});

describe("listings", () => {
  const listing: Lazy<Listing> = listTool({
    name: "pay",
    title: "Pay",
    description: "Pay.",
    input: () => ({
      type: "object",
      properties: {
        amount: { type: ["number", "null"], default: 1, examples: [2] },
        to: { title: "To", description: "Who.", type: "string", deprecated: true },
      },
      required: ["to"],
      additionalProperties: false,
    }),
    output: () => ({ type: "object" }),
    examples: [{ input: { to: "a" } }],
  });

  test("the schemas of a listing are made on their first use, and once", () => {
    const input = vi.fn(() => ({ type: "object" }) as const);
    const listed: Lazy<Listing> = listTool({ name: "pay", description: "Pay.", input, output: input });
    expect(input).not.toHaveBeenCalled();
    expect(listed().input()).toBe(listed().input());
    expect(listed().output?.()).toBe(listed().output?.());
    expect(input).toHaveBeenCalledTimes(2);
  });

  test("an entry has the schema of the listing, is loose, and has the strictest hints", () => {
    expect(anthropic(listing())).toEqual({
      name: "pay",
      description: "Pay.",
      input_schema: listing().input(),
      strict: false,
      input_examples: [{ to: "a" }],
    });
    const { destructive, idempotent, openWorld, readOnly } = toHints(FAIL_CLOSED_DEFAULTS.behavior);
    expect(mcp(listing())).toMatchObject({
      outputSchema: { type: "object" },
      annotations: {
        title: "Pay",
        readOnlyHint: readOnly,
        destructiveHint: destructive,
        idempotentHint: idempotent,
        openWorldHint: openWorld,
      },
    });
  });

  test.each(["report", "off"] as const)("no entry lists an output schema if its check is %s", (outputCheck) => {
    expect(mcp({ ...listing(), outputCheck })).not.toHaveProperty("outputSchema");
  });

  test("changes merge into an entry, and leave the listing as it is", () => {
    const before = structuredClone(listing().input());
    const changes = {
      strict: true,
      input_examples: undefined,
      input_schema: { properties: { to: { title: undefined } } },
    };
    const { input_schema: schema, ...entry } = anthropic(listing(), changes);
    expect(entry).toEqual({ name: "pay", description: "Pay.", strict: true });
    expect(schema.properties?.["to"]).toEqual({ description: "Who.", type: "string", deprecated: true });
    expect(listing().input()).toEqual(before);
  });

  test("Gemini's entry has types in capitals, null apart, defaults in words, and nothing that the API refuses", () => {
    expect(gemini(listing())).toEqual({
      name: "pay",
      description: "Pay.",
      parameters: {
        type: "OBJECT",
        properties: {
          amount: { description: "Default: 1.", type: "NUMBER", nullable: true },
          to: { title: "To", description: "Who.", type: "STRING" },
        },
        required: ["to"],
      },
    });
    expect(gemini({ ...listing(), input: () => ({ type: "object" }) })).not.toHaveProperty("parameters");
  });

  test("a complete spec has the parts of its listing, strict facts, and entries on demand", () => {
    const spec = complete<PayTypes>(listing, {
      handlerFile: "src/tools/pay.ts",
      metadata: { limits: { timeoutSeconds: 5 } },
      dialects: { anthropic, mcp: () => ({ name: "other" }) },
    });
    expect(spec.metadata).toEqual({
      ...FAIL_CLOSED_DEFAULTS,
      limits: { ...FAIL_CLOSED_DEFAULTS.limits, timeoutSeconds: 5 },
    });
    expect(spec).toMatchObject(listing());
    expect(spec.dialects?.["anthropic"]?.definition()).toEqual(anthropic(listing()));
    expect(spec.dialects?.["mcp"]?.definition()).toEqual({ name: "other" });
  });

  test.each([{ costs: { cheap: true } }, { behavior: { isCheap: true } }])(
    "the fact %j, which no version knows, stays until it is refused",
    (metadata) => {
      const spec = complete<PayTypes>(listing, { handlerFile: "src/tools/pay.ts", metadata: metadata as object });
      expect(() => bindTool(spec, handler)).toThrow(/does not know/u);
    },
  );
});
