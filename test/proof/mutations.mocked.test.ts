import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { JsonObject, JsonValue } from "@hasp/schema";
import { type ToolMetadata } from "@hasp/runtime";
import { FIELD_ENTRIES, type FieldEntry } from "@hasp/runtime/contract";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { toObject } from "@hasp/base/json";
import { digestText, prepare } from "@hasp/builtin";
import { completePlan } from "@hasp/compiler/model";
import { type EmitInput, listMetadata } from "@hasp/compiler/plugins";
import type { PreparedBuild } from "@hasp/builtin";
import { listExpectations, type Expectation, verifyData, verifyModules } from "@hasp/builtin/verify";
import { emitFiles } from "../compiler/built-in.testing.js";
import { builtInPlugins, compile } from "@hasp/project/built-in";
import type { LoweredTool, OutputFile, CompilePlan, FlatTool } from "@hasp/compiler";
import { load } from "@hasp/compiler/source";
import { answerQuestions } from "../../packages/project/src/modules/emitted/answer-questions.js";
import { createContextFor } from "@hasp/compiler/plugins";

/**
 * Plants faults: changes each fail-closed default and each emitter's output in turn. Every change must be refused; the
 * table that this file prints says by what.
 */

/** The values that a mutation may set a field of the table to. */
type Table = Record<string, Record<string, JsonValue>>;

/** The defaults that the compiler sees; a test changes one field and puts it back. */
const seen = vi.hoisted(() => ({ table: {} as Table }));

// The door by which the compiler imports the table.
vi.mock("@hasp/runtime/contract", async (importOriginal) => {
  const original = await importOriginal<typeof import("@hasp/runtime/contract")>();
  seen.table = structuredClone(original.FAIL_CLOSED_DEFAULTS) as unknown as Table;
  const resolveMetadata: typeof original.resolveMetadata = (groups) => {
    const { metadata, stated } = original.resolveMetadata(groups);
    const valueOf = ({ group, name, path }: FieldEntry): unknown =>
      (stated.has(path) ? (metadata as unknown as Table) : seen.table)[group]?.[name];
    return { metadata: original.createMetadata(valueOf), stated };
  };
  return { ...original, FAIL_CLOSED_DEFAULTS: seen.table, resolveMetadata };
});

/** The defaults of the design, a second time and by hand: no change of the one table goes unseen. */
const strictTable: ToolMetadata = {
  concurrency: { class: "UNSAFE" },
  behavior: {
    isReadOnly: false,
    isDestructive: true,
    isIdempotent: false,
    isOpenWorld: true,
    returnsUntrusted: true,
    returnsPrivate: true,
    requiresPermission: true,
    requiresUserInteraction: false,
    interruptBehavior: "block",
    abortsSiblingsOnError: false,
  },
  visibility: { load: "normal" },
  limits: { maxResultSizeChars: 100_000, timeoutSeconds: 60, maxRetries: 0 },
};

/** Every field with its strict value and another one, the loosest where values are ordered. */
const design = FIELD_ENTRIES.map(({ group, name, path, field }) => {
  const others = "values" in field ? field.values.filter((value) => value !== field.strict) : [];
  const other = "values" in field ? others.at(-1) : field.unlimited ? "unlimited" : Number(field.strict) + 3;
  return [group, name, field.strict, other ?? expect.fail(`${path} takes one value only`), path] as const;
});

