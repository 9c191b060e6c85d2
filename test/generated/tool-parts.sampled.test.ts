import type { AnyTool } from "@hasp/runtime";
import * as codegen from "@hasp/runtime/codegen/v1";
import { generateValue } from "@hasp/schema/internal/generate";
import type { JsonSchema, JsonValue } from "@hasp/schema";
import fc from "fast-check";
import { expect, test } from "vitest";
import { prepare } from "@hasp/builtin";
import { createContextFor } from "@hasp/compiler/plugins";
import { createSpec, createRunnableTool } from "@hasp/compiler/run";
import { builtInPlugins } from "@hasp/project/built-in";
import {
  findNeededParts,
  type NeededParts,
  PART_NAMES,
} from "../../packages/builtin/src/emitters/module-parts/needed-parts.js";
import { chanceFrom, type Specimen, toolInputs } from "../schema/tool-inputs.testing.js";
import { hasShared, readCorpus } from "../schema/shared.testing.js";
import { compileSpecs, plan } from "./generated-project.js";

interface BoundTwice {
  readonly name: string;
  readonly needed: NeededParts;
  /** The tool with the parts that it needs, and with all of them. */
  readonly small: AnyTool;
  readonly whole: AnyTool;
  /** The values as a model sends them, by dialect. */
  readonly encode: ReadonlyMap<string, (value: JsonValue) => JsonValue>;
}

/** Compiles tools and binds each twice: with the parts that it needs, and with all, as modules of earlier compilers do. */
async function bindTwice(inputs: readonly JsonSchema[], changes: object = {}): Promise<readonly BoundTwice[]> {
  const specs = inputs.map((input, index) => {
    const name = `tool_${String(index).padStart(4, "0")}`;
    return [`specs/${name}.tool.json`, { hasp: 1, name, description: "Do something.", input, ...changes }];
  });
  const { tools, toolsets } = await compileSpecs(Object.fromEntries(specs), { emits: false } as object);
  const build = { tools, toolsets, plan };
  const context = createContextFor(build, builtInPlugins);
  const prepared = prepare(build, context);
  return prepared.tools.map(({ tool, forms }) => {
    const entries = forms.flatMap((form) => {
      if (form.kind === "excluded") return [];
      const { definition, lowering } = form.lowered;
      return [[form.dialect, { definition, ...(lowering.codec && { codec: lowering.codec }) }] as const];
    });
    const listed = forms.flatMap((form) => (form.kind === "listed" ? [form] : []));
    const runnable = createRunnableTool(tool, "src/tools/any.ts", plan, context.plugins.handlerKinds);
    const spec = createSpec({ ...runnable, entries: Object.fromEntries(entries) });
    const needed = findNeededParts(tool, forms);
    const parts = Object.fromEntries(
      Object.entries(needed).flatMap(([part, name]: readonly [string, (typeof PART_NAMES)[number] | undefined]) =>
        name === undefined ? [] : [[part, codegen[name]]],
      ),
    );
    const handler = { execute: () => "" } as never;
    return {
      name: tool.name,
      needed,
      small: codegen.bindSpec({ ...spec, parts }, handler) as unknown as AnyTool,
      whole: codegen.bindTool(spec, handler) as unknown as AnyTool,
      encode: new Map(listed.map(({ dialect, lowered }) => [dialect, lowered.lowering.encode])),
    };
  });
}

function attempt(run: () => unknown): unknown {
  try {
    return run();
  } catch (error) {
    return String(error);
  }
}

/** Observes how a tool treats each value, and how it describes its input. */
function observe({ encode }: BoundTwice, tool: AnyTool, values: readonly JsonValue[]): unknown {
  const schema = (target: string): unknown => attempt(() => tool["~standard"].jsonSchema.input({ target }));
  return {
    schemas: [schema("draft-07"), schema("draft-2020-12")],
    values: values.map((value) => [
      tool.validateInput(value),
      tool["~standard"].validate(value),
      tool.findResource?.(value),
      ...Array.from(encode, ([dialect, send]) => {
        const faults: { readonly pointer: string; readonly message: string }[] = [];
        const sent = attempt(() => send(value)) as JsonValue;
        return [tool.decodeInput(dialect, sent, faults), faults];
      }),
    ]),
  };
}

function expectAlike(bound: BoundTwice, values: readonly JsonValue[]): void {
  expect(observe(bound, bound.small, values), bound.name).toEqual(observe(bound, bound.whole, values));
}

const VALUES = 6;

