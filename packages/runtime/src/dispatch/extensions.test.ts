import { describe, expect, test, vi } from "vitest";
import type { CallRecord } from "../calls/call-store.js";
import { keeping } from "../extensions/durable/keep-calls.js";
import { informationFlow } from "../extensions/flow/information-flow.js";
import { storedResults } from "../extensions/results/stored-results.js";
import { liveTools } from "../extensions/live/mcp-entry.js";
import { providerSearch, toolSearch } from "../extensions/search/tool-search.js";
import type { PermissionRequest, ToolResult } from "../tool/definition.js";
import { createDispatcher, createKernel } from "./kernel.js";
import type { Permissions } from "./permissions/permission-types.js";
import { defineExtension } from "./state/define-extension.js";
import type { DispatchEvent, DispatcherOptions } from "./state/dispatcher-types.js";
import type { ProgramOptions, Programs } from "./state/program-types.js";
import type {
  Attachment,
  CallPart,
  Concern,
  DispatcherExtension,
  ExtensionHost,
  ToolDoor,
  TurnPart,
  Vote,
} from "./state/extension.js";
import { callsOf, never, reader, writer, type Options } from "./tools.testing.js";

type Doors = {
  readonly attachment?: Partial<Attachment>;
  readonly turn?: TurnPart;
  readonly call?: CallPart;
};

/** Creates an extension with these doors and no others. */
function extension(name: string, { attachment = {}, turn = {}, call }: Doors): DispatcherExtension {
  const part: TurnPart = { ...(call !== undefined && { call: () => call }), ...turn };
  return defineExtension({ name, attach: () => ({ api: undefined, turn: () => part, ...attachment }) });
}

const outcome = { content: [], isError: false, durationMs: 0 };

const concern = (about?: Concern["about"]): Concern => ({
  topic: "budget",
  reason: "It costs money",
  details: {},
  refusal: { code: "budget", message: "The budget is spent.", remedy: "Raise it." },
  about: about ?? (() => concern()),
});

const asking: Vote = { decision: "ask", concern: concern() };

interface Run {
  readonly results: readonly ToolResult[];
  readonly events: readonly DispatchEvent[];
  readonly handler: ReturnType<typeof vi.fn>;
}

/** The tool that programs run: it makes one call. */
const programs: Programs = {
  ...defineExtension({
    name: "programs",
    attach: () => ({ api: undefined, tools: { add: () => [{ tool: runProgram, holds: "nothing" }] } }),
  }),
  close: async () => undefined,
};
const runProgram = reader("run_program", async (_input, options) => {
  const { calls } = options as Options & ProgramOptions;
  return (await calls.run(1, "covered", {}))?.result.content;
});

/** Runs a call, or a program, that reaches every door: its handler uses a secret, and its result is stored. */
async function run(
  extensions: readonly DispatcherExtension[],
  { isProgram = false, ...options }: Partial<DispatcherOptions> & { readonly isProgram?: boolean } = {},
): Promise<Run> {
  const handler = vi.fn((_input: unknown, handle: Options) => {
    (handle as { hide?: (secret: string) => void }).hide?.("secret");
    return "x".repeat(3000);
  });
  const events: DispatchEvent[] = [];
  const limits = { maxResultSizeChars: 1000, timeoutSeconds: 0.05 };
  const tools = [
    writer("send", handler, { limits }),
    writer("refused", handler, { limits, prepare: () => Promise.reject(new Error("no")) }),
    reader("covered", () => "ok"),
  ];
  const kernel = createKernel(
    {
      tools,
      hookTimeoutMs: 30,
      onEvent: (event) => events.push(event),
      permissions: { ask: () => ({ decision: "allow", remember: "session" }) },
      ...options,
    },
    [...extensions, storedResults(), ...(isProgram ? [programs] : [])],
  );
  kernel.definitions("anthropic");
  const results = await kernel.dispatch(callsOf(isProgram ? "run_program" : "send"));
  return { results, events, handler };
}

