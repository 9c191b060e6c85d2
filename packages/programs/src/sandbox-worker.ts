import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { type MessagePort, parentPort } from "node:worker_threads";
import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSContext,
  type QuickJSHandle,
  type QuickJSRuntime,
  RELEASE_SYNC,
} from "quickjs-emscripten";
import { InvalidProgram } from "./parse-program.js";
import { PRELUDE } from "./prelude.js";
import { type RewrittenProgram, rewriteProgram } from "./rewrite-program.js";
import {
  LOADED,
  type SandboxCall,
  type SandboxAnswer,
  type ProgramEnd,
  type ProgramLimits,
  type SandboxReport,
  type SandboxRequest,
} from "./sandbox-messages.js";

// The type-checker has no DOM types here.
declare global {
  namespace WebAssembly {
    interface Module {
      readonly exports?: never;
    }
    class Memory {
      constructor(size: { readonly initial: number; readonly maximum: number });
      readonly buffer: ArrayBuffer;
      grow(pages: number): number;
    }
    function compile(bytes: Uint8Array): Promise<Module>;
  }
}

/** Limits the characters of an error's message and of a tool's name. */
const MOST_MESSAGE = 2000;

/** Lines before a program's own in the text that `AsyncFunction` compiles. */
const LINES_BEFORE = 2;

/** Bounds the memory of all instances that this worker creates, of which one runs at a time. */
class MemoryLimit {
  bytes = Infinity;
  /** True if an instance asked for more, even if the program caught the error. */
  isExceeded = false;

  /** Takes the place of `WebAssembly.Memory.prototype.grow`. */
  static install(): MemoryLimit {
    const limit = new MemoryLimit();
    const { grow } = WebAssembly.Memory.prototype;
    WebAssembly.Memory.prototype.grow = function (pages) {
      if (this.buffer.byteLength + pages * 65_536 <= limit.bytes) return grow.call(this, pages);
      limit.isExceeded = true;
      throw new RangeError("The sandbox has no more memory.");
    };
    return limit;
  }
}

/** Puts the worker into UTC: QuickJS reads the time zone of the machine through these. */
function removeTimeZone(dates: Date): void {
  dates.getTimezoneOffset = () => 0;
  for (const part of ["FullYear", "Month", "Date", "Day", "Hours", "Minutes", "Seconds"] as const) {
    dates[`get${part}`] = dates[`getUTC${part}`];
  }
}

const require = createRequire(createRequire(import.meta.url).resolve("quickjs-emscripten"));
const compiled = readFile(require.resolve("@jitl/quickjs-wasmfile-release-sync/wasm")).then((bytes) =>
  WebAssembly.compile(withSmallMemory(bytes)),
);

/** 64 KB each; QuickJS begins with 82. */
const FIRST_PAGES = 96;

/** Lets QuickJS begin with 6 MB, not 16, since memories cost by their size. Changes the import `a.a` of 256 pages and more. */
function withSmallMemory(bytes: Buffer): Buffer {
  const at = bytes.indexOf(Buffer.from([1, 0x61, 1, 0x61, 2, 1, 0x80, 0x02]));
  if (at === -1) throw new Error("quickjs-emscripten has another memory than expected");
  bytes.set([0x80 | FIRST_PAGES, 0], at + 6);
  return bytes;
}

/**
 * An instance of QuickJS that has run the prelude. It takes one program after another, each with the memory restored to
 * that state; its only other state, the stack pointer, is the same whenever no program runs.
 */
class Instance {
  readonly runtime: QuickJSRuntime;
  readonly context: QuickJSContext;
  program: Sandbox | undefined;
  readonly #memory: WebAssembly.Memory;
  readonly #prelude: readonly QuickJSHandle[];
  readonly #pristine: Uint8Array;

  static async create(): Promise<Instance> {
    const wasmModule = await compiled;
    const memory = new WebAssembly.Memory({ initial: FIRST_PAGES, maximum: 32_768 });
    const variant = newVariant(RELEASE_SYNC, { wasmModule, wasmMemory: memory });
    return new Instance((await newQuickJSWASMModuleFromVariant(variant)).newRuntime(), memory);
  }