const specs = [
  // Says nothing: every fact is a default.
  `hasp: 1
name: wipe_disk
description: Wipe a disk.
input: { type: object, required: [disk], properties: { disk: { type: string, minLength: 3, pattern: "^[a-z]" } } }
`,
  // Says everything, and every shape of output is there: a codec, a table, a flag, checks, results.
  `hasp: 1
name: find_rows
title: Find rows
description: Find rows. Use it to look something up.
owner: data
tags: [database]
aliases: [search_rows]
input:
  type: object
  required: [mode]
  properties:
    mode: { enum: [read, write] }
    max-rows: { type: integer, minimum: 1, maximum: 50, default: 10 }
    labels: { type: object, additionalProperties: { type: string } }
output: { type: object, required: [rows], properties: { rows: { type: array, items: { type: string } } } }
concurrency: { class: WRITE_EXCLUSIVE, key: lower(input.mode), rules: [{ when: input.mode == 'read', class: READ_ONLY, requiresPermission: false }] }
behavior: { isIdempotent: withKey, isOpenWorld: false, destination: input.labels, isDestructive: { unless: input.mode == 'read' }, interruptBehavior: cancel }
visibility: { load: deferred, featureGate: ROWS, searchHint: rows records }
limits: { maxResultSizeChars: 5000, timeoutSeconds: 5, maxRetries: 1 }
needs: { env: [DATABASE_URL] }
validate: [{ that: "input.mode != 'write' || has(input.labels)", message: a write has labels }]
examples: [{ input: { mode: read } }]
display: { running: "Finding {mode}", done: Found, failed: Not found, rejected: Refused, progress: "{mode}" }
`,
  `hasp: 1
name: read_clock
description: Read the clock.
input: { type: object, properties: {} }
concurrency: { class: READ_ONLY }
`,
];
const sourcesOf = (texts: readonly string[]): { uri: string; text: string; role: "spec" }[] =>
  texts.map((text, index) => ({ uri: `specs/${index}.tool.yaml`, text, role: "spec" }));

const DIALECTS = ["anthropic", "openai-responses", "openai-chat", "gemini", "mcp"] as const;
const plan: CompilePlan = completePlan({
  dialects: DIALECTS.map((id) => ({ id, strict: "auto", onUncarried: "exclude" })),
  jsonLists: true,
  bundle: true,
  unlocked: true,
  today: "2027-01-01",
});

/** Everything that emitting takes, as the phases before it give it. */
async function compiled(
  texts: readonly string[] = specs,
): Promise<EmitInput & { readonly files: readonly OutputFile[] }> {
  const sources = sourcesOf(texts);
  const { tools, toolsets, files, diagnostics } = await compile(sources, plan);
  expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  return { tools, toolsets, plan, files };
}

const table: { mutation: string; caughtBy: string }[] = [];
const caught = (mutation: string, caughtBy: string): void => void table.push({ mutation, caughtBy });

const EVERY_BUILD = "every build";
const CHECK = "build --check";
const LEFT_TO_TSC = "nothing here: types are left to tsc";

let built: Awaited<ReturnType<typeof compiled>>;
let prepared: PreparedBuild;
/** The expectations follow from the model alone: they are the same for every fault in the files. */
let expectations: readonly Expectation[];
beforeAll(async () => {
  built = await compiled();
  prepared = prepare(built, createContextFor(built, builtInPlugins));
  expectations = [...listExpectations(prepared)];
});

/** Verifies files against what was built; returns what refuses them. */
async function refusedBy(files: readonly OutputFile[]): Promise<string | undefined> {
  try {
    await verifyModules(expectations, files, answerQuestions, builtInPlugins.handlerKinds.entries);
    verifyData(prepared, files, sourcesOf(specs));
  } catch (error) {
    expect(String(error)).toContain("hasp generated");
    return CHECK;
  }
  return undefined;
}

afterAll(() => {
  const width = Math.max(...table.map(({ mutation }) => mutation.length));
  const lines = [{ mutation: "mutation", caughtBy: "caught by" }, ...table].map(
    ({ mutation, caughtBy }) => `${mutation.padEnd(width)}  ${caughtBy}\n`,
  );
  process.stdout.write(`\n${lines.join("")}`);
});

test("accepts what was not changed", async () => {
  expect(await refusedBy(built.files)).toBeUndefined();
  expect(built.files.length).toBeGreaterThan(15);
});

