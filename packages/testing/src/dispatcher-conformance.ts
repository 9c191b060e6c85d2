import { dropUndefined } from "@hasp/base/json";
import type { JsonSchema } from "@hasp/schema";
import type { ConformanceCase } from "./call-store-conformance.js";

/** A tool of a conformance case. It may throw, hang or return anything. */
interface ConformanceTool {
  readonly name: string;
  readonly description: string;
  /** The schema of a closed object; every property is required. */
  readonly input: JsonSchema;
  /** The schema of what it returns, if the framework is told. */
  readonly output?: JsonSchema;
  /** True if somebody else executes the calls: `execute` stands for them, behind whatever the framework has for that. */
  readonly isExternal: boolean;
  /** A reader changes nothing; any other tool writes. */
  readonly isReadOnly: boolean;
  /** True if a person must allow each call. */
  readonly needsPermission: boolean;
  /** True if the host's rules deny every call, whatever a person would say. */
  readonly isDenied: boolean;
  readonly timeoutMs: number;
  readonly maxRetries: number;
  readonly execute: (input: unknown, options: { readonly signal?: AbortSignal | undefined }) => unknown;
}

/** A call as a model sends it: `input` is JSON text, or what the model took for it. */
interface ConformanceCall {
  readonly id: string;
  readonly name: string;
  readonly input: string;
}

/** All calls of one response of a model. */
export interface ConformanceTurn {
  readonly tools: readonly ConformanceTool[];
  readonly calls: readonly ConformanceCall[];
  readonly signal: AbortSignal;
  /** Asks the person. It may reject. */
  readonly ask: (call: { readonly callId: string; readonly input: unknown }) => Promise<ConformanceDecision>;
}

/** The answer of a person; with `input`, the call may run with that input instead. */
type ConformanceDecision = "allow" | "deny" | { readonly input: Readonly<Record<string, unknown>> };

/** The answer to one call, as the model reads it. */
interface ConformanceAnswer {
  readonly callId: string;
  readonly text: string;
  /** `undefined` if the framework's answers do not say it. */
  readonly isError: boolean | undefined;
}

/** A dispatcher under test. */
export interface DispatcherAdapter {
  /** Runs a turn and returns the answers in the order in which the model reads them. */
  readonly run: (turn: ConformanceTurn) => Promise<readonly ConformanceAnswer[]>;
  /** The groups, and the names of cases, that the framework leaves to its host, each with the reason. */
  readonly leavesToHost?: { readonly [groupOrName: string]: string };
}

type DispatcherGroup =
  | "answers"
  | "order"
  | "parallel readers"
  | "input"
  | "timeouts"
  | "aborts"
  | "permission"
  | "edited answers"
  | "external calls"
  | "retries"
  | "hostile results"
  | "limits";

/** A case that every dispatcher should pass: `run` rejects with an `Error` that names the fault. */
export interface DispatcherCase extends ConformanceCase {
  readonly group: DispatcherGroup;
  /** The reason why the adapter expects no pass. The case runs all the same. */
  readonly leftToHost?: string;
}

/** Returns the cases that a dispatcher of any framework should pass, for any test runner. */
export function dispatcherConformance(adapter: DispatcherAdapter): readonly DispatcherCase[] {
  const { leavesToHost = {} } = adapter;
  const cases = Object.entries(GROUPS).flatMap(([group, checks]) =>
    Object.entries(checks).map(([name, check]): DispatcherCase => {
      const leftToHost = leavesToHost[name] ?? leavesToHost[group];
      return {
        name,
        group: group as DispatcherGroup,
        ...dropUndefined({ leftToHost }),
        run: () => check(new Scene(adapter)),
      };
    }),
  );
  const unknown = Object.keys(leavesToHost).find(
    (key) => !cases.some(({ name, group }) => key === name || key === group),
  );
  if (unknown !== undefined) throw new TypeError(`\`leavesToHost\`: no group or case is called "${unknown}".`);
  return cases;
}