  private constructor(runtime: QuickJSRuntime, memory: WebAssembly.Memory) {
    runtime.setMaxStackSize(256 * 1024);
    runtime.setInterruptHandler(() => this.program?.mustStop() ?? false);
    const context = runtime.newContext();
    const ask = context.newFunction("ask", (name, input) => context.newNumber(this.program?.ask(name, input) ?? 0));
    const print = context.newFunction("print", (line) =>
      this.program?.print(JSON.parse(context.getString(line)) as string) === true ? context.true : context.false,
    );
    const end = context.newFunction("end", (kind, text, stack) =>
      this.program?.finish(context.getString(kind), context.getString(text), context.getString(stack)),
    );
    this.#prelude = [context.unwrapResult(context.evalCode(PRELUDE, "sandbox")), ask, print, end];
    this.runtime = runtime;
    this.context = context;
    this.#memory = memory;
    this.#pristine = new Uint8Array(memory.buffer.slice(0));
  }

  /** Restores the memory. Returns false if that is impossible because a program has grown it. */
  restore(): boolean {
    this.program = undefined;
    if (this.#memory.buffer.byteLength !== this.#pristine.length) return false;
    new Uint8Array(this.#memory.buffer).set(this.#pristine);
    return true;
  }

  /** Starts a program. Returns the function that takes answers, or `undefined` if there is no memory for it. */
  start(program: Sandbox, rewritten: RewrittenProgram): QuickJSHandle | undefined {
    this.program = program;
    const { context } = this;
    const [prelude, ...hosts] = this.#prelude as readonly [QuickJSHandle, ...QuickJSHandle[]];
    const begun = context.callFunction(
      prelude,
      context.undefined,
      context.newString(JSON.stringify(rewritten)),
      ...hosts,
    );
    return begun.error === undefined ? begun.value : undefined;
  }
}

class Sandbox {
  readonly #limits: ProgramLimits;
  readonly #memory: MemoryLimit;
  readonly #instance: Instance;
  readonly #answer: QuickJSHandle | undefined;
  readonly #console: string[] = [];
  #consoleRoom: number;
  #asked = 0;
  readonly #calls: SandboxCall[] = [];
  #end: ProgramEnd | undefined;
  #ranMs = 0;
  #deadline = Infinity;

  constructor(instance: Instance, code: string, limits: ProgramLimits, memory: MemoryLimit) {
    memory.bytes = limits.memoryMb * 2 ** 20;
    memory.isExceeded = false;
    this.#memory = memory;
    this.#limits = limits;
    this.#consoleRoom = limits.resultChars;
    this.#instance = instance;
    this.#answer = this.#run(() => {
      const rewritten = this.#rewrite(code);
      if (rewritten === undefined) return undefined;
      const answer = instance.start(this, rewritten);
      if (answer === undefined) this.#fail("program-memory-limit", "The program does not fit into its memory.");
      else this.#drain();
      return answer;
    });
  }