describe("each default", () => {
  afterEach(() => {
    for (const [group, field, strict] of design) Object.assign(seen.table[group] ?? {}, { [field]: strict });
  });
  const change = (group: string, field: string, value: JsonValue): void =>
    void Object.assign(seen.table[group] ?? {}, { [field]: value });

  test("is what the design says", () => {
    expect(seen.table).toEqual(strictTable);
  });

  test.each(design)(
    "%s.%s: the phases take another value than the table of the proof",
    async (group, field, strict, mild) => {
      change(group, field, mild);
      const { tools, toolsets } = await compile(sourcesOf([specs[0] ?? ""]), plan, { emits: false });
      change(group, field, strict);
      await expect(emitFiles({ tools, toolsets, plan })).rejects.toThrow(
        `${group}.${field} is ${JSON.stringify(mild)} there, not ${JSON.stringify(strict)}`,
      );
      caught(`default ${group}.${field}: ${JSON.stringify(mild)} in the phases`, EVERY_BUILD);
    },
  );

  test.each(design)("%s.%s: the one table itself is changed", async (group, field, strict, mild) => {
    change(group, field, mild);
    const by = await whatFindsTheTableWrong();
    change(group, field, strict);
    expect(await whatFindsTheTableWrong()).toBeUndefined();
    expect(by).toBeDefined();
    caught(`default ${group}.${field}: ${JSON.stringify(mild)} in the one table`, by ?? "nothing");
  });

  /** Proof and phases share the table: what they do not find, only a second table, written by hand, can tell. */
  async function whatFindsTheTableWrong(): Promise<string | undefined> {
    let result;
    try {
      result = await compile(sourcesOf([specs[0] ?? ""]), plan);
    } catch {
      return EVERY_BUILD;
    }
    const error = result.diagnostics.find(({ severity }) => severity === "error");
    if (error !== undefined) return `the check ${error.code}`;
    const [tool] = result.tools;
    return tool !== undefined && isDeepStrictEqual(listMetadata(tool), strictTable)
      ? undefined
      : "the design's table in this test";
  }
});

describe("each fact between the spec and the emitters", () => {
  const change = (mutate: (tool: FlatTool) => FlatTool): EmitInput => ({
    ...built,
    // What a cache holds was proved when it was made.
    tools: built.tools.map((tool) => (tool.name === "wipe_disk" ? mutate(tool) : tool)),
  });

  test.each(design)("%s.%s: milder, and said to be stated", async (group, field, _, mild, path) => {
    const input = change((tool) => ({
      ...tool,
      metadata: { ...tool.metadata, [group]: { ...tool.metadata[group], [field]: mild } },
      stated: new Set([...tool.stated, path]),
    }));
    await expect(emitFiles(input)).rejects.toThrow(`${path} is ${JSON.stringify(mild)} there`);
    caught(`fact ${path}: ${JSON.stringify(mild)}, said to be stated`, EVERY_BUILD);
  });

  test.each([
    ["class", "READ_ONLY"],
    ["isReadOnly", true],
    ["isDestructive", false],
    ["isIdempotent", true],
    ["isOpenWorld", false],
    ["returnsUntrusted", false],
    ["returnsPrivate", false],
    ["requiresPermission", false],
  ])("worst case %s: %j", async (field, mild) => {
    await expect(
      emitFiles(change((tool) => ({ ...tool, worstCase: { ...tool.worstCase, [field]: mild } }))),
    ).rejects.toThrow("a static hint is milder");
    caught(`worst case ${field}: ${JSON.stringify(mild)}`, EVERY_BUILD);
  });
});