/** Faults of an extension at a door. */
const FAULTS = {
  throws: () => {
    throw new Error("boom");
  },
  rejects: () => Promise.reject(new Error("boom")),
  hangs: () => never(),
  "answers garbage": () => 7,
} as const;

type Fault = keyof typeof FAULTS;
type Faulty = () => never;

/** Cases by door: the type requires one for each. `isVoid` marks doors whose plain answers nobody reads. */
type Cases<Part> = {
  readonly [Door in keyof Required<Part>]: {
    readonly isVoid?: true;
    readonly doors: (fault: Faulty) => Doors;
    readonly options?: Parameters<typeof run>[1];
    /** An answer that the door refuses, where it accepts 7. */
    readonly garbage?: Faulty;
    /** The handler runs before the fault: its result is withheld. */
    readonly ran?: true;
  };
};

const CALL_DOORS: Cases<Omit<CallPart, "refused">> = {
  version: {
    garbage: () => Promise.resolve(7) as never,
    doors: (fault) => ({
      call: {
        get version() {
          return fault();
        },
      },
    }),
  },
  vote: { doors: (vote) => ({ call: { vote } }) },
  scope: { garbage: () => (() => 7) as never, doors: (scope) => ({ call: { vote: () => asking, scope } }) },
  start: { isVoid: true, doors: (start) => ({ call: { start } }) },
  answer: { doors: (answer) => ({ attachment: { owns: ["answer"] }, call: { answer } }) },
  hide: { isVoid: true, ran: true, doors: (hide) => ({ call: { hide } }) },
  returned: { isVoid: true, ran: true, doors: (returned) => ({ call: { returned } }) },
  received: { isVoid: true, ran: true, doors: (received) => ({ call: { received } }), options: { isProgram: true } },
  ended: { isVoid: true, ran: true, doors: (ended) => ({ call: { ended } }) },
  log: { isVoid: true, ran: true, doors: (log) => ({ call: { log } }) },
  stored: { isVoid: true, ran: true, doors: (stored) => ({ call: { stored } }) },
  labels: { ran: true, doors: (labels) => ({ call: { labels } }) },
};

const TURN_DOORS: Cases<Omit<TurnPart, "end">> = {
  ready: { doors: (ready) => ({ turn: { ready } }) },
  call: { doors: (call) => ({ turn: { call } }) },
  beginBatch: { isVoid: true, doors: (beginBatch) => ({ turn: { beginBatch } }) },
  endBatch: { ran: true, doors: (endBatch) => ({ turn: { endBatch } }) },
  keep: { doors: (keep) => ({ attachment: { owns: ["keep"], keeping }, turn: { keep } }) },
};

const ATTACHMENT_DOORS: Cases<Pick<Attachment, "listed" | "turn">> = {
  listed: { isVoid: true, doors: (listed) => ({ attachment: { listed } }) },
  turn: { doors: (turn) => ({ attachment: { turn } }) },
};

const cases = Object.entries({ ...CALL_DOORS, ...TURN_DOORS, ...ATTACHMENT_DOORS }).flatMap(([door, each]) =>
  (Object.keys(FAULTS) as Fault[])
    .filter((fault) => each.isVoid !== true || fault !== "answers garbage")
    .map((fault) => ({ door, fault, ...each })),
);