type DispatcherCheck = (scene: Scene) => Promise<void>;
type ToolFunction = ConformanceTool["execute"];
type ToolSettings = Partial<Omit<ConformanceTool, "name" | "execute">>;

/** The longest time of a turn: no case needs a third of it. */
const MOST_MS = 3000;

const nothing = { type: "object", properties: {}, required: [], additionalProperties: false } as const;
const amount = {
  type: "object",
  properties: { amount: { type: "integer" } },
  required: ["amount"],
  additionalProperties: false,
} as const;

/** The tools of one case, what they did, and what the person was asked. */
class Scene {
  readonly log: string[] = [];
  readonly questions: { readonly callId: string; readonly input: unknown }[] = [];
  readonly controller: AbortController = new AbortController();
  answer: (callId: string) => ConformanceDecision | Promise<ConformanceDecision> = () => "allow";
  readonly #tools: ConformanceTool[] = [];
  readonly #adapter: DispatcherAdapter;

  constructor(adapter: DispatcherAdapter) {
    this.#adapter = adapter;
  }

  reader(name: string, execute: ToolFunction = () => name, parts: ToolSettings = {}): void {
    this.#add(name, execute, { isReadOnly: true, ...parts });
  }

  writer(name: string, execute: ToolFunction = () => name, parts: ToolSettings = {}): void {
    this.#add(name, execute, parts);
  }

  #add(name: string, execute: ToolFunction, parts: ToolSettings): void {
    this.#tools.push({
      name,
      description: `Does ${name}.`,
      input: nothing,
      isReadOnly: false,
      isExternal: false,
      needsPermission: false,
      isDenied: false,
      timeoutMs: 5000,
      maxRetries: 0,
      ...parts,
      execute: (input, options) => {
        this.log.push(name);
        return execute(input, options);
      },
    });
  }

  /** Runs calls, named `tool` or `[tool, input text]`, with the ids `call-1`, `call-2`, … */
  async run(...calls: readonly (string | readonly [tool: string, input: string])[]): Promise<TurnAnswers> {
    const sent = calls.map((call, index) => {
      const [name, input] = typeof call === "string" ? [call, "{}"] : call;
      return { id: `call-${index + 1}`, name, input };
    });
    const answers = await this.send(sent);
    const ids = sent.map(({ id }) => id);
    equal(answers.map(({ callId }) => callId).toSorted(), ids.toSorted(), "the ids of the answers");
    return new TurnAnswers(answers, ids);
  }

  async send(calls: readonly ConformanceCall[]): Promise<readonly ConformanceAnswer[]> {
    const turn = this.#adapter.run({
      tools: this.#tools,
      calls,
      signal: this.controller.signal,
      ask: async (question) => {
        this.questions.push(question);
        return this.answer(question.callId);
      },
    });
    return within(MOST_MS, turn, "the turn did not end");
  }

  ran(...names: readonly string[]): void {
    equal(this.log, names, "the tools that ran");
  }
}

/** The answers of a turn, in the order of the calls. */
class TurnAnswers {
  readonly all: readonly ConformanceAnswer[];
  readonly areInOrder: boolean;

  constructor(answers: readonly ConformanceAnswer[], ids: readonly string[]) {
    this.all = answers.toSorted((a, b) => ids.indexOf(a.callId) - ids.indexOf(b.callId));
    this.areInOrder = this.all.every((answer, index) => answer === answers[index]);
  }

  text(index: number): string {
    return this.all[index]?.text ?? "";
  }

  areFine(...indexes: readonly number[]): void {
    for (const index of indexes) this.#judge(index, true, "succeeded");
  }

  areErrors(...indexes: readonly number[]): void {
    for (const index of indexes) {
      this.#judge(index, false, "is an error");
      if (this.text(index).trim() === "") throw new Error(`answer ${index + 1} does not say what is wrong`);
    }
  }

  #judge(index: number, isFine: boolean, what: string): void {
    if (this.all[index]?.isError === isFine) {
      throw new Error(`answer ${index + 1} does not say that the call ${what}: ${shorten(this.text(index))}`);
    }
  }
}

