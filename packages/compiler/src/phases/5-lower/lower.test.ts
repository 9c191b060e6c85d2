import { type DialectId, dialects, type DialectLimits, type JsonSchema } from "@hasp/schema";
import { describe, expect, test } from "vitest";
import { flatTool, plan as simplePlan } from "../../../../../test/compiler/flat-tool.testing.js";
import { groupFormsByTool, type LoweredList } from "../../model/lowered.js";
import type { CompilePlan, DialectPlan, ToolSelector } from "../../model/plan.js";
import { testContext } from "../../../../../test/compiler/context.testing.js";
import { lower as lowerIn } from "./index.js";

const dialect = (id: DialectPlan["id"], changes: Partial<DialectPlan> = {}): DialectPlan => ({
  id,
  strict: "auto",
  onUncarried: "error",
  ...changes,
});
const lower = (tools: Parameters<typeof lowerIn>[0], plan: CompilePlan): ReturnType<typeof lowerIn> =>
  lowerIn(tools, testContext({ plan }));
const planFor = (...dialects: readonly DialectPlan[]): CompilePlan => ({ ...simplePlan, toolsets: [], dialects });
const simple = (name: string, changes: object = {}): ReturnType<typeof flatTool> =>
  flatTool({
    name,
    description: "Do it.",
    input: { type: "object", properties: { a: { type: "string" } }, additionalProperties: false },
    ...changes,
  });
const open = simple("open", { input: { type: "object", properties: {}, additionalProperties: true } });

describe("strictness", () => {
  test.each([
    [{}, "auto", true],
    [{}, false, false],
    [{}, true, true],
    [{ providers: { openai: { strict: false } } }, true, false],
    [{ providers: { openai: { strict: false } } }, "auto", false],
  ] as const)("a tool with %j under a plan with strict %j gets strict %j", (changes, strict, expected) => {
    const { value } = lower([simple("one", changes)], planFor(dialect("openai-responses", { strict })));
    const tool = value[0]?.lists[0]?.tools[0];
    expect(tool?.strict).toBe(expected);
    expect(tool?.definition["strict"]).toBe(expected);
  });

  test("auto falls back where strict mode cannot express the tool; true does not", () => {
    const auto = lower([open], planFor(dialect("openai-responses")));
    expect(auto.value[0]?.lists[0]?.tools[0]?.strict).toBe(false);
    const asked = lower([open], planFor(dialect("openai-responses", { strict: true })));
    expect(asked.value[0]?.lists[0]?.excluded.map(({ tool }) => tool.name)).toEqual(["open"]);
    expect(asked.diagnostics.map(({ code, severity }) => `${severity} ${code}`)).toContain("error lower/uncarried");
  });

  test("a list that is strict by name holds strict tools only; the others are named with a reason", () => {
    const { value, diagnostics } = lower(
      [simple("one"), open],
      planFor(dialect("openai-responses-strict", { onUncarried: "exclude" })),
    );
    expect(value[0]?.lists[0]?.tools.map(({ tool, strict }) => [tool.name, strict])).toEqual([["one", true]]);
    expect(value[0]?.lists[0]?.excluded[0]?.reason).toMatch(/\S/u);
    expect(diagnostics.map(({ code, severity, tool }) => `${severity} ${code} ${tool}`)).toEqual([
      "warning lower/excluded open",
    ]);
  });

  test("auto stays within the budget of strict tools, the same for every toolset", () => {
    const many = Array.from({ length: 25 }, (_, index) =>
      simple(`tool_${String(index).padStart(2, "0")}`, {
        input: { type: "object", properties: {}, additionalProperties: false },
      }),
    );
    const { value, diagnostics } = lower(many, planFor(dialect("anthropic")));
    expect(value[0]?.lists[0]?.tools.filter(({ strict }) => strict).map(({ tool }) => tool.name)).toEqual(
      many.slice(0, 20).map(({ name }) => name),
    );
    expect(diagnostics).toEqual([]);
    const asked = lower(many, planFor(dialect("anthropic", { strict: true })));
    expect(asked.diagnostics.map(({ code }) => code)).toEqual(["lower/request"]);
  });
});