describe("each field that a dialect wraps around a schema", () => {
  /** The build that a faulty dialect would have given: model and files agree on the wrong entry. */
  // Some of what a form has, it works out when asked: a spread would not take that along.
  const withDefinition = (form: LoweredTool, definition: JsonObject): LoweredTool => {
    const { tool, dialect, strict, wireName, lowering, output, hiddenExamples, hoisted, lossCount } = form;
    return { tool, dialect, strict, wireName, lowering, output, hiddenExamples, hoisted, lossCount, definition };
  };
  const withEntries = (dialect: string, change: (entry: JsonObject) => JsonObject): EmitInput => ({
    ...built,
    toolsets: built.toolsets.map((toolset) => ({
      ...toolset,
      lists: toolset.lists.map((list) =>
        list.dialect === dialect
          ? { ...list, tools: list.tools.map((lowered) => withDefinition(lowered, change(lowered.definition))) }
          : list,
      ),
    })),
  });
  const without =
    (field: string) =>
    (entry: JsonObject): JsonObject =>
      Object.fromEntries(Object.entries(entry).filter(([key]) => key !== field));
  const hint =
    (field: string) =>
    (entry: JsonObject): JsonObject => {
      const annotations = entry["annotations"] as JsonObject;
      return { ...entry, annotations: { ...annotations, [field]: annotations[field] !== true } };
    };

  test.each<[string, string, (entry: JsonObject) => JsonObject]>([
    ["mcp", "readOnlyHint", hint("readOnlyHint")],
    ["mcp", "destructiveHint", hint("destructiveHint")],
    ["mcp", "idempotentHint", hint("idempotentHint")],
    ["mcp", "openWorldHint", hint("openWorldHint")],
    ["mcp", "no annotations", without("annotations")],
    ["anthropic", "strict", (entry) => ({ ...entry, strict: entry["strict"] !== true })],
    ["anthropic", "no strict", without("strict")],
    ["anthropic", "defer_loading", (entry) => ({ ...entry, defer_loading: entry["defer_loading"] !== true })],
    ["anthropic", "no defer_loading", without("defer_loading")],
    ["openai-responses", "strict", (entry) => ({ ...entry, strict: entry["strict"] !== true })],
    [
      "openai-chat",
      "function.strict",
      (entry) => ({
        ...entry,
        function: {
          ...(entry["function"] as JsonObject),
          strict: (entry["function"] as JsonObject)["strict"] !== true,
        },
      }),
    ],
  ])("the mutation of a wrapper field is refused: %s: %s", async (dialect, field, mutate) => {
    await expect(emitFiles(withEntries(dialect, mutate))).rejects.toThrow(/hasp compiled .* entry/u);
    caught(`dialect ${dialect}: ${field}`, EVERY_BUILD);
  });
});

/** A value of the same kind that says something else. */
function otherThan(value: JsonValue): JsonValue {
  if (typeof value === "boolean") return !value;
  if (typeof value === "number") return value + 1;
  if (typeof value === "string") return `${value}x`;
  return "something else";
}

/** Every value with one leaf changed, or one key or item left out, and where. */
function* mutants(value: JsonValue, pointer = ""): Generator<readonly [pointer: string, mutant: JsonValue]> {
  if (Array.isArray(value)) {
    const items = value as readonly JsonValue[];
    for (const [index, item] of items.entries()) {
      yield [`${pointer}/${index} left out`, items.filter((_, at) => at !== index)];
      for (const [place, mutant] of mutants(item, `${pointer}/${index}`)) yield [place, items.with(index, mutant)];
    }
  } else if (typeof value === "object" && value !== null) {
    for (const [key, inner] of Object.entries(value)) {
      yield [`${pointer}/${key} left out`, Object.fromEntries(Object.entries(value).filter(([each]) => each !== key))];
      for (const [place, mutant] of mutants(inner as JsonValue, `${pointer}/${key}`)) {
        yield [place, { ...value, [key]: mutant }];
      }
    }
  } else yield [pointer, otherThan(value)];
}

