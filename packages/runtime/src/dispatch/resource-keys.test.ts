import { describe, expect, test } from "vitest";
import { createResourceFinder, type ResourceKey } from "../tool/resource-key.js";
import { buildTool } from "../tool/tool.js";
import { createGate } from "./scheduling/gate.js";
import {
  createEquippedDispatcher as createDispatcher,
  callsOf,
  reader,
  sleep,
  writer,
  type Options,
} from "./tools.testing.js";

const SPELLINGS = [
  (file: string) => file,
  (file: string) => `./${file}`,
  (file: string) => `src/../src//${file}`,
  (file: string) => file.toUpperCase(),
  (file: string) => `/code/shop/${file}`,
  (file: string) => `C:\\code\\${file}`,
  (file: string) => `${file}.`,
];

/** Creates a small generator of whole numbers below a limit, the same in every run. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** Creates a counter for each file, which loses an update if two handlers change it at once. */
function createCounters(): { readonly totals: Map<string, number>; increment(path: string): Promise<string> } {
  const totals = new Map<string, number>();
  return {
    totals,
    async increment(path) {
      const file = path
        .toLowerCase()
        .replace(/^.*[/\\]/u, "")
        .replace(/\.$/u, "");
      const before = totals.get(file) ?? 0;
      await sleep(before % 3);
      totals.set(file, before + 1);
      return "ok";
    },
  };
}

const UPDATES = 300;

describe("300 updates of files under random names and spellings", () => {
  test.each([
    ["one turn", 1, 1, false],
    ["a turn for each ten", 30, 1, false],
    ["two dispatchers on one gate", 10, 2, false],
    ["two tools in one space", 5, 1, true],
    ["two tools and three dispatchers", 12, 3, true],
    ["a hook that changes paths", 6, 1, false],
  ])("loses no update in the arrangement: %s", async (arrangement, turns, dispatchers, hasTwoTools) => {
    const random = numbers(turns * 100 + dispatchers);
    const { totals, increment } = createCounters();
    const execute = ({ path }: Record<string, unknown>): Promise<string> => increment(String(path));
    const parts = { concurrency: { class: "WRITE_EXCLUSIVE", key: "path(input.path)" } } as const;
    const tools = [writer("edit", execute, parts), ...(hasTwoTools ? [writer("write", execute, parts)] : [])];
    const gate = createGate();
    const spell = (): string => {
      const file = `f${random(12)}.txt`;
      return SPELLINGS[random(SPELLINGS.length)]?.(file) ?? file;
    };
    const hooks = arrangement.startsWith("a hook")
      ? { hooks: { transform: () => (random(3) === 0 ? { input: { path: spell() } } : undefined) } }
      : {};
    const all = Array.from({ length: dispatchers }, () => createDispatcher({ tools, gate, ...hooks }));
    const results = await Promise.all(
      Array.from({ length: turns }, (_, turn) =>
        all[turn % dispatchers]?.dispatch(
          callsOf(
            ...Array.from({ length: UPDATES / turns }, () => {
              const name = hasTwoTools && random(2) === 0 ? "write" : "edit";
              return [name, { path: spell() }] as const;
            }),
          ),
        ),
      ),
    );
    const flat = results.flatMap((each) => each ?? []);
    expect(flat).toHaveLength(UPDATES);
    expect(flat.filter((result) => result.isError)).toEqual([]);
    expect([...totals.values()].reduce((sum, count) => sum + count, 0)).toBe(UPDATES);
    expect(flat.some((result) => result.wasConcurrent)).toBe(true);
  });
});

/** Returns the most handlers that ran at once. */
async function mostAtOnce(key: ResourceKey<never> | undefined, inputs: readonly object[]): Promise<number> {
  let running = 0;
  let most = 0;
  const tool = writer(
    "edit",
    async () => {
      running += 1;
      most = Math.max(most, running);
      await sleep(2);
      running -= 1;
    },
    { concurrency: { class: "WRITE_EXCLUSIVE", key: key as ResourceKey<Record<string, unknown>> | undefined } },
  );
  const dispatcher = createDispatcher({ tools: [tool] });
  const results = await dispatcher.dispatch(callsOf(...inputs.map((input) => ["edit", input] as const)));
  expect(results.every((result) => !result.isError)).toBe(true);
  return most;
}