describe("toolsets", () => {
  const tools = [simple("a", { tags: ["x"] }), simple("b", { tags: ["x"] }), simple("c")];
  const select = (
    include: CompilePlan["toolsets"][number]["include"],
    exclude: CompilePlan["toolsets"][number]["exclude"] = [],
  ): ReturnType<typeof lower> =>
    lower(tools, { ...planFor(dialect("mcp")), toolsets: [{ name: "some", include, exclude }] });

  test("select by name and tag, and leave out", () => {
    expect(select([{ tag: "x" }, "c"], ["a"]).value[0]?.tools.map(({ name }) => name)).toEqual(["b", "c"]);
    expect(select("all", [{ tag: "x" }]).value[0]?.tools.map(({ name }) => name)).toEqual(["c"]);
  });

  test("select by pattern, owner and folder", () => {
    const owned = [simple("read_a", { owner: "team-a" }), simple("read_b", { owner: "team-b" }), simple("write_b")];
    const names = (...include: readonly ToolSelector[]): readonly string[] | undefined =>
      lower(owned, {
        ...planFor(dialect("mcp")),
        toolsets: [{ name: "some", include, exclude: [] }],
      }).value[0]?.tools.map(({ name }) => name);
    expect(names("read_*")).toEqual(["read_a", "read_b"]);
    expect(names({ owner: "team-b" })).toEqual(["read_b"]);
    expect(names({ folder: "./specs/" })).toEqual(
      owned[0]?.document.uri.startsWith("specs/") === true ? ["read_a", "read_b", "write_b"] : undefined,
    );
    expect(select([{ owner: "team-c" }, { folder: "other" }, "z*"]).diagnostics.map(({ code }) => code)).toEqual([
      "lower/unknown-selector",
      "lower/unknown-selector",
      "lower/unknown-tool",
      "lower/empty-toolset",
    ]);
  });

  test("a name that selects nothing is an error, with the nearest", () => {
    expect(select("all", ["aa"]).diagnostics[0]?.message).toBe(
      'The toolset "some" names the tool "aa", which does not exist. Did you mean "a"?',
    );
    expect(select([{ tag: "y" }]).diagnostics.map(({ code }) => code)).toEqual([
      "lower/unknown-selector",
      "lower/empty-toolset",
    ]);
  });

  test("a project that names none has one, all", () => {
    expect(lower(tools, planFor(dialect("mcp"))).value.map(({ name }) => name)).toEqual(["all"]);
  });
});

test("MCP hints are the worst case, each said explicitly", () => {
  const worstCase = {
    class: "UNSAFE",
    isReadOnly: false,
    isDestructive: true,
    isIdempotent: false,
    isOpenWorld: true,
    returnsUntrusted: true,
    returnsPrivate: true,
    requiresPermission: true,
  } as const;
  const { value } = lower([{ ...simple("one"), worstCase }], planFor(dialect("mcp")));
  expect(value[0]?.lists[0]?.tools[0]?.definition["annotations"]).toEqual({
    readOnlyHint: false,
    destructiveHint: true,
    idempotentHint: false,
    openWorldHint: true,
  });
});

test("an output that is no object is listed for the revision of MCP that takes it, and else named", () => {
  const output = { type: "array", items: { type: "string" } };
  const { value, diagnostics } = lower([simple("one", { output })], planFor(dialect("mcp"), dialect("mcp-2025-11-25")));
  expect(value[0]?.lists.map(({ tools }) => tools[0]?.definition["outputSchema"])).toEqual([output, undefined]);
  expect(diagnostics.map(({ code, message }) => `${code} ${message}`)).toEqual([
    "lower/output-not-listed The list for mcp-2025-11-25 does not describe this tool's output: this revision takes objects only.",
  ]);
});