describe("each value of each JSON file", () => {
  test("fails verification when it is changed", () => {
    const files = built.files.filter(({ path }) => path.endsWith(".json"));
    const sources = sourcesOf(specs);
    expect(files).toHaveLength(plan.dialects.length * 2 + 3);
    for (const file of files) {
      let count = 0;
      for (const [pointer, mutant] of mutants(JSON.parse(file.text) as JsonValue)) {
        const changed = built.files.map((each) => (each === file ? { ...each, text: JSON.stringify(mutant) } : each));
        const verify = (): void => verifyData(prepared, changed, sources);
        expect(verify, `${file.path}${pointer} survives`).toThrow(`hasp generated ${file.path} incorrectly`);
        count += 1;
      }
      caught(`${file.path.replace("src/generated/", "")}: ${count} values, changed or left out in turn`, CHECK);
    }
  });
});

/** As an emitter with a fault would have left them: the manifest digests what was really written. */
function withDigests(files: readonly OutputFile[]): readonly OutputFile[] {
  const before = new Map(built.files.map(({ path, text }) => [path, text]));
  return files.map((file) =>
    file.path.endsWith("manifest.json")
      ? {
          ...file,
          text: files.reduce(
            (text, each) => text.replace(digestText(before.get(each.path) ?? ""), digestText(each.text)),
            file.text,
          ),
        }
      : file,
  );
}