const GROUPS: { readonly [Group in DispatcherGroup]: { readonly [name: string]: DispatcherCheck } } = {
  answers: {
    "answers every call once, in the order of the calls": async (scene) => {
      scene.reader("slow", () => later(30, "slow"));
      scene.reader("fast");
      scene.writer("write", () => later(5, "write"));
      const answers = await scene.run("slow", "fast", "write", "fast", "slow");
      equal(answers.areInOrder, true, "whether the answers have the order of the calls");
      answers.areFine(0, 1, 2, 3, 4);
      for (const [index, word] of ["slow", "fast", "write", "fast", "slow"].entries()) {
        contains(answers.text(index), word, `answer ${index + 1}`);
      }
    },
    "answers a hundred calls of one turn": async (scene) => {
      scene.reader("look");
      const answers = await scene.run(...Array.from({ length: 100 }, () => "look"));
      answers.areFine(...answers.all.keys());
      equal(scene.log.length, 100, "the number of runs");
    },
    "answers a call of a tool that does not exist, and runs its siblings": async (scene) => {
      scene.reader("look");
      const answers = await scene.run("look", "no_such_tool", "look");
      answers.areErrors(1);
      answers.areFine(0, 2);
      scene.ran("look", "look");
    },
    "answers a call whose tool throws, and runs its siblings": async (scene) => {
      scene.reader("look");
      scene.writer("fail", () => {
        throw new Error("the disk is full");
      });
      const answers = await scene.run("look", "fail", "look");
      answers.areErrors(1);
      contains(answers.text(1), "the disk is full", "the answer");
      answers.areFine(0, 2);
    },
    "runs only one of two calls that share an id": async (scene) => {
      scene.writer("pay");
      const call = { id: "call-1", name: "pay", input: "{}" };
      const answers = await scene.send([call, call]);
      if (answers.length === 0) throw new Error("neither call was answered");
      scene.ran("pay");
    },
  },

  order: {
    "starts writers in the order of the calls": async (scene) => {
      const names = ["a", "b", "c", "d"];
      for (const [index, name] of names.entries()) scene.writer(name, () => later(20 - 5 * index, name));
      await scene.run(...names);
      scene.ran(...names);
    },
    "lets a reader see what an earlier writer wrote, and nothing of a later one": async (scene) => {
      let value = "old";
      scene.reader("read", () => later(1, value));
      scene.writer("write", async () => {
        await later(20);
        value = "new";
        return "written";
      });
      const answers = await scene.run("read", "write", "read");
      contains(answers.text(0), "old", "the read before the write");
      contains(answers.text(2), "new", "the read after the write");
    },
    "keeps both of two edits of one value": async (scene) => keepsEdits(scene, 2),
    "keeps all of thirty edits among readers": async (scene) => {
      scene.reader("read", () => later(1, "read"));
      await keepsEdits(scene, 30, "read");
    },
    "runs a writer while nothing else runs": async (scene) => {
      let [running, most] = [0, 0];
      const work = async (isWriter: boolean): Promise<string> => {
        running += 1;
        await later(10);
        if (isWriter) most = Math.max(most, running);
        running -= 1;
        return "done";
      };
      scene.reader("read", () => work(false));
      scene.writer("write", () => work(true));
      await scene.run("read", "write", "write", "read", "write");
      equal(most, 1, "the calls that ran at once with a writer");
    },
  },

  "parallel readers": {
    "runs readers at the same time": async (scene) => runsReadersAtOnce(scene),
    "runs readers at the same time in a turn that writes too": async (scene) => {
      scene.writer("write");
      await runsReadersAtOnce(scene, "write");
    },
  },

  input: {
    "answers a value of the wrong type without running the tool": async (scene) => refusesInput(scene, '{"amount":[]}'),
    "answers a missing property without running the tool": async (scene) => refusesInput(scene, "{}"),
    "answers an undeclared property without running the tool": async (scene) =>
      refusesInput(scene, '{"amount":1,"force":true}'),
    "answers text that is not JSON without running the tool": async (scene) => refusesInput(scene, '{"amount": 1'),
    "answers JSON that is not an object without running the tool": async (scene) => refusesInput(scene, "[1]"),
    "hands no tool a member called __proto__": async (scene) => {
      const received: unknown[] = [];
      scene.reader("look", (input) => `look ${received.push(input)}`, { input: amount });
      await scene.run(["look", '{"amount":1,"__proto__":{"admin":true}}']);
      for (const input of received as readonly { readonly admin?: unknown }[]) {
        equal([input.admin, Object.hasOwn(input, "__proto__")], [undefined, false], "the member");
      }
    },
    "names the property that is wrong": async (scene) => {
      scene.writer("pay", undefined, { input: amount });
      contains((await scene.run(["pay", '{"amount":"many"}'])).text(0), "amount", "the answer");
    },
    "takes empty text for no arguments": async (scene) => {
      scene.reader("look");
      (await scene.run(["look", ""])).areFine(0);
      scene.ran("look");
    },
  },

  timeouts: {
    "answers a tool that never ends, and its siblings": async (scene) => {
      scene.reader("hang", never, { timeoutMs: 30 });
      scene.reader("look");
      const answers = await scene.run("hang", "look");
      answers.areErrors(0);
      answers.areFine(1);
    },
    "aborts the signal of a tool whose time is up": async (scene) => {
      let isAborted = false;
      scene.reader(
        "hang",
        (_input, { signal }) =>
          new Promise((_, reject) => {
            signal?.addEventListener("abort", () => {
              isAborted = true;
              reject(new Error("stopped"));
            });
          }),
        { timeoutMs: 30 },
      );
      (await scene.run("hang")).areErrors(0);
      equal(isAborted, true, "whether the signal was aborted");
    },
    "answers with the timeout, whatever the tool returns later": async (scene) => {
      scene.writer("late", () => later(120, "a late result"), { timeoutMs: 30 });
      const answers = await scene.run("late");
      answers.areErrors(0);
      equal(answers.text(0).includes("a late result"), false, "whether the answer holds the late result");
    },
    "starts no writer beside one whose time is up and that still runs": async (scene) => {
      let [isRunning, wasBeside] = [false, false];
      scene.writer(
        "late",
        async () => {
          isRunning = true;
          await later(200);
          isRunning = false;
          return "late";
        },
        { timeoutMs: 30 },
      );
      scene.writer("next", () => {
        wasBeside = isRunning;
        return "next";
      });
      (await scene.run("late", "next")).areErrors(0);
      equal(wasBeside, false, "whether the next writer ran beside it");
    },
  },

  aborts: {
    "answers every call of an aborted turn and starts no further one": async (scene) => {
      scene.writer("first", (_input, { signal }) => abortsWith(scene, signal));
      scene.writer("second");
      (await scene.run("first", "second")).areErrors(0, 1);
      scene.ran("first");
    },
    "aborts the signal of a running tool": async (scene) => {
      let isAborted = false;
      scene.writer("first", async (_input, { signal }) => {
        scene.controller.abort();
        await later(20);
        isAborted = signal?.aborted === true;
      });
      await scene.run("first").catch(() => undefined);
      await later(40);
      equal(isAborted, true, "whether the signal was aborted");
    },
    "ends although a tool ignores the abort": async (scene) => {
      scene.reader("hang", () => {
        scene.controller.abort();
        return never();
      });
      (await scene.run("hang")).areErrors(0);
    },
    "runs nothing of a turn that was aborted before it began": async (scene) => {
      scene.writer("write");
      scene.controller.abort();
      (await scene.run("write", "write")).areErrors(0, 1);
      scene.ran();
    },
  },

  permission: {
    "runs no tool that is denied": async (scene) => {
      scene.writer("wipe", undefined, { isDenied: true });
      scene.reader("look");
      const answers = await scene.run("wipe", "look");
      answers.areErrors(0);
      answers.areFine(1);
      scene.ran("look");
    },
    "asks nobody about a call that is denied": async (scene) => {
      scene.writer("wipe", undefined, { isDenied: true, needsPermission: true });
      scene.writer("pay", undefined, { needsPermission: true });
      (await scene.run("wipe")).areErrors(0);
      equal(scene.questions, [], "the questions");
      scene.ran();
    },
    "asks nobody about a call that is invalid": async (scene) => {
      scene.writer("pay", undefined, { input: amount, needsPermission: true });
      (await scene.run(["pay", '{"amount":"many"}'])).areErrors(0);
      equal(scene.questions, [], "the questions");
      scene.ran();
    },
    "asks once about each call, about the input that then runs": async (scene) => {
      const paid: unknown[] = [];
      scene.writer("pay", (input) => `payment ${paid.push(input)}`, { input: amount, needsPermission: true });
      scene.reader("look");
      await scene.run(["pay", '{"amount":1}'], "look", ["pay", '{"amount":2}']);
      const inputs = scene.questions.map(({ input }) => input);
      equal(inputs, [{ amount: 1 }, { amount: 2 }], "the inputs that were asked about");
      equal(paid, inputs, "the inputs that ran");
    },
    "runs nothing before the answer": async (scene) => {
      let [isAnswered, ranEarly] = [false, false];
      scene.answer = async (): Promise<ConformanceDecision> => {
        await later(30);
        isAnswered = true;
        return "allow";
      };
      const pay = (): string => {
        ranEarly = !isAnswered;
        return "paid";
      };
      scene.writer("pay", pay, { needsPermission: true });
      await scene.run("pay");
      scene.ran("pay");
      equal(ranEarly, false, "whether the call ran before the answer");
    },
    "runs nothing that a person refused, and answers it": async (scene) => {
      scene.answer = (callId) => (callId === "call-1" ? "deny" : "allow");
      scene.writer("wipe", undefined, { needsPermission: true });
      scene.writer("pay", undefined, { needsPermission: true });
      const answers = await scene.run("wipe", "pay");
      answers.areErrors(0);
      answers.areFine(1);
      scene.ran("pay");
    },
    "refuses a call if the person cannot be asked": async (scene) => {
      scene.answer = () => Promise.reject(new Error("the line is dead"));
      scene.writer("wipe", undefined, { needsPermission: true });
      (await scene.run("wipe")).areErrors(0);
      scene.ran();
    },
  },

  "edited answers": {
    "runs a call with the input that the answer gives, once": async (scene) => {
      const paid: unknown[] = [];
      scene.answer = (callId) => (callId === "call-1" ? { input: { amount: 2 } } : "allow");
      scene.writer("pay", (input) => `payment ${paid.push(input)}`, { input: amount, needsPermission: true });
      const answers = await scene.run(["pay", '{"amount":1}'], ["pay", '{"amount":3}']);
      answers.areFine(0, 1);
      equal(paid, [{ amount: 2 }, { amount: 3 }], "the inputs that ran");
    },
    "tells the model with which input the call ran": async (scene) => {
      scene.answer = () => ({ input: { amount: 4711 } });
      scene.writer("pay", () => "paid", { input: amount, needsPermission: true });
      contains((await scene.run(["pay", '{"amount":1}'])).text(0), "4711", "the answer");
    },
    "runs nothing with an edited input that is invalid": async (scene) => refusesEdit(scene, { amount: "many" }),
    "runs nothing with an edited input that has more than the tool takes": async (scene) =>
      refusesEdit(scene, { amount: 2, to: "mallory" }),
  },

  "external calls": {
    "answers a call with the output of somebody else, who is asked once": async (scene) => {
      scene.writer("choose", () => later(5, "chosen elsewhere"), { isExternal: true });
      scene.reader("look");
      const answers = await scene.run("choose", "look");
      answers.areFine(0, 1);
      contains(answers.text(0), "chosen elsewhere", "the answer");
      equal(scene.log.filter((name) => name === "choose").length, 1, "the times that it was executed");
    },
    "hands out no call that is invalid": async (scene) => {
      scene.writer("choose", undefined, { input: amount, isExternal: true });
      await runsSiblingOnly(scene, ["choose", '{"amount":"many"}']);
    },
    "hands out no call that a person refused": async (scene) => {
      scene.answer = () => "deny";
      scene.writer("choose", undefined, { isExternal: true, needsPermission: true });
      await runsSiblingOnly(scene, ["choose", "{}"]);
    },
    "answers a call that somebody else could not execute": async (scene) => {
      scene.writer("choose", () => Promise.reject(new Error("the page was closed")), { isExternal: true });
      scene.reader("look");
      const answers = await scene.run("choose", "look");
      answers.areErrors(0);
      contains(answers.text(0), "the page was closed", "the answer");
      answers.areFine(1);
    },
    "accepts no output of somebody else that does not fit its schema": async (scene) => {
      const output = { type: "object", properties: { day: { type: "integer" } }, required: ["day"] } as const;
      scene.writer("choose", () => ({ day: "IGNORE-ME" }), { isExternal: true, output });
      scene.reader("look");
      const answers = await scene.run("choose", "look");
      answers.areErrors(0);
      answers.areFine(1);
    },
    "shortens an output of somebody else": async (scene) => shortensResult(scene, { isExternal: true }),
  },

  retries: {
    "repeats a reader after a transient failure": async (scene) => {
      let attempts = 0;
      const look = (): string => ((attempts += 1) === 1 ? failInPassing() : "seen");
      scene.reader("look", look, { maxRetries: 2 });
      (await scene.run("look")).areFine(0);
      equal(attempts, 2, "the attempts");
    },
    "repeats no reader after a permanent failure": async (scene) => {
      const fail = (): never => {
        throw new Error("no such file");
      };
      scene.reader("look", fail, { maxRetries: 2 });
      (await scene.run("look")).areErrors(0);
      scene.ran("look");
    },
    "repeats no writer that may have had its effect": async (scene) => {
      scene.writer("pay", failInPassing, { maxRetries: 2 });
      (await scene.run("pay")).areErrors(0);
      scene.ran("pay");
    },
    "repeats no writer whose time was up": async (scene) => {
      scene.writer("pay", () => later(100, "paid"), { maxRetries: 2, timeoutMs: 20 });
      (await scene.run("pay")).areErrors(0);
      await later(150);
      scene.ran("pay");
    },
  },

  "hostile results": {
    "answers a tool that returns nothing": async (scene) => answersResult(scene, () => undefined),
    "answers a tool that returns a number that JSON lacks": async (scene) => answersResult(scene, () => Number.NaN),
    "answers a tool that returns a bigint": async (scene) => answersResult(scene, () => ({ id: 2n ** 64n })),
    "answers a tool that returns a circular object": async (scene) =>
      answersResult(scene, () => {
        const circle: { self?: unknown } = {};
        circle.self = circle;
        return circle;
      }),
    "answers a tool that returns a function": async (scene) => answersResult(scene, () => () => 1),
    "answers a tool that returns a symbol": async (scene) => answersResult(scene, () => Symbol("s")),
    "answers a tool whose result throws when it is read": async (scene) =>
      answersResult(scene, () => ({
        get text(): never {
          throw new Error("a trap");
        },
      })),
    "answers a tool whose result throws as JSON": async (scene) =>
      answersResult(scene, () => ({
        toJSON(): never {
          throw new Error("a trap");
        },
      })),
    "answers a tool that returns 20,000 levels": async (scene) =>
      answersResult(scene, () => {
        let deep: unknown = 0;
        for (let level = 0; level < 20_000; level += 1) deep = [deep];
        return deep;
      }),
    "answers a tool that throws undefined": async (scene) => answersThrow(scene, undefined),
    "answers a tool that throws an error whose message throws": async (scene) =>
      answersThrow(scene, {
        get message(): never {
          throw new Error("a trap");
        },
      }),
    "answers a tool that throws an object without a prototype": async (scene) =>
      answersThrow(scene, Object.create(null)),
  },

  limits: {
    "shortens a result of ten million characters": async (scene) => shortensResult(scene),
  },
};