test("a description that a provider finds too long leaves the tool out, not the list", () => {
  const long = simple("long", { description: "x".repeat(2000) });
  const { value } = lower([long, simple("one")], planFor(dialect("openai-chat", { onUncarried: "exclude" })));
  expect(value[0]?.lists[0]?.tools.map(({ tool }) => tool.name)).toContain("one");
});

test("examples travel in the shape that the model is shown", () => {
  const tool = simple("one", { examples: [{ input: {} }] });
  const { value } = lower([tool], planFor(dialect("vercel-ai-sdk")));
  expect(value[0]?.lists[0]?.tools[0]?.definition["inputExamples"]).toEqual([{ input: {} }]);
});

type SchemaLimit = "depth" | "properties" | "enumValues" | "nameAndValueLength" | "largeEnum";

describe("examples", () => {
  const long = "y".repeat(300);
  const examples = [long, "x", "z"].map((a) => ({ input: { a } }));
  const shown = (plan: DialectPlan, changes: object = {}): readonly [string, readonly number[]] => {
    const input = {
      type: "object",
      properties: { a: { type: "string" } },
      required: ["a"],
      additionalProperties: false,
    };
    const { value, diagnostics } = lower([simple("one", { examples, input, ...changes })], planFor(plan));
    expect(diagnostics).toEqual([]);
    const { definition, hiddenExamples } = value[0]?.lists[0]?.tools[0] ?? {};
    return [JSON.stringify(definition), hiddenExamples ?? []];
  };
  const inWords = `Do it. Example: a x"`;

  test.each(Object.keys(dialects) as DialectId[])(
    "%s shows all in its field, or the first short one in words",
    (id) => {
      const [entry, hidden] = shown(dialect(id, { strict: false }));
      if (dialects[id].exampleField === undefined) {
        expect(entry).toContain(inWords);
        expect(entry).not.toContain(long);
        expect(hidden).toEqual([0, 2]);
      } else {
        expect(entry).toContain(`"${dialects[id].exampleField}":[`);
        for (const text of [long, `"x"`, `"z"`]) expect(entry).toContain(text);
        expect([entry.includes("Example:"), hidden]).toEqual([false, []]);
      }
    },
  );

  test.each([
    ["openai-chat", "field", [0, 1, 2]],
    ["openai-chat", "off", [0, 1, 2]],
    ["anthropic", "field", []],
    ["anthropic", "off", [0, 1, 2]],
  ] as const)("%s with `examples: %s` hides %j", (id, setting, expected) => {
    const [entry, hidden] = shown(dialect(id, { examples: setting }));
    expect([/example/iu.test(entry), hidden]).toEqual([expected.length === 0, expected]);
  });

  test("a deferred tool of Anthropic's shows one in words, since its API takes no field beside a search", () => {
    const [entry, hidden] = shown(dialect("anthropic"), { visibility: { load: "deferred" } });
    expect(entry).toContain(inWords);
    expect([entry.includes("input_examples"), hidden]).toEqual([false, [0, 2]]);
  });

  test.each([
    ["a plain text", { a: "SELECT * FROM users, teams" }, String.raw`a \"SELECT * FROM users, teams\"`],
    [
      "texts that read as something else",
      { a: "7", b: ["true", "", "# x", " x", "a: b", "x:y"] },
      String.raw`a \"7\", b [\"true\", \"\", # x, \" x\", \"a: b\", x:y]`,
    ],
    ["members of members", { a: { "b c": 1, d: [null, false] } }, String.raw`a {\"b c\": 1, d: [null, false]}`],
    ["nothing", {}, "{}"],
  ])("in words, %s keeps its meaning", (_, input, expected) => {
    const any = { type: "object" };
    const [entry] = shown(dialect("openai-chat", { strict: false }), { input: any, examples: [{ input }] });
    expect(entry).toContain(`Do it. Example: ${expected}"`);
  });

  test("in words, a null that strict mode demands for an absent member is left out", () => {
    const properties = { a: { type: "string" }, b: { type: ["string", "null"] }, c: { type: "string" } };
    const input = { type: "object", properties, required: ["a", "b"], additionalProperties: false };
    const [entry] = shown(dialect("openai-chat-strict"), { input, examples: [{ input: { a: "x", b: null } }] });
    expect(entry).toContain('Do it. Example: a x, b null"');
  });

  test("a description without room for words stays as it is", () => {
    const description = "D".repeat(1024);
    const [entry, hidden] = shown(dialect("openai-chat"), { description });
    expect([entry.includes("Example"), hidden]).toEqual([false, [0, 1, 2]]);
    expect(shown(dialect("openai-chat"), { description: description.slice(20) })[1]).toEqual([0, 2]);
  });

  test("a plugin's entry without a place for examples shows one in words", () => {
    const entry = { name: "$name", description: "$description", input: "$input" };
    const foreign = { id: "acme/x", title: "Acme.", entry } as const;
    const plan = dialect("acme/x", { strict: false, foreign });
    expect(shown(plan)).toEqual([expect.stringContaining(inWords), [0, 2]]);
    const withField = { ...foreign, entry: { ...entry, samples: "$examples" } };
    expect(shown({ ...plan, foreign: withField })[1]).toEqual([]);
  });

  test("one of a property is in words where the keyword is dropped", () => {
    const a = { type: "string", description: "Who.", examples: [long, "x"] };
    const input = { type: "object", properties: { a }, additionalProperties: false };
    expect(shown(dialect("gemini"), { input, examples: undefined })[0]).toContain(String.raw`Who. Example: \"x\".`);
    expect(shown(dialect("mcp"), { input, examples: undefined })[0]).not.toContain("Example:");
  });
});