test("a tool behaves the same with the parts that its module imports as with all parts", async () => {
  const specimens: readonly Specimen[] = fc.sample(toolInputs, { numRuns: 60, seed: 1 });
  const bound = await bindTwice(specimens.map(({ schema }) => schema));
  expect(bound.length).toBeGreaterThan(30);
  for (const each of bound) {
    const { make } = specimens[Number(each.name.slice("tool_".length))] ?? expect.fail(each.name);
    const next = chanceFrom(1);
    expectAlike(each, [{}, ...Array.from({ length: VALUES }, () => make(next, 0))]);
  }
  // Each part is needed by some tools and not by others.
  for (const part of ["patterns", "keywords", "decoders", "toDraft07"] as const) {
    expect(new Set(bound.map(({ needed }) => needed[part] !== undefined))).toEqual(new Set([true, false]));
  }
});

test.each<readonly [string, JsonSchema, Partial<NeededParts>]>([
  ["no part for plain properties", { a: { type: "string", minLength: 1 } }, {}],
  [
    "the native engine for a pattern with one loop",
    { a: { type: "string", pattern: "^[a-z]+$" } },
    { patterns: "nativePattern" },
  ],
  ["our engine for nested loops", { a: { type: "string", pattern: "^(a+)+$" } }, { patterns: "linearPattern" }],
  [
    "our engine if one of two patterns has nested loops",
    {
      a: { type: "string", pattern: "^a$" },
      b: { type: "object", additionalProperties: false, patternProperties: { "^(b|bb)+$": { type: "string" } } },
    },
    { patterns: "linearPattern" },
  ],
  ["no part for a day", { a: { type: "string", format: "date" } }, {}],
  ["all keywords for an address", { a: { type: "string", format: "email" } }, { keywords: "allKeywords" }],
  [
    "all keywords for alternatives",
    {
      a: {
        anyOf: [
          { type: "string", maxLength: 3 },
          { type: "integer", minimum: 1 },
        ],
      },
    },
    { keywords: "allKeywords" },
  ],
  [
    "another form in draft 07 for a tuple",
    { a: { type: "array", prefixItems: [{ type: "string" }], items: false } },
    { toDraft07: "toDraft07" },
  ],
] as const)("a tool needs %s", async (_what, properties, needed) => {
  const input = { type: "object", properties, required: Object.keys(properties), additionalProperties: false };
  const [bound] = await bindTwice([input as JsonSchema]);
  const { decoders: _decoders, ...found } = bound?.needed ?? expect.fail("it did not compile");
  expect(Object.fromEntries(Object.entries(found).filter(([, part]) => part !== undefined))).toEqual(needed);
});

test("a tool needs plain decoders for optional properties, and all of them for a map or a union in a strict list", async () => {
  const decodersFor = async (schema: JsonSchema): Promise<unknown> => {
    const [bound] = await bindTwice([{ type: "object", properties: { a: schema } }]);
    return bound?.needed.decoders;
  };
  expect(await decodersFor({ type: "string" })).toBe("plainDecoders");
  expect(await decodersFor({ type: "object", additionalProperties: { type: "string" } })).toBe("allDecoders");
});

test("a tool whose key names a resource needs `createResourceFinder`", async () => {
  const input = { type: "object", properties: { path: { type: "string" } }, required: ["path"] } as const;
  const [bound] = await bindTwice([input], { concurrency: { class: "WRITE_EXCLUSIVE", key: "path(input.path)" } });
  expect(bound?.needed.createResourceFinder).toBe("createResourceFinder");
  if (bound !== undefined) expectAlike(bound, [{ path: "/a/B" }, {}]);
});

test.skipIf(!hasShared)(
  "tools of the corpus behave the same with the parts that they need as with all parts",
  async () => {
    // A tenth of the corpus; all of it with the slow tests.
    const taken = readCorpus().filter(
      ({ isInput }, index) => isInput && (process.env["HASP_SAMPLES"] !== undefined || index % 10 === 0),
    );
    const random = chanceFrom(1);
    let count = 0;
    // No build holds a schema that does not compile, so skip it.
    for (const { schema } of taken) {
      for (const bound of await bindTwice([schema]).catch(() => [])) {
        count += 1;
        const values = Array.from({ length: VALUES }, () =>
          generateValue(
            bound.whole.input,
            () => true,
            () => random(1000) / 1000,
          ),
        );
        expectAlike(bound, [{}, ...values.filter((value) => value !== undefined)]);
      }
    }
    expect(count).toBeGreaterThan(taken.length * 0.8);
  },
);
