import { Ajv2020 } from "ajv/dist/2020.js";
import { buildTool } from "@hasp/runtime";
import { FAIL_CLOSED_DEFAULTS, FIELD_ENTRIES, isLooser, type FieldEntry } from "@hasp/runtime/contract";
import { bindTool, type ToolSpec } from "@hasp/runtime/codegen/v1";
import type { JsonValue } from "@hasp/schema";
import { describe, expect, test } from "vitest";
import type { SourceText } from "@hasp/compiler";
import { builtInPlugins, compile } from "@hasp/project/built-in";
import { completePlan, isFixedRule } from "@hasp/compiler/model";
import { FIELD_WORDS } from "@hasp/compiler/formats";
import { compareVersions, compileVersion, findList } from "@hasp/compiler/diff";
import { approve, listPendingClaims, readApprovals, listShownClaims } from "@hasp/compiler/claims";
import { paintPlain, printToolCard } from "@hasp/report";
import { rules } from "@hasp/builtin";
import { toolSpecSchema } from "@hasp/project/built-in";
import { runModules } from "@hasp/project/emitted";

/**
 * Walks the table of fields: what it says about a field is true in the compiler, in every file that a build writes, in a
 * comparison and in the runtime. A new row is tested here without a change.
 */

type Value = boolean | number | string;

/** Values of a field, from the strictest to the loosest where there is an order. */
function valuesOf({ field }: FieldEntry): readonly Value[] {
  if ("values" in field) return field.values;
  const { minimum = 0, maximum } = field.number;
  const numbers = [Math.max(minimum, 1), Number(field.strict), Number(field.strict) + 2].filter(
    (value) => maximum === undefined || value <= maximum,
  );
  const sorted = [...new Set(numbers)].toSorted((a, b) => a - b);
  return field.unlimited ? [...sorted, "unlimited"] : sorted;
}

/** Values that no field of this kind takes. */
function wrongValues({ field }: FieldEntry): readonly unknown[] {
  return "values" in field
    ? ["no such value", 7, null, [field.strict]]
    : ["a lot", -1, null, true, ...(field.unlimited ? [] : ["unlimited"])];
}

const looserThanDefault = FIELD_ENTRIES.flatMap((entry) =>
  valuesOf(entry)
    .filter((value) => isLooser(entry.field, value, entry.field.strict))
    .map((value) => [entry.path, value, entry] as const),
);
const everyValue = FIELD_ENTRIES.flatMap((entry) =>
  valuesOf(entry).map((value) => [entry.path, value, entry] as const),
);

const head = { hasp: 1, name: "act", description: "Act.", input: { type: "object", properties: {} } };
const stating = ({ group, name }: FieldEntry, value: unknown): object => ({ ...head, [group]: { [name]: value } });
const sourceOf = (spec: object): SourceText => ({
  uri: "specs/act.tool.json",
  text: JSON.stringify(spec),
  role: "spec",
});
/** Only what holds without a rule is tested here. */
const plan = completePlan({
  dialects: ["mcp", "anthropic"],
  jsonLists: true,
  rules: Object.fromEntries(rules.filter((rule) => !isFixedRule(rule)).map(({ id }) => [id, "off" as const])),
  today: "2027-01-01",
});
const errorsOf = (diagnostics: readonly { code: string; severity: string }[]): readonly string[] =>
  diagnostics.filter(({ severity }) => severity === "error").map(({ code }) => code);