  #rewrite(code: string): RewrittenProgram | undefined {
    try {
      return rewriteProgram(code);
    } catch (error) {
      if (!(error instanceof InvalidProgram)) throw error;
      this.#fail("program-invalid", error.message);
      return undefined;
    }
  }

  /** Delivers answers one by one, each with everything that follows from it, so that a replay takes the same course. */
  advance(answers: readonly SandboxAnswer[]): void {
    this.#run(() => {
      for (const answer of answers) {
        if (this.mustStop()) return;
        this.#deliver(answer);
        this.#drain();
      }
    });
  }

  report(): SandboxReport {
    const end = this.#end;
    const calls = end !== undefined && "code" in end ? [] : this.#calls.splice(0);
    return { calls, console: this.#console.splice(0), ranMs: this.#ranMs, ...(end && { end }) };
  }

  #run<Value>(body: () => Value): Value | undefined {
    const startedAt = performance.now();
    this.#deadline = startedAt + this.#limits.seconds * 1000 - this.#ranMs;
    let value: Value | undefined;
    try {
      value = body();
    } catch (error) {
      this.#fail("program-memory-limit", `The sandbox broke down: ${String(error)}`);
    }
    this.#ranMs += performance.now() - startedAt;
    this.mustStop();
    return value;
  }

  ask(name: QuickJSHandle, input: QuickJSHandle): number {
    const n = (this.#asked += 1);
    if (n > this.#limits.calls) {
      this.#fail("program-call-limit", `The program made more than ${this.#limits.calls} calls.`);
    } else if (!this.mustStop()) {
      const { context } = this.#instance;
      const toolName = (JSON.parse(context.getString(name)) as string).slice(0, MOST_MESSAGE);
      this.#calls.push({ n, toolName, input: context.getString(input) });
    }
    return n;
  }

  #deliver(answer: SandboxAnswer): void {
    const context = this.#instance.context;
    if (this.#answer === undefined) return;
    const value = "value" in answer ? context.newString(answer.value) : context.undefined;
    const error = "error" in answer ? context.newString(JSON.stringify(answer.error)) : context.undefined;
    const delivered = context.callFunction(this.#answer, context.undefined, context.newNumber(answer.n), value, error);
    value.dispose();
    error.dispose();
    if (delivered.error === undefined) delivered.value.dispose();
    else this.#fail("program-memory-limit", "A result does not fit into the program's memory.");
  }

  #drain(): void {
    const { runtime } = this.#instance;
    while (!this.mustStop() && runtime.hasPendingJob()) runtime.executePendingJobs().dispose();
  }

  /** True if the program must not continue. No program can catch this. */
  mustStop(): boolean {
    if (this.#memory.isExceeded) {
      this.#fail("program-memory-limit", `The program used more than ${this.#limits.memoryMb} MB of memory.`);
    } else if (performance.now() > this.#deadline) {
      this.#fail("program-time-limit", `The program ran for more than ${this.#limits.seconds} s.`);
    }
    return this.#end !== undefined && "code" in this.#end;
  }

  /** Returns false once the console is full. */
  print(line: string): boolean {
    this.#consoleRoom -= line.length + 1;
    const hasRoom = this.#consoleRoom >= 0;
    this.#console.push(hasRoom ? line : `[Cut: the console holds ${this.#limits.resultChars} characters.]`);
    return hasRoom;
  }

  finish(kind: string, text: string, stack: string): void {
    // QuickJS itself throws this for a piece that no memory could hold, without asking for more.
    if (text === "InternalError: out of memory") this.#memory.isExceeded = true;
    if (this.mustStop()) return;
    if (kind === "program-invalid" || kind === "program-threw") {
      return this.#fail(kind, text.slice(0, MOST_MESSAGE) + placeIn(stack));
    }
    const { resultChars } = this.#limits;
    if (text.length > resultChars) {
      const message = `The result has ${text.length} characters as JSON; at most ${resultChars} are allowed. Return less.`;
      return this.#fail("program-output-limit", message);
    }
    this.#end ??= { result: text };
  }

  #fail(code: Extract<ProgramEnd, { code: string }>["code"], message: string): void {
    if (this.#end !== undefined && "code" in this.#end) return;
    this.#end = { code, message };
  }
}

/** Describes the line of the program at which an error began. */
function placeIn(stack: string): string {
  const place = /<(?:input|anonymous|evalScript|eval)>:(\d+)/.exec(stack);
  return place === null ? "" : ` (line ${Number(place[1]) - LINES_BEFORE})`;
}

function serve(port: MessagePort): void {
  removeTimeZone(Object.getPrototypeOf(new Date(0)) as Date);
  const memory = MemoryLimit.install();
  let instance: Instance | undefined;
  let running: Sandbox | undefined;
  port.on("message", async (request: SandboxRequest) => {
    if ("answers" in request) running?.advance(request.answers);
    else {
      if (instance?.restore() !== true) instance = await Instance.create();
      port.postMessage(LOADED, []);
      running = new Sandbox(instance, request.code, request.limits, memory);
    }
    port.postMessage(running?.report(), []);
  });
}

if (parentPort !== null) serve(parentPort);