describe.each(["alone", "beside another"])("the doors of an extension %s", (place) => {
  const others = place === "alone" ? [] : [extension("other", { call: {} })];

  test.each(cases)("an extension that $fault at `$door` closes the call with its name", async (given) => {
    const { door, fault, doors, options, ran, garbage } = given;
    const isOwnGarbage = fault === "answers garbage" && garbage !== undefined;
    const faulty = extension("budget", doors(isOwnGarbage ? garbage : (FAULTS[fault] as Faulty)));
    const { results, events, handler } = await run([...others, faulty], options);
    const [result] = results;
    expect(result?.isError).toBe(true);
    expect(JSON.stringify(result)).not.toContain("xxx");
    if (options?.isProgram !== true) expect(handler).toHaveBeenCalledTimes(ran === true ? 1 : 0);
    // An answer takes as long as a handler may.
    if (door === "answer" && fault === "hangs") return expect(result?.error?.code).toBe("timeout");
    expect(result?.error).toMatchObject({
      code: "extension-failed",
      message: expect.stringContaining('the host\'s extension "budget" failed at'),
      ...(ran !== true && door !== "answer" && { phase: "permission", effect: "none" }),
    });
    const problems = events.filter(({ type }) => type === "problem");
    expect(problems).toContainEqual(
      expect.objectContaining({ code: "extension-failed", message: expect.stringContaining('"budget"') }),
    );
  });

  test.each(["throws", "rejects", "hangs"] as const)(
    "an extension that %s at `end` is reported with its name",
    async (fault) => {
      const { results, events } = await run([
        ...others,
        extension("budget", { turn: { end: FAULTS[fault] as Faulty } }),
      ]);
      expect(results[0]?.isError).toBe(false);
      const message = expect.stringContaining('"budget" failed at `end`');
      expect(events).toContainEqual(expect.objectContaining({ code: "extension-failed", message }));
    },
  );

  test.each(["throws", "rejects", "hangs"] as const)(
    "an extension that %s at `refused` opens nothing",
    async (fault) => {
      const doors = {
        call: { vote: (): Vote => ({ decision: "deny", reason: "No." }), refused: FAULTS[fault] as Faulty },
      };
      const { results, events, handler } = await run([...others, extension("budget", doors)]);
      expect(handler).not.toHaveBeenCalled();
      expect(results[0]?.error).toMatchObject({ effect: "none" });
      const message = expect.stringContaining('"budget" failed at `refused`');
      expect(events).toContainEqual(expect.objectContaining({ code: "extension-failed", message }));
    },
  );

  test.each(["throws", "rejects", "hangs", "answers garbage"] as const)(
    "an extension that %s at `recall` hands out nothing",
    async (fault) => {
      let host: ExtensionHost | undefined;
      const faulty = extension("budget", { attachment: { recall: FAULTS[fault] as Faulty } });
      const watching = defineExtension({ name: "watching", attach: (given) => ({ api: void (host = given) }) });
      createKernel({ tools: [], hookTimeoutMs: 30 }, [...others, faulty, watching]);
      await expect(host?.recall("chat", [] as readonly CallRecord[])).rejects.toThrow('"budget" failed at `recall`');
    },
  );

  test.each([
    ["attach", defineExtension({ name: "budget", attach: FAULTS.throws as Faulty }), "boom"],
    ["attach, by a promise", defineExtension({ name: "budget", attach: FAULTS.rejects as Faulty }), "not a promise"],
    [
      "attach, by garbage",
      defineExtension({ name: "budget", attach: FAULTS["answers garbage"] as Faulty }),
      '"budget" failed at `attach`',
    ],
    ["begin", extension("budget", { attachment: { begin: FAULTS.throws } }), "boom"],
    ["begin, by a promise", extension("budget", { attachment: { begin: FAULTS.rejects as Faulty } }), "not a promise"],
    ["name", defineExtension({ name: "", attach: () => ({ api: undefined }) }), "its name"],
  ])("no dispatcher is created with an extension that is wrong at `%s`", (_door, faulty, message) => {
    expect(() => createKernel({ tools: [] }, [...others, faulty])).toThrow(message);
  });
});

class Misspelt {
  readonly votes = 3;
  vote(): undefined {
    return undefined;
  }
  #stars(): void {}
  starts(): void {
    this.#stars();
  }
}