describe("a resource key", () => {
  const files = ["a", "b", "c"].map((path) => ({ path }));

  test.each<[string, ResourceKey<never>]>([
    ["a member", "input.path"],
    ["a path", "path(input.path)"],
    ["folded text", "lower(input.path)"],
    ["a function", ({ path }: { path: string }) => path],
  ])("lets writers of different resources run in parallel: %s", async (_what, key) => {
    expect(await mostAtOnce(key, files)).toBe(3);
    expect(await mostAtOnce(key, [{ path: "a" }, { path: "a" }])).toBe(1);
  });

  test.each<[string, ResourceKey<never> | undefined, unknown]>([
    ["no key", undefined, "a"],
    [
      "a key that throws",
      () => {
        throw new Error("broken");
      },
      "a",
    ],
    ["a key that is a promise", (() => Promise.resolve("a")) as never, "a"],
    ["a key that is no text", (() => ({})) as never, "a"],
    ["an absent member", "input.other", "a"],
    ["a member of a text", "input.path.length", "a"],
    ["a number that is not whole", "input.path", 0.5],
    ["an empty key", "input.path", ""],
    ["a key of a megabyte", "input.path", "x".repeat(1_000_000)],
    ["a folder above", "path(input.path)", "../.."],
    ["a short name of Windows", "path(input.path)", "PROGRA~1"],
    ["a stream of Windows", "path(input.path)", "a.txt:b"],
    ["an escaped name", "path(input.path)", "%61.txt"],
  ])("makes a call run alone if there is %s", async (_what, key, path) => {
    expect(await mostAtOnce(key, [{ path }, { path: "b" }, { path: "c" }])).toBeLessThan(3);
    expect(await mostAtOnce(key, [{ path }, { path: "b" }])).toBe(1);
  });

  test("compares all spellings of one name as one path", async () => {
    for (const spell of [...SPELLINGS, (file: string) => file.replace("e", "\u0065\u200D")]) {
      expect(await mostAtOnce("path(input.path)", [{ path: spell("one.txt") }, { path: "one.txt" }])).toBe(1);
    }
    const accents = [{ path: "caf\u00E9" }, { path: "CAFE\u0301" }];
    expect(await mostAtOnce("path(input.path)", accents)).toBe(1);
    expect(await mostAtOnce("lower(input.path)", accents)).toBe(1);
  });

  test.each(["path(input.path)", "lower(input.path)"])(
    "is the same for each character of Unicode in both of its cases, and does not fold further: %s",
    (key) => {
      const find = createResourceFinder(key);
      const fold = (path: string): string | undefined => find({ path: `a${path}b` })?.key;
      const apart: string[] = [];
      for (let code = 0; code <= 0x10_ff_ff; code += 1) {
        const character = String.fromCodePoint(code);
        const others = [character.toLowerCase(), character.toUpperCase(), character.normalize("NFKD")];
        if (others.every((other) => other === character)) continue;
        const folded = fold(character);
        // Without a key, the call runs alone.
        if (folded === undefined) continue;
        if (find({ path: folded })?.key !== folded || others.some((other) => fold(other) !== folded)) {
          apart.push(code.toString(16));
        }
      }
      expect(apart).toEqual([]);
    },
  );

  test("is not compared with a key of another space", async () => {
    const spans: string[] = [];
    const write = async (_input: object, { callId }: Options): Promise<void> => {
      spans.push(`+${callId}`);
      await sleep(2);
      spans.push(`-${callId}`);
    };
    const keyed = (name: string, key: ResourceKey<Record<string, unknown>>): ReturnType<typeof writer> =>
      writer(name, write, { concurrency: { class: "WRITE_EXCLUSIVE", key } });
    const tools = [
      keyed("one", "path(input.path)"),
      keyed("two", "lower(input.path)"),
      keyed("three", () => "x"),
      keyed("four", "input.id"),
      keyed("five", "input.number"),
      keyed("six", "path(input.id)"),
      keyed("seven", "path(input.number)"),
    ];
    const { dispatch } = createDispatcher({ tools });
    await dispatch(callsOf(["one", { path: "a" }], ["two", { path: "b" }], ["three", { path: "c" }]));
    expect(spans.splice(0)).toEqual(["+1", "-1", "+2", "-2", "+3", "-3"]);
    // One thing may have an id and a number. A path names a file, whatever the member is called.
    await dispatch(callsOf(["four", { id: "a" }], ["five", { number: "1" }]));
    expect(spans.splice(0)).toEqual(["+1", "-1", "+2", "-2"]);
    await dispatch(callsOf(["six", { id: "a" }], ["seven", { number: "b" }]));
    expect(spans).toEqual(["+1", "+2", "-1", "-2"]);
  });

  test("keeps a handler from dispatching what may touch anything else", async () => {
    const inner = writer("inner", () => "ok", { concurrency: { class: "WRITE_EXCLUSIVE", key: "input.path" } });
    const outer = writer(
      "outer",
      async (_input, { dispatch }) => {
        const nested = callsOf("look", ["inner", { path: "b" }], ["inner", { path: "a" }]);
        return (await dispatch(nested)).map((result) => result.error?.code ?? "ok");
      },
      { concurrency: { class: "WRITE_EXCLUSIVE", key: "input.path" } },
    );
    const dispatcher = createDispatcher({ tools: [outer, inner, reader("look")] });
    const [result] = await dispatcher.dispatch(callsOf(["outer", { path: "a" }]));
    expect(result?.output).toEqual(["nested-call-elsewhere", "nested-call-elsewhere", "ok"]);
  });

  test("is refused if it is no key, or if no call is WRITE_EXCLUSIVE", () => {
    const build = (concurrency: object): void =>
      void buildTool({ name: "a", description: "d", input: { type: "object" }, concurrency, execute: () => "ok" });
    expect(() => build({ class: "WRITE_EXCLUSIVE", key: "basename(input.path)" })).toThrow(/lower\(input\.id\)/u);
    expect(() => build({ class: "WRITE_EXCLUSIVE", key: "context.path" })).toThrow(TypeError);
    expect(() => build({ class: "READ_ONLY", key: "input.path" })).toThrow("has no effect");
  });
});