/** A limit that no request may exceed; the others hold in some requests only. */
type HardLimit = Exclude<keyof DialectLimits, SchemaLimit | "forcedItems">;

/** Tools that together exceed a limit on a whole request, none of which exceeds it alone. */
const exceeding: { readonly [limit in HardLimit]: (limit: number) => readonly ReturnType<typeof flatTool>[] } = {
  tools: (limit) => some(limit + 1),
  deferredTools: (limit) => some(limit + 1, { visibility: { load: "deferred" } }),
  strictTools: (limit) => some(limit + 1),
  optionalProperties: (limit) => withProperties(limit, { type: "string" }, { isOptional: true }),
  unionProperties: (limit) => withProperties(limit, { type: ["string", "null"] }),
  requestProperties: (limit) => withProperties(limit, { type: "string" }),
};

const hardLimits = Object.keys(exceeding) as HardLimit[];

/** Counts what each limit counts, from a list's entries alone. */
const counted: { readonly [limit in HardLimit]: (tools: LoweredList["tools"]) => number } = {
  tools: (tools) => tools.filter(({ tool }) => tool.spec.visibility?.load !== "deferred").length,
  deferredTools: (tools) => tools.filter(({ tool }) => tool.spec.visibility?.load === "deferred").length,
  strictTools: (tools) => tools.filter(({ strict }) => strict).length,
  optionalProperties: (tools) => strictProperties(tools).filter(({ isRequired }) => !isRequired).length,
  unionProperties: (tools) => strictProperties(tools).filter(({ schema }) => Array.isArray(schema.type)).length,
  requestProperties: (tools) => strictProperties(tools).length,
};

/** Every limit, of the first dialect that has it: some take as many as ten thousand tools to exceed. */
const everyLimit = [
  ...new Map(
    (Object.keys(dialects) as DialectId[])
      .flatMap((id) =>
        hardLimits.flatMap((name) => {
          const limit = dialects[id].limits[name];
          return limit === undefined ? [] : [[`${name} ${limit}`, { id, name, limit }] as const];
        }),
      )
      .toReversed(),
  ).values(),
];