test.each<[string, Doors, string]>([
  [
    "a turn",
    { turn: { endbatch: never } as TurnPart },
    "failed at `turn`: `endbatch` is no door; did you mean `endBatch`?",
  ],
  ["a call", { call: { votes: never } as CallPart }, "failed at `call`: `votes` is no door; did you mean `vote`?"],
  ["a call that is like none", { call: { permit: never } as CallPart }, "failed at `call`: `permit` is no door"],
  ["a class", { call: new Misspelt() }, "failed at `call`: `starts` is no door; did you mean `start`?"],
])("a misspelt door of %s refuses the call with the name of the extension", async (_name, doors, message) => {
  const { results, events, handler } = await run([extension("budget", doors), extension("other", { call: {} })]);
  expect(handler).not.toHaveBeenCalled();
  expect(results[0]?.error).toMatchObject({ code: "extension-failed", phase: "permission", effect: "none" });
  expect(events).toContainEqual(
    expect.objectContaining({ type: "problem", message: expect.stringContaining(`"budget" ${message}`) }),
  );
});

test("an instance of a class may have state and functions of its own", async () => {
  class Own implements CallPart {
    readonly calls = 1;
    readonly remember = vi.fn();
    count(): number {
      return this.calls;
    }
    start(): void {
      this.remember(this.count());
    }
  }
  const part = new Own();
  const { results } = await run([extension("budget", { call: part })]);
  expect(results[0]?.isError).toBe(false);
  expect(part.remember).toHaveBeenCalledWith(1);
});

describe.each(["alone", "beside another"])("the door for tools of an extension %s", (company) => {
  const others = company === "alone" ? [] : [extension("other", { attachment: { tools: { add: () => [] } } })];
  const create = (
    tools: ToolDoor,
    events: DispatchEvent[] = [],
    permissions: Permissions = {},
  ): ReturnType<typeof createKernel> =>
    createKernel({ tools: [reader("look")], permissions, hookTimeoutMs: 30, onEvent: (event) => events.push(event) }, [
      ...others,
      extension("budget", { attachment: { tools } }),
    ]);
  const faults = (["add", "place", "addAbout"] as const).flatMap((door) =>
    (Object.keys(FAULTS) as Fault[]).map((fault) => ({ door, fault })),
  );

  test.each(faults)("no dispatcher is created with an extension that $fault at `$door`", ({ door, fault }) => {
    const message = `The extension "budget" failed at \`${door}\``;
    expect(() => create({ [door]: FAULTS[fault] as Faulty })).toThrow(message);
  });

  test.each(faults)("an extension that later $fault at `$door` leaves the list as it is", async ({ door, fault }) => {
    const events: DispatchEvent[] = [];
    const answer = vi.fn((): never => (door === "place" ? undefined : []) as never);
    const kernel = create({ renew: () => true, [door]: answer }, events);
    const before = kernel.definitions("mcp");
    answer.mockImplementation(FAULTS[fault] as Faulty);
    expect((await kernel.dispatch(callsOf("look")))[0]?.isError).toBe(false);
    expect(kernel.definitions("mcp")).toBe(before);
    const message = expect.stringContaining(`"budget" failed at \`${door}\``);
    expect(events).toContainEqual(expect.objectContaining({ code: "refresh-failed", message }));
  });

  test.each(Object.keys(FAULTS) as Fault[])(
    "an extension that %s at `refresh` leaves the list as it is",
    async (fault) => {
      const events: DispatchEvent[] = [];
      const kernel = create({ refresh: FAULTS[fault] as Faulty }, events);
      const before = kernel.definitions("mcp");
      await kernel.refresh();
      expect(kernel.definitions("mcp")).toBe(before);
      const message = expect.stringContaining('"budget" failed at `refresh`');
      expect(events).toContainEqual(expect.objectContaining({ code: "refresh-failed", message }));
    },
  );

  test.each(Object.keys(FAULTS) as Fault[])(
    "an extension that %s at `renew` leaves the list as it is",
    async (fault) => {
      const events: DispatchEvent[] = [];
      const kernel = create({ renew: FAULTS[fault] as Faulty }, events);
      const before = kernel.definitions("mcp");
      expect((await kernel.dispatch(callsOf("look")))[0]?.isError).toBe(false);
      expect(kernel.definitions("mcp")).toBe(before);
      const message = expect.stringContaining('"budget" failed at `renew`');
      expect(events).toContainEqual(expect.objectContaining({ code: "refresh-failed", message }));
    },
  );

  test("a misspelt function is refused with its name", () => {
    expect(() => create({ ad: () => [] } as ToolDoor)).toThrow("`ad` is no door");
  });

  test.each(Object.keys(FAULTS) as Fault[])("a tool whose `reaches` %s calls no tool", async (fault) => {
    const tool = reader("outer", async (_input, { dispatch }) => (await dispatch(callsOf("look")))[0]?.isError);
    const kernel = create({ add: () => [{ tool, reaches: FAULTS[fault] as Faulty }] });
    expect((await kernel.dispatch(callsOf("outer")))[0]?.output).toBe(true);
  });

  test.each(["throws", "rejects", "hangs"] as const)(
    "no person is asked about a tool whose `preview` %s",
    async (fault) => {
      const ask = vi.fn(() => ({ decision: "allow" }) as const);
      const tool = reader("outer", undefined, { behavior: { requiresPermission: true } });
      const kernel = create({ add: () => [{ tool, preview: FAULTS[fault] as Faulty }] }, [], { ask });
      expect((await kernel.dispatch(callsOf("outer")))[0]?.error?.phase).toBe("permission");
      expect(ask).not.toHaveBeenCalled();
    },
  );

  test("a tool that an extension adds is not placed, and does not replace one of the host", () => {
    const place = vi.fn();
    create({ add: () => [{ tool: reader("clock") }], place });
    expect(place.mock.calls.map(([{ tool }]) => (tool as { name: string }).name)).toEqual(["look"]);
    expect(() => create({ add: () => [{ tool: reader("look") }] })).toThrow('Two tools are called "look"');
  });
});