async function keepsEdits(scene: Scene, count: number, between?: string): Promise<void> {
  let value = 0;
  scene.writer("edit", async () => {
    const before = value;
    await later(3);
    value = before + 1;
    return "edited";
  });
  const edits = Array.from({ length: count }, () => (between === undefined ? ["edit"] : ["edit", between]));
  await scene.run(...edits.flat());
  equal(value, count, "the edits that are left");
}

async function runsReadersAtOnce(scene: Scene, ...further: readonly string[]): Promise<void> {
  let [running, most] = [0, 0];
  scene.reader("read", async () => {
    most = Math.max(most, (running += 1));
    await later(40);
    running -= 1;
    return "read";
  });
  await scene.run("read", "read", "read", ...further);
  equal(most, 3, "of three readers, those that ran at once");
}

async function refusesInput(scene: Scene, input: string): Promise<void> {
  scene.writer("pay", undefined, { input: amount });
  await runsSiblingOnly(scene, ["pay", input]);
}

async function refusesEdit(scene: Scene, input: Readonly<Record<string, unknown>>): Promise<void> {
  scene.answer = () => ({ input });
  scene.writer("pay", undefined, { input: amount, needsPermission: true });
  await runsSiblingOnly(scene, ["pay", '{"amount":1}']);
}