describe("rules on the fields of a request", () => {
  const callers = { allowed_callers: ["direct", "code_execution_20260521"] };

  test("fields that exclude each other refuse a tool; a strict mode that nobody demands gives way", () => {
    const listed = (strict: DialectPlan["strict"], extra: DialectPlan["extra"] = callers): readonly unknown[] => {
      const { value, diagnostics } = lower([simple("one")], planFor(dialect("anthropic", { strict, extra })));
      return [value[0]?.lists[0]?.tools.map((tool) => tool.strict), diagnostics.map(({ message }) => message)];
    };
    expect(listed("auto")).toEqual([[false], []]);
    expect(listed(true, { allowed_callers: ["direct"] })).toEqual([[true], []]);
    expect(listed(true)).toEqual([
      [],
      [expect.stringContaining("takes no tool with both `strict` and `allowed_callers: code_execution…`. Remove one")],
    ]);
  });

  test("a field may be on as many tools as the dialect says", () => {
    const foreign = {
      id: "acme/x",
      title: "Acme.",
      entry: { name: "$name", description: "$description", input: "$input" },
      fieldRules: { most: { pinned: 2 } },
    } as const;
    const plan = planFor(dialect("acme/x", { strict: false, foreign, extra: { pinned: true } }));
    const names = ["a", "b", "c"].map((name) => simple(name));
    expect(lower(names, plan).diagnostics.map(({ message }) => message)).toEqual([
      expect.stringContaining("The list has 3 tools with `pinned`; acme/x allows 2."),
    ]);
    expect(lower(names.slice(1), plan).diagnostics).toEqual([]);
    const some = lower(names, { ...plan, toolsets: [partial("all")] });
    expect(some.value[0]?.lists[0]?.tools.map(({ tool }) => tool.name)).toEqual(["a", "b"]);
  });

  test("rules that contradict the entry refuse each tool, or the list, and say which field is at fault", () => {
    const listed = (fieldRules: object): readonly unknown[] => {
      const entry = { name: "$name", description: "$description", input: "$input" };
      const foreign = { id: "acme/x", title: "Acme.", entry, fieldRules } as const;
      const { value, diagnostics } = lower([simple("a")], planFor(dialect("acme/x", { strict: false, foreign })));
      return [value[0]?.lists[0]?.tools.length, diagnostics.map(({ severity, message }) => `${severity}: ${message}`)];
    };
    const twice = listed({ exclusive: [["name", "description"]], most: { name: 1 } });
    expect(twice).toEqual([0, [expect.stringMatching(/^error: .* no tool with both `name` and `description`/)]]);
    expect(listed({ most: { input: 0 } })).toEqual([
      expect.anything(),
      [expect.stringMatching(/^error: .* list has 1 tools? with `input`; acme\/x allows 0/)],
    ]);
  });

  test("the mark of a cached prefix is on no deferred tool", () => {
    const extra = { cache_control: { type: "ephemeral" } };
    const tools = [simple("a"), simple("b", { visibility: { load: "deferred" } })];
    const { value, diagnostics } = lower(tools, planFor(dialect("anthropic", { extra })));
    expect(diagnostics).toEqual([]);
    expect(value[0]?.lists[0]?.tools.map(({ definition }) => Object.keys(definition).slice(-1))).toEqual([
      ["cache_control"],
      ["defer_loading"],
    ]);
  });
});