test.each([
  ["no topic", { ...concern(), topic: undefined }],
  ["no reason", { ...concern(), reason: "" }],
  ["no details", { ...concern(), details: undefined }],
  ["no refusal", { ...concern(), refusal: undefined }],
  ["no remedy", { ...concern(), refusal: { code: "budget", message: "No." } }],
])("a concern with %s refuses the call", async (_name, faulty) => {
  const vote = (): Vote => ({ decision: "ask", concern: faulty as Concern });
  const { results, handler } = await run([extension("budget", { call: { vote } })]);
  expect(handler).not.toHaveBeenCalled();
  expect(results[0]?.error?.code).toBe("extension-failed");
});

test.each<[string, unknown]>([
  ["an allow", { decision: "allow", reason: "Fine." }],
  ["a vote without a reason", { decision: "deny" }],
  ["a vote to ask without a reason", { decision: "ask" }],
  ["a list that holds garbage", [asking, 7]],
])("%s is refused as a vote", async (_name, vote) => {
  const { results, handler } = await run([extension("budget", { call: { vote: () => vote as Vote } })]);
  expect(handler).not.toHaveBeenCalled();
  expect(results[0]?.error?.code).toBe("extension-failed");
});

/** Creates an extension that records which of its doors were called. */
function watching(name: string, passed: Set<string>, owned: Partial<CallPart> = {}): DispatcherExtension {
  const noting =
    <Answer>(door: string, answer: Answer) =>
    (): Answer => {
      passed.add(`${name} ${door}`);
      return answer;
    };
  const call: Required<Omit<CallPart, "answer">> = {
    get version() {
      return noting("version", 0)();
    },
    vote: noting("vote", asking),
    scope: noting("scope", "all"),
    start: noting("start", undefined),
    hide: noting("hide", undefined),
    returned: noting("returned", undefined),
    refused: noting("refused", undefined),
    received: noting("received", undefined),
    ended: noting("ended", undefined),
    log: noting("log", undefined),
    stored: noting("stored", undefined),
    labels: noting("labels", undefined),
  };
  const turn: Required<Omit<TurnPart, "keep">> = {
    ready: noting("ready", Promise.resolve()),
    call: noting("call", { ...call, ...owned }),
    beginBatch: noting("beginBatch", undefined),
    endBatch: noting("endBatch", Promise.resolve()),
    end: noting("end", undefined),
  };
  return extension(name, {
    turn,
    attachment: {
      turn: noting("turn", turn),
      begin: noting("begin", undefined),
      listed: noting("listed", undefined),
      tools: {
        add: noting("add", []),
        place: noting("place", undefined),
        addAbout: noting("addAbout", []),
        refresh: noting("refresh", Promise.resolve()),
        renew: noting("renew", false),
      },
      recall: noting("recall", Promise.resolve()),
    },
  });
}