describe("a looser value", () => {
  test("is known for some fields", () => {
    expect(new Set(looserThanDefault.map(([path]) => path)).size).toBeGreaterThan(5);
  });

  test.each(looserThanDefault)("%s: %j is refused until somebody approves it", async (path, value, entry) => {
    const source = sourceOf(stating(entry, value));
    const refused = await compile([source], plan);
    expect(errorsOf(refused.diagnostics)).toEqual(["ledger/not-approved"]);
    expect(refused.files).toEqual([]);

    const claims = listPendingClaims(refused.tools, readApprovals([], refused.tools, plan));
    expect(claims.map(({ claim }) => claim)).toEqual([`${path}: ${String(value)}`]);
    const ledger = approve({ claims, ledgers: [], reason: "looked at", on: "2026-01-31" }).map((file): SourceText => ({
      uri: file.path,
      text: file.text ?? "",
      role: "ledger",
    }));
    const allowed = await compile([source, ...ledger], plan);
    expect(errorsOf(allowed.diagnostics)).toEqual([]);
    expect(allowed.files.length).toBeGreaterThan(3);
  });

  const steps = FIELD_ENTRIES.flatMap((entry) => {
    const values = valuesOf(entry);
    return values.flatMap((before) =>
      values
        .filter((after) => isLooser(entry.field, after, before))
        .map((after) => [entry.path, before, after, entry] as const),
    );
  });
  test.each(steps)(
    "%s: from %j to %j is a loosening to `hasp diff`, and the way back is none",
    async (path, was, is, entry) => {
      const versions = [was, is].map((value) =>
        compileVersion({ sources: [sourceOf(stating(entry, value))], plan }, builtInPlugins),
      );
      const [strict, loose] = (await Promise.all(versions)).map(({ value }) => value);
      if (strict === undefined || loose === undefined) return expect.fail("there are two versions");
      // A call that nobody is asked about may also complete a leak, and a registry may need an extension less. Both
      // are findings of their own.
      const others = ["diff/path-opened", "diff/extension-gone"];
      const loosened = compareVersions(strict, loose, "base").filter(
        (each) => findList(each) === "loosens" && !others.includes(each.code),
      );
      expect(loosened.map(({ code, message }) => [code, message.split(" ")[0]])).toEqual([["diff/loosened", path]]);
      const back = compareVersions(loose, strict, "base").filter((each) => findList(each) === "loosens");
      expect(back).toEqual([]);
    },
  );
});

describe("a value that is stated", () => {
  test.each(everyValue)("%s: %j is in every artefact", async (path, value, entry) => {
    await expectEverywhere(stating(entry, value), entry, value);
    expect(path).toBe(`${entry.group}.${entry.name}`);
  });
});

describe("a value that is left out", () => {
  test.each(FIELD_ENTRIES.map((entry) => [entry.path, entry] as const))(
    "%s is strict in every artefact",
    async (_, entry) => {
      await expectEverywhere(head, entry, entry.field.strict);
    },
  );
});

async function expectEverywhere(spec: object, { group, name, path, field }: FieldEntry, value: Value): Promise<void> {
  const result = await compile([sourceOf(spec)], { ...plan, unlocked: true });
  expect(errorsOf(result.diagnostics)).toEqual([]);
  const textOf = (end: string): string => result.files.find((file) => file.path.endsWith(end))?.text ?? "";
  const at = (metadata: unknown): unknown => Reflect.get(Reflect.get(Object(metadata), group) as object, name);

  const { actSpec } = runModules(result.files)("src/generated/specs/index.ts") as { actSpec: () => ToolSpec };
  const generated = actSpec().metadata;
  expect(at(generated), "the generated module").toBe(value);
  expect(at(boundTool(generated).metadata), "the registry").toBe(value);
  expect(at(buildTool({ ...spec, execute: () => null } as never).metadata), "buildTool").toBe(value);
  if (field.hint !== undefined) {
    const [listed] = JSON.parse(textOf("providers/mcp.json")) as readonly { annotations: object }[];
    expect(Reflect.get(listed?.annotations ?? {}, `${field.hint}Hint`), "MCP's annotations").toBe(value === true);
  }
  const [tool] = result.tools;
  if (tool === undefined) return expect.fail("there is a tool");
  const card = printToolCard(
    tool,
    listShownClaims({ tools: [tool], policies: [] }, readApprovals([], result.tools, plan)),
    {
      paint: paintPlain,
      columns: 100,
    },
  );
  const line = card.split("\n").find((each) => each.startsWith(`${path} `));
  expect(line?.split(/ {2,}/u).slice(0, 2), "hasp show").toEqual([path, String(value)]);
}