describe("a limit on a whole request", () => {
  test.each(everyLimit)(
    "$name of $id: exceeding it fails without `partial`, and holds with it",
    ({ id, name, limit }) => {
      const tools = exceeding[name](limit);
      const plan = planFor(dialect(id, { strict: name !== "tools" && name !== "deferredTools" }));
      const whole = lower(tools, plan);
      expect(whole.diagnostics.map(({ code, severity }) => `${severity} ${code}`)).toContain("error lower/request");
      const { value, diagnostics } = lower(tools, { ...plan, toolsets: [partial("all")] });
      expect(new Set(diagnostics.map(({ code, severity }) => `${severity} ${code}`))).toEqual(
        new Set(["warning lower/partial"]),
      );
      const [list] = value[0]?.lists ?? [];
      if (list === undefined) throw new Error("there is no list");
      const left = list.excluded.map(({ tool }) => tool.name);
      expect(list.tools.length + left.length).toBe(tools.length);
      expect(left.length).toBeGreaterThan(0);
      expect(diagnostics[0]?.message).toContain(left[0]);
      const count = counted[name](list.tools);
      expect(count).toBeLessThanOrEqual(limit);
      // Nothing is left out that would fit.
      const forms = whole.value[0]?.lists[0]?.tools ?? [];
      for (const form of forms.filter(({ tool }) => left.includes(tool.name)).slice(0, 30)) {
        const withIt = [...list.tools, form];
        expect(hardLimits.some((each) => counted[each](withIt) > (dialects[id].limits[each] ?? Infinity))).toBe(true);
      }
    },
  );

  test.each(["gemini", "gemini-json-schema"] as const)(
    "%s refuses calls that it forces beyond a sum of maxItems",
    (id) => {
      const lists = (most: number) =>
        ["one", "two"].map((name) =>
          simple(name, {
            input: { type: "object", properties: { a: { type: "array", items: { type: "string" }, maxItems: most } } },
          }),
        );
      for (const partially of [false, true]) {
        const plan = { ...planFor(dialect(id)), ...(partially && { toolsets: [partial("all")] }) };
        const { value, diagnostics } = lower(lists(481), plan);
        const found = diagnostics.filter(({ code }) => code.startsWith("lower/request"));
        expect(found.map(({ code, severity, message }) => `${severity} ${code} ${message}`)).toEqual([
          expect.stringMatching(/^warning lower\/request-in-part .* 962 together; .* more than 960/),
        ]);
        expect(value[0]?.lists[0]?.tools).toHaveLength(2);
      }
      const { diagnostics } = lower(lists(480), planFor(dialect(id)));
      expect(diagnostics.filter(({ code }) => code.startsWith("lower/request"))).toEqual([]);
    },
  );

  test("every limit of every API is stated by both of its variants", () => {
    for (const { limits, variants } of Object.values(dialects)) {
      const other = variants.strict ?? variants.loose;
      const pick = (of: typeof limits): unknown => [...hardLimits, "forcedItems" as const].map((name) => of[name]);
      if (other !== undefined) expect(pick(dialects[other].limits)).toEqual(pick(limits));
    }
  });

  test("tools that are always loaded come first, deferred ones last, the others by name", () => {
    const tools = [
      ...some(128),
      simple("z_always", { visibility: { load: "always" } }),
      simple("a_deferred", { visibility: { load: "deferred" } }),
    ].toSorted((a, b) => (a.name < b.name ? -1 : 1));
    const { value } = lower(tools, { ...planFor(dialect("openai-chat")), toolsets: [partial("all")] });
    expect(value[0]?.lists[0]?.excluded.map(({ tool }) => tool.name)).toEqual(["tool_127"]);
    const strict = lower(
      [...some(20), simple("z_always", { visibility: { load: "always" }, input: one })],
      planFor(dialect("anthropic")),
    );
    const loose = strict.value[0]?.lists[0]?.tools.filter((tool) => !tool.strict).map(({ tool }) => tool.name);
    expect(loose).toEqual(["tool_19"]);
    expect(strict.diagnostics).toEqual([]);
  });

  test("a deferred tool does not count", () => {
    const tools = [...some(128), simple("zz", { visibility: { load: "deferred" }, input: one })];
    const { value, diagnostics } = lower(tools, planFor(dialect("openai-chat")));
    expect(diagnostics).toEqual([]);
    expect(value[0]?.lists[0]?.tools).toHaveLength(129);
  });

  test("a project may lower a limit, of a strict variant too, and cannot raise one", () => {
    const messages = (tools: number, plan: DialectPlan): readonly string[] =>
      lower(some(tools), planFor(plan)).diagnostics.map(({ message }) => message);
    for (const strict of [false, true]) {
      const plan = dialect("openai-chat", { strict, limits: { tools: 16, properties: 1 } });
      expect(messages(17, plan)).toEqual([expect.stringContaining("has 17 tools; openai-chat allows 16.")]);
      expect(messages(16, plan)).toEqual([]);
      const two = simple("two", {
        input: { type: "object", properties: { a: { type: "null" }, b: { type: "null" } } },
      });
      expect(lower([two], planFor(plan)).diagnostics.map(({ code }) => code)).toContain("lower/uncarried");
    }
    expect(messages(129, dialect("openai-chat", { limits: { tools: 1000 } }))).toHaveLength(1);
  });

  test("each toolset is partial by itself: a tool that one leaves out is in another", () => {
    const tools = some(130);
    const last = tools.at(-1)?.name ?? "";
    const toolsets = [partial("all"), { name: "few", include: [last], exclude: [] }];
    const { value, diagnostics } = lower(tools, { ...planFor(dialect("openai-chat")), toolsets });
    expect(value[0]?.lists[0]?.excluded.map(({ tool }) => tool.name)).toContain(last);
    expect(value[1]?.lists[0]?.tools.map(({ tool }) => tool.name)).toEqual([last]);
    expect(diagnostics.map(({ code }) => code)).toEqual(["lower/partial"]);
    expect(groupFormsByTool(value).get(last)).toMatchObject([{ kind: "listed" }]);
  });
});