describe("two extensions", () => {
  test("both are called at every door", async () => {
    const passed = new Set<string>();
    const both = [watching("one", passed), watching("two", passed)];
    let host: ExtensionHost | undefined;
    both.push(defineExtension({ name: "host", attach: (given) => ({ api: void (host = given) }) }));
    await run(both);
    await run([...both], { isProgram: true });
    await run(both, { permissions: { deny: [], mode: "plan" } });
    await host?.recall("chat", []);
    const doors = [
      ...Object.keys(CALL_DOORS),
      ...Object.keys(TURN_DOORS),
      "refused",
      "end",
      "turn",
      "listed",
      "add",
      "place",
      "addAbout",
      "refresh",
      "renew",
      "begin",
      "recall",
    ];
    const expected = doors.flatMap((door) => (["answer", "keep"].includes(door) ? [] : [`one ${door}`, `two ${door}`]));
    expect([...passed].toSorted()).toEqual(expected.toSorted());
  });

  test("the stricter vote wins, whichever is first", async () => {
    const asks = extension("asks", { call: { vote: () => asking } });
    const denies = extension("denies", { call: { vote: () => ({ decision: "deny", reason: "Never." }) } });
    for (const order of [
      [asks, denies],
      [denies, asks],
    ]) {
      const { results } = await run(order);
      expect(results[0]?.error).toMatchObject({ code: "denied", message: "Never." });
    }
  });

  test("a result has the labels of both, in a fixed order", async () => {
    const untrusted = extension("one", { call: { labels: () => ["untrusted"] } });
    const secret = extension("two", { call: { labels: () => ["private"] } });
    const { results } = await run([secret, untrusted]);
    expect(results[0]?.labels).toEqual(["untrusted", "private"]);
  });

  test("an extension that needs another is refused without it", () => {
    const needing = { ...extension("budget", {}), needs: ["clock"] };
    expect(() => createKernel({ tools: [] }, [needing])).toThrow(
      "the extension `budget` needs `clock`; add that to `extensions`",
    );
    expect(createKernel({ tools: [] }, [needing, extension("clock", {})]).excluded).toEqual([]);
  });

  test.each<[string, object, string]>([
    ["a door that does not exist", { trun: () => undefined }, "`trun` is unknown; known here: api, owns"],
    ["a door to take over that nobody may", { owns: ["vote"] }, "`owns` must be a list of `answer`, `flow` and `keep`"],
    ["a conversation that is no text", { conversation: 7 }, "`conversation` must be a string"],
  ])("an attachment with %s is refused", (_, attachment, message) => {
    expect(() => createKernel({ tools: [] }, [extension("odd", { attachment })])).toThrow(
      `The extension "odd" failed at \`attach\`: ${message}`,
    );
  });

  test("one of them may take over a door, and each name is used once", () => {
    const owner = (name: string): DispatcherExtension => extension(name, { attachment: { owns: ["answer"] } });
    expect(() => createKernel({ tools: [] }, [owner("one"), owner("two")])).toThrow(
      "the extensions one and two both take over `answer`; leave one of them out",
    );
    const finder = (name: string): DispatcherExtension => ({ ...toolSearch, name });
    const tools = [reader("far", () => "ok", { visibility: { load: "deferred" } })];
    expect(() => createKernel({ tools }, [finder("one"), finder("two")])).toThrow(
      'Two tools are called "tool_search"; rename one of them',
    );
    expect(() => createKernel({ tools: [] }, [extension("one", {}), extension("one", {})])).toThrow(
      "two extensions are called `one`; rename one, or leave it out",
    );
  });

  test("the functions of a registry's extension are found by it", () => {
    const api = { run: vi.fn() };
    const keeping = extension("durable", { attachment: { api } });
    expect(createDispatcher({ tools: { tools: [], extensions: [keeping] } }).use(keeping)).toBe(api);
  });
});