describe("behavior.destination", () => {
  const to = (destination: string): SourceText =>
    sourceOf({
      ...head,
      input: { type: "object", properties: { to: { type: "string" } } },
      behavior: { destination },
    });

  test("a destination is a claim, and reaches the tool of a registry", async () => {
    const { diagnostics } = await compile([to("input.to")], plan);
    expect(errorsOf(diagnostics)).toEqual(["ledger/not-approved"]);
    const { files } = await compile([to("input.to")], { ...plan, unlocked: true });
    const { actSpec } = runModules(files)("src/generated/specs/index.ts") as { actSpec: () => ToolSpec };
    const { destination } = bindTool(actSpec(), { execute: () => null } as never);
    expect(destination?.({ to: "ann" })).toBe("ann");
    expect(() => destination?.({})).toThrow();
  });

  test("a changed destination is a loosening to `hasp diff`", async () => {
    const versions = [to("input.to"), to("input.to + '!'")].map((source) =>
      compileVersion({ sources: [source], plan }, builtInPlugins),
    );
    const [before, after] = (await Promise.all(versions)).map(({ value }) => value);
    if (before === undefined || after === undefined) return expect.fail("there are two versions");
    expect(compareVersions(before, after, "base")).toMatchObject([{ code: "diff/claim-added" }]);
  });
});

/** A tool as a generated registry makes it. */
function boundTool(metadata: unknown): ReturnType<typeof bindTool> {
  const { name, description } = head;
  const input = { type: "object", properties: {}, additionalProperties: false };
  const spec = { name, description, handlerFile: "src/tools/act.ts", input: () => input, metadata };
  return bindTool(spec as never, { execute: () => null } as never);
}

describe("generated metadata of another version", () => {
  test.each(FIELD_ENTRIES.map((entry) => [entry.path, entry] as const))(
    "without %s has its strict value",
    (_, { group, name, field }) => {
      const milder: { [group: string]: { [name: string]: Value } } = structuredClone(FAIL_CLOSED_DEFAULTS) as never;
      for (const entry of FIELD_ENTRIES) {
        Object.assign(milder[entry.group] ?? {}, { [entry.name]: valuesOf(entry).at(-1) });
      }
      delete milder[group]?.[name];
      const { metadata } = boundTool(milder);
      expect(Reflect.get(metadata[group], name)).toBe(field.strict);
    },
  );

  test("without a whole group has strict values", () => {
    expect(boundTool({}).metadata).toEqual(FAIL_CLOSED_DEFAULTS);
  });

  test.each<[string, { readonly [group: string]: { readonly [name: string]: JsonValue } }]>([
    ["a field", { limits: { maxFishes: 3 } }],
    ["a group", { secrets: { mayRead: false } }],
    ["a value", { concurrency: { class: "PARALLEL" } }],
  ])("with %s that this one does not know is refused", (_, added) => {
    const metadata = { ...FAIL_CLOSED_DEFAULTS, ...added };
    expect(() => boundTool(metadata)).toThrow("which this @hasp/runtime does not know");
  });
});

describe("the format and buildTool agree", () => {
  const ajv = new Ajv2020({ allowUnionTypes: true, strictTypes: false, strictRequired: false });
  ajv.addKeyword("x-expected");
  const isSpec = ajv.compile(toolSpecSchema);
  const isBuilt = (entry: FieldEntry, value: unknown): boolean => {
    try {
      buildTool({ ...stating(entry, value), execute: () => null } as never);
      return true;
    } catch {
      return false;
    }
  };

  test.each(FIELD_ENTRIES.map((entry) => [entry.path, entry] as const))("on the values of %s", (_, entry) => {
    for (const value of valuesOf(entry)) {
      expect([value, isSpec(stating(entry, value)), isBuilt(entry, value)]).toEqual([value, true, true]);
    }
    for (const value of wrongValues(entry)) {
      expect([value, isSpec(stating(entry, value)), isBuilt(entry, value)]).toEqual([value, false, false]);
    }
  });
});

test("a choice is looked at by a rule, and every other field has an order", () => {
  const known = new Set(rules.map(({ id }) => id));
  for (const { path, field } of FIELD_ENTRIES) {
    expect([path, field.order === "choice", (FIELD_WORDS[path].lintedBy ?? [""]).every((id) => known.has(id))]).toEqual(
      [path, field.order === "choice", field.order === "choice"],
    );
    if ("values" in field) expect([path, field.values]).toEqual([path, expect.arrayContaining([field.strict])]);
  }
});