const one: JsonSchema = {
  type: "object",
  properties: { a: { type: "string" } },
  required: ["a"],
  additionalProperties: false,
};

function some(count: number, changes: object = {}): readonly ReturnType<typeof flatTool>[] {
  const digits = String(count).length;
  return Array.from({ length: count }, (_, index) =>
    simple(`tool_${String(index).padStart(digits, "0")}`, { input: one, ...changes }),
  );
}

/** Three tools with somewhat more properties together than the limit. */
function withProperties(
  limit: number,
  property: JsonSchema,
  { isOptional = false } = {},
): readonly ReturnType<typeof flatTool>[] {
  const names = Array.from({ length: Math.floor(limit / 3) + 1 }, (_, index) => `p${index}`);
  const properties = Object.fromEntries(names.map((name) => [name, property]));
  const required = isOptional ? [] : names;
  return ["one", "three", "two"].map((name) =>
    simple(name, { input: { type: "object", properties, required, additionalProperties: false } }),
  );
}

function partial(name: string): CompilePlan["toolsets"][number] {
  return { name, include: "all", exclude: [], partial: true };
}

interface ListedProperty {
  readonly schema: { readonly type?: unknown };
  readonly isRequired: boolean;
}

function strictProperties(tools: LoweredList["tools"]): readonly ListedProperty[] {
  return tools
    .filter(({ strict }) => strict)
    .flatMap(({ lowering: { schema } }) => {
      if (typeof schema !== "object") return [];
      return Object.entries(schema.properties ?? {}).map(([key, property]) => ({
        schema: typeof property === "object" ? property : {},
        isRequired: schema.required?.includes(key) === true,
      }));
    });
}

describe("facts that are more than a year old", () => {
  const client = {
    id: "acme/desk",
    title: "Desk",
    facts: { tools: { most: 9, effect: "", source: "", date: "2026-01-31" } },
  };
  const oldOn = (today: string): readonly string[] =>
    lower([simple("a")], { ...planFor(dialect("mistral")), clients: [client], today }).diagnostics.flatMap(
      ({ code, message }) => (code === "dialect/old-facts" ? [message] : []),
    );

  test("findOldFacts reports them once, with the names of what they are about", () => {
    expect(oldOn("2027-11-21")).toEqual([
      expect.stringContaining(`mistral (${dialects.mistral.checkedOn}), acme/desk tools (2026-01-31)`),
    ]);
    expect(oldOn("2027-02-01")).toEqual([expect.stringMatching(/old: acme\/desk tools \(2026-01-31\)\./u)]);
  });

  test("findOldFacts reports none on the day itself, nor where no day is known", () => {
    expect(oldOn("2027-01-31")).toEqual([]);
    expect(oldOn("9999-12-31")).toEqual([]);
  });
});