test("an extension answers in place of the handler", async () => {
  const answer = (): typeof outcome => ({ ...outcome, content: [{ type: "text", text: "taped" }] as never });
  const { results, handler } = await run([extension("tape", { attachment: { owns: ["answer"] }, call: { answer } })]);
  expect(handler).not.toHaveBeenCalled();
  expect(results[0]?.content).toEqual([{ type: "text", text: "taped" }]);
});

test("an extension that answers without owning the door refuses the call", async () => {
  const owner = extension("tape", { attachment: { owns: ["answer"] } });
  for (const others of [[], [owner]]) {
    const { results, handler } = await run([...others, extension("stranger", { call: { answer: () => outcome } })]);
    expect(handler).not.toHaveBeenCalled();
    expect(results[0]?.isError).toBe(true);
    expect(results[0]?.error?.message).toContain('"stranger" failed at `answer`: it does not own this door');
  }
});

describe("a concern", () => {
  const asks = extension("budget", { call: { vote: () => asking, scope: () => "all" } });

  test("is put to a person although the call needs no permission, and remembered by its scope", async () => {
    const reasons: unknown[] = [];
    const ask = vi.fn(({ reason }: PermissionRequest) => {
      reasons.push(reason);
      return { decision: "allow", remember: "session" } as const;
    });
    const handler = vi.fn(() => "sent");
    const kernel = createKernel({ tools: [writer("send", handler)], permissions: { ask } }, [asks]);
    await kernel.dispatch(callsOf(["send", { to: "a" }]));
    await kernel.dispatch(callsOf(["send", { to: "b" }]));
    expect([ask.mock.calls.length, handler.mock.calls.length]).toEqual([1, 2]);
    expect(reasons).toEqual(["It costs money"]);
  });

  test("is refused in its own words where nobody can be asked", async () => {
    const { results } = await run([asks], { permissions: {} });
    expect(results[0]?.error).toMatchObject({ phase: "permission", code: "budget", message: "The budget is spent." });
  });

  test("may be a reason alone: it is the person's to answer, and is refused where nobody can be asked", async () => {
    const part = { vote: (): Vote => ({ decision: "ask", reason: "It costs money" }) };
    const reasons: unknown[] = [];
    const asked = await run([extension("budget", { call: part })], {
      permissions: {
        ask({ reason }) {
          reasons.push(reason);
          return "allow";
        },
      },
    });
    expect([asked.results[0]?.isError, reasons]).toEqual([false, ["It costs money"]]);
    const { results } = await run([extension("budget", { call: part })], { permissions: {} });
    expect(results[0]?.error).toMatchObject({
      code: "no-one-to-ask",
      message: expect.stringContaining("send needs permission (It costs money)") as string,
    });
  });

  test("is not waived by an allow, nor by a waiver of another topic", async () => {
    const rules = [{ tool: "send", decision: "allow", flow: "allow" }] as const;
    const { results } = await run([asks], { permissions: { rules } });
    expect(results[0]?.error?.code).toBe("budget");
  });

  test("asks again if it comes up after the person has answered about another", async () => {
    let topics = ["budget"];
    const vote = (): Vote[] => topics.map((topic) => ({ decision: "ask", concern: { ...concern(), topic } }));
    let version = 0;
    const part = {
      vote,
      get version() {
        return version;
      },
    };
    const ask = vi.fn(() => {
      topics = ["budget", "law"];
      version += 1;
      return "allow" as const;
    });
    const { results } = await run([extension("budget", { call: part })], { permissions: { ask } });
    expect([ask.mock.calls.length, results[0]?.isError]).toEqual([2, false]);
  });
});