/** Runs a call that must not run, beside one that must. */
async function runsSiblingOnly(scene: Scene, call: readonly [tool: string, input: string]): Promise<void> {
  scene.reader("look");
  const answers = await scene.run(call, "look");
  answers.areErrors(0);
  answers.areFine(1);
  scene.ran("look");
}

async function shortensResult(scene: Scene, parts?: ToolSettings): Promise<void> {
  scene.reader("long", () => "long ".repeat(2_000_000), parts);
  const { length } = (await scene.run("long")).text(0);
  if (length === 0 || length > 1_000_000) throw new Error(`the model reads ${length} characters`);
}

async function answersResult(scene: Scene, execute: () => unknown): Promise<void> {
  scene.reader("odd", execute);
  scene.reader("look");
  (await scene.run("odd", "look")).areFine(1);
}

async function answersThrow(scene: Scene, thrown: unknown): Promise<void> {
  scene.reader("odd", () => {
    throw thrown;
  });
  scene.reader("look");
  const answers = await scene.run("odd", "look");
  answers.areErrors(0);
  answers.areFine(1);
}

/** Aborts the turn and ends as a tool that obeys its signal does. */
async function abortsWith(scene: Scene, signal: AbortSignal | undefined): Promise<never> {
  scene.controller.abort();
  await later(5);
  throw new Error(signal?.aborted === true ? "stopped" : "not stopped");
}

function failInPassing(): never {
  throw Object.assign(new Error("The connection was reset."), { code: "ECONNRESET" });
}

function later<Value = void>(milliseconds: number, value?: Value): Promise<Value> {
  return new Promise((resolve) => setTimeout(() => resolve(value as Value), milliseconds));
}

function never(): Promise<never> {
  return new Promise(() => undefined);
}

async function within<Value>(milliseconds: number, pending: Promise<Value>, fault: string): Promise<Value> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${fault} within ${milliseconds} ms`)), milliseconds);
  });
  try {
    return await Promise.race([pending, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

function contains(text: string, part: string, what: string): void {
  if (!text.includes(part)) throw new Error(`${what} does not contain "${part}": ${shorten(text)}`);
}

function equal(actual: unknown, expected: unknown, what: string): void {
  const [found, wanted] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (found !== wanted) throw new Error(`${what}: expected ${shorten(wanted)}, found ${shorten(found)}`);
}

function shorten(text: string): string {
  return text.length > 500 ? `${text.slice(0, 500)}…` : text;
}