describe("each part of a generated module", () => {
  const SPECS = "specs/wipe_disk.ts";
  const textOf = (path: string): string =>
    built.files.find((file) => file.path === `src/generated/${path}`)?.text ?? "";
  const stops = async (path: string, from: string, to: string): Promise<string | undefined> => {
    const changed = built.files.map((file) =>
      file.path === `src/generated/${path}` ? { ...file, text: file.text.replace(from, () => to) } : file,
    );
    expect(changed, `${path} holds no ${from}`).not.toEqual(built.files);
    return refusedBy(withDigests(changed));
  };

  test("every fact that a module leaves out is strict: any other value is refused", async () => {
    const strict = "failClosed({})";
    expect(textOf(SPECS)).toContain(strict);
    for (const [group, field, , mild] of design) {
      const stated = { [group]: { [field]: mild } };
      expect(await stops(SPECS, strict, `failClosed(${JSON.stringify(stated)})`), `${group}.${field}`).toBe(CHECK);
    }
    caught(`${SPECS}: ${design.length} facts, stated in turn`, CHECK);
  });

  test.each([
    ["specs/find_rows.ts", 'class: "READ_ONLY"', 'class: "UNSAFE"'],
    ["specs/find_rows.ts", 'member(input, "mode") === "read"', 'member(input, "mode") === "write"'],
    ["specs/find_rows.ts", "requiresPermission: false", "requiresPermission: true"],
    ["specs/find_rows.ts", "unless:", "when:"],
    ["specs/find_rows.ts", "isDestructive: {", "isReadOnly: {"],
    ["specs/find_rows.ts", '"a write has labels"', '"x"'],
    ["specs/find_rows.ts", 'featureGate: "ROWS"', 'featureGate: "OTHER"'],
    ["specs/find_rows.ts", 'resourceKey: "lower(input.mode)"', 'resourceKey: "input.mode"'],
    [
      "specs/find_rows.ts",
      'destination: (input) => member(input, "labels")',
      'destination: (input) => member(input, "mode")',
    ],
    ["specs/find_rows.ts", "maximum: 50", "maximum: 51"],
    ["specs/find_rows.ts", 'aliases: ["search_rows"]', 'aliases: ["wipe_disk"]'],
    ["specs/find_rows.ts", "additionalProperties: false", "additionalProperties: true"],
    ["specs/find_rows.ts", "openWorldHint: false", "openWorldHint: true"],
    ["specs/find_rows.ts", "defer_loading: true", "defer_loading: false"],
    ["specs/find_rows.ts", 'handlerFile: "src/tools/find-rows.ts"', 'handlerFile: "src/tools/other.ts"'],
    ["specs/find_rows.ts", "strict: ", "strict: !"],
    ["specs/find_rows.ts", "mcp: findRowsMcp", "mcp: findRowsAnthropic"],
    ["providers/mcp.ts", "mcp(specs.wipeDiskListing", "anthropic(specs.wipeDiskListing"],
    ["providers/mcp.ts", "specs.wipeDiskListing", "specs.readClockListing"],
    ["providers/mcp.ts", "  mcp(specs.wipeDiskListing()),\n]", "]"],
    ["providers/mcp.ts", "mcp(specs.wipeDiskListing()),\n]", "specs.wipeDiskListing(),\n]"],
    ["providers/mcp.ts", '[() => specs.findRowsMcp(), "ROWS"]', "[() => specs.findRowsMcp()]"],
    ["providers/mcp.ts", 'specs.findRowsMcp(), "ROWS"]', 'specs.findRowsMcp(), "OTHER"]'],
    ["providers/mcp.ts", 'specs.findRowsMcp(), "ROWS"]', 'specs.readClockMcp(), "ROWS"]'],
    ["providers/mcp.ts", "HASP_FEATURE_ROWS\n      ?", "true\n      ?"],
    ["providers/mcp.ts", "specs.readClockMcp()", "specs.findRowsMcp(), specs.readClockMcp()"],
    ["registry.ts", "|| HASP_FEATURE_ROWS", "|| true"],
    ["registry.ts", 'import("../tools/find-rows.js")', 'import("../tools/wipe-disk.js")'],
    ["registry.ts", "unlocked: true", "unlocked: false"],
    ["registry.ts", "wipe_disk: () =>", "wipe: () =>"],
    [
      "registry.ts",
      "bindSpec(specs.wipeDiskSpec(), wipeDiskHandler)",
      "bindSpec(specs.wipeDiskSpec(), readClockHandler)",
    ],
    [
      "registry.ts",
      "bindSpec(specs.wipeDiskSpec(), wipeDiskHandler)",
      "bindSpec(specs.readClockSpec(), wipeDiskHandler)",
    ],
    ["registry.ts", '"../tools/wipe-disk.js"', '"../tools/read-clock.js"'],
    ["specs/find_rows.ts", "decoders: allDecoders", "decoders: plainDecoders"],
    ["specs/find_rows.ts", "decoders: allDecoders", ""],
    ["specs/find_rows.ts", "createResourceFinder }", "}"],
    ["specs/wipe_disk.ts", "patterns: nativePattern", ""],
    ["specs/wipe_disk.ts", "patterns: nativePattern", "patterns: linearPattern"],
  ])("the mutation of a module is refused: %s: %s", async (path, from, to) => {
    const stopped = await stops(path, from, to);
    expect(stopped).toBeDefined();
    caught(`${path}: ${from} → ${to}`, stopped ?? "nothing");
  });

  test("every literal of a module and of the registry is verified: schemas, codecs, texts, conditions", async () => {
    for (const [path, from] of [
      ["specs/find_rows.ts", "const findRowsListing"],
      ["registry.ts", "export const registry"],
      ["providers/mcp.ts", "export const tools:"],
    ] as const) {
      const text = textOf(path);
      const code = text.slice(text.indexOf(from));
      const counts = new Map<string, number>();
      const literals = code.matchAll(
        /"(?:[^"\\\n]|\\.)*"(?!\]?: \w+Spec|\)\.)|(?<=[ ([])(?:true|false|\d[\d_.]*)(?=[,;)\] ])/gu,
      );
      for (const { 0: literal, index } of literals) {
        const value = JSON.parse(literal.replaceAll("_", literal.startsWith('"') ? "_" : "")) as JsonValue;
        const at = text.length - code.length + index;
        const changed = text.slice(0, at) + JSON.stringify(otherThan(value)) + text.slice(at + literal.length);
        const stopped = await stops(path, text, changed);
        expect(stopped, `${path}: ${code.slice(index - 40, index + 40)} survives`).toBeDefined();
        counts.set(stopped ?? "", (counts.get(stopped ?? "") ?? 0) + 1);
      }
      expect(counts.size, path).toBeGreaterThan(0);
      for (const [by, count] of counts) caught(`${path}: ${count} literals, changed in turn`, by);
    }
  });

  // Types are gone when the code runs; TypeScript holds the constants beside them against them when the project is
  // compiled.
  test.each([
    [
      "tools/find-rows.ts",
      'readonly handlerFile: "src/tools/find-rows.ts"',
      'readonly handlerFile: "src/tools/other.ts"',
    ],
    ["tools/find-rows.ts", 'mode: "read" | "write"', 'mode: "read"'],
  ])("%s: %s is not verified", async (path, from, to) => {
    expect(await stops(path, from, to)).toBeUndefined();
    caught(`${path}: ${from} → ${to}`, LEFT_TO_TSC);
  });
});