describe("without the extension that knows what a conversation holds", () => {
  const sent = vi.fn(() => "sent");
  const outward = writer("outward", sent, { behavior: { isOpenWorld: true } });
  const inward = writer("inward", () => "kept");

  test("a registry with `flow: ask` asks about every call of an open-world tool", async () => {
    const events: DispatchEvent[] = [];
    const tools = { tools: [outward, inward], flow: "ask" } as const;
    const kernel = createKernel({ tools, onEvent: (event) => events.push(event) });
    const results = await kernel.dispatch(callsOf("outward", "inward"));
    expect(results.map(({ error }) => error?.code)).toEqual(["flow", undefined]);
    expect(sent).not.toHaveBeenCalled();
    const remedy = expect.stringContaining("@hasp/runtime/flow");
    expect(events).toContainEqual(expect.objectContaining({ type: "denied", code: "flow", remedy }));
    const ask = vi.fn(() => "allow" as const);
    await createKernel({ tools, permissions: { ask } }).dispatch(callsOf("outward", "inward"));
    expect([ask.mock.calls.length, sent.mock.calls.length]).toEqual([1, 1]);
  });

  test.each(["note", "off", undefined] as const)("the setting %s asks about none", async (flow) => {
    const tools = flow === undefined ? [outward] : { tools: [outward], flow };
    const [result] = await createKernel({ tools }).dispatch(callsOf("outward"));
    expect(result?.isError).toBe(false);
  });
});

describe("the option `extensions`", () => {
  const counter = (name: string, start: number): DispatcherExtension<() => number> =>
    defineExtension({ name, attach: () => ({ api: () => start }) });

  test("`use` returns the functions of an extension, typed, and names the one that is missing", () => {
    const mine = counter("count", 7);
    const dispatcher = createDispatcher({ tools: [], extensions: [mine] });
    const count: number = dispatcher.use(mine)();
    expect(count).toBe(7);
    expect(() => dispatcher.use(counter("count", 1))).toThrow('no such extension "count"');
    expect(() => dispatcher.use(counter("other", 1))).toThrow('no such extension "other": add it to `extensions`');
  });

  test("a registry brings its extensions, and one of the same name replaces its own", () => {
    const [mine, theirs] = [counter("count", 7), counter("count", 1)];
    const tools = { tools: [], extensions: [theirs, informationFlow] };
    expect(createDispatcher({ tools }).use(theirs)()).toBe(1);
    const dispatcher = createDispatcher({ tools, extensions: [mine] });
    expect(dispatcher.use(mine)()).toBe(7);
    expect(() => dispatcher.use(theirs)).toThrow('no such extension "count"');
    expect(Object.keys(dispatcher.use(informationFlow))).toEqual(["labels", "forget"]);
  });

  test.each<[string, unknown]>([
    ["no list", counter("count", 1)],
    ["a function that makes one", [() => counter("count", 1)]],
    ["one without a name", [{ ...counter("count", 1), name: undefined }]],
    ["one that `defineExtension` has not made", [{ name: "count", attach: () => ({ api: undefined }) }]],
  ])("%s is a TypeError", (_, extensions) => {
    expect(() => createDispatcher({ tools: [], extensions } as never)).toThrow(
      "`extensions` must be a list of extensions, made by `defineExtension`",
    );
  });
});

describe("a dispatcher without extensions", () => {
  test("the extension for live servers needs that for information flow", () => {
    expect(() => createKernel({ tools: [] }, [liveTools([])])).toThrow("the extension `live` needs `flow`");
    expect(createKernel({ tools: [] }, [liveTools([]), informationFlow]).excluded).toEqual([]);
  });

  test("a dispatcher with deferred tools needs an extension that finds them, unless the provider searches", () => {
    const tools = [reader("far", () => "ok", { visibility: { load: "deferred" } })];
    expect(() => createKernel({ tools })).toThrow('"far" is deferred, and nothing finds it');
    expect(createKernel({ tools }, [providerSearch]).excluded).toEqual([]);
  });
});