describe("`origin.suggested`", () => {
  const claims = `origin:
  suggested:
    from: annotations
    class: READ_ONLY
    isReadOnly: true
    isDestructive: false
    isIdempotent: true
    isOpenWorld: false
    requiresPermission: false
`;

  test("is read by nothing: with and without it, every byte is the same, the digest of the spec aside", async () => {
    const plain = await compile(sourcesOf(specs), plan);
    const suggesting = await compile(sourcesOf(specs.map((text) => text + claims)), plan);
    expect(suggesting.diagnostics.map(({ code, severity, message }) => ({ code, severity, message }))).toEqual(
      plain.diagnostics.map(({ code, severity, message }) => ({ code, severity, message })),
    );
    const withoutDigests = (files: readonly OutputFile[]): readonly OutputFile[] =>
      files.map((file) => ({ ...file, text: file.text.replaceAll(/"digest":"[^"]+"/gu, "") }));
    expect(withoutDigests(suggesting.files)).toEqual(withoutDigests(plain.files));
    expect(suggesting.files).not.toEqual(plain.files);
    expect(specs.every((text) => parsedSuggested(text + claims) === 7)).toBe(true);
    caught("suggested: seven claims added to every spec", "no byte changes: nothing reads it");
  });

  /** Counts the claims that the compiler sees, so that the comparison is not empty. */
  function parsedSuggested(text: string): number {
    const value = load(sourcesOf([text])).value[0]?.value as JsonObject | undefined;
    return Object.keys(toObject(toObject(value?.["origin"])["suggested"])).length;
  }
});

describe("the table of planted faults in the docs", () => {
  const page = readFileSync(resolve(import.meta.dirname, "../../packages/hasp/docs/generated-code.md"), "utf8");
  const [text = ""] = page.slice(page.indexOf("| planted fault")).split("\n\n");
  const cellsOf = (line: string): readonly string[] =>
    line
      .split("|")
      .map((cell) => cell.trim())
      .slice(1, -1);
  const rows = text.split("\n").slice(2).map(cellsOf);

  // The fourth and fifth rows are about files on disk: the tests of the command line edit, add and remove them.
  test.each([
    [0, /^(?:default .* in the phases|fact |worst case |dialect )/u, EVERY_BUILD, ["refused", "refused"]],
    [1, /^(?:specs|providers|registry)\S*\.ts: /u, CHECK, ["–", "refused"]],
    [2, /\.json: /u, CHECK, ["–", "refused"]],
    [5, /^tools\//u, LEFT_TO_TSC, ["–", "– (the TypeScript compiler refuses it)"]],
  ])("row %i says what refuses the faults above", (index, mutations, caughtBy, cells) => {
    const found = table.filter(({ mutation }) => mutations.test(mutation)).map((each) => each.caughtBy);
    expect(new Set(found)).toEqual(new Set([caughtBy]));
    expect(rows[index]?.slice(1)).toEqual(cells);
  });

  test("has no other row", () => {
    expect(rows.map(([fault]) => fault?.slice(0, 22))).toEqual([
      "a field, static hint o",
      "a generated module tha",
      "a JSON list, `losses.j",
      "a file on disk that wa",
      "a file that a program ",
      "a type that does not f",
    ]);
  });
});
