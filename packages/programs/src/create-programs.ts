import { type AnyTool, buildTool, NotExecuted, type Tool, toolResult, type ToolResult } from "@hasp/runtime";
import { matchesPattern, RUN_PROGRAM, SEARCH_TOOLS } from "@hasp/runtime/contract";
import {
  defineExtension,
  type ProgramCalls,
  type ProgramOptions,
  type Programs,
  type ToolDoor,
} from "@hasp/runtime/extension";
import {
  aList,
  anAmount,
  anObject,
  checkShape,
  isSameList,
  NOTHING,
  plainText,
  READ_RESULT,
  type Shape,
} from "@hasp/runtime/internal";
import { createToolSearch, describeTools } from "./declarations.js";
import { previewProgram } from "./preview-program.js";
import type { SandboxCall, SandboxAnswer, SandboxError, ProgramLimits } from "./sandbox-messages.js";
import { type OrderedAnswer, Sandboxes } from "./sandboxes.js";

export interface ProgramSettings {
  /** Names of the tools that programs may call, in which `*` is a wildcard. Default: all. */
  readonly tools?: readonly string[] | undefined;
  /** The bounds of each program. Default: 30 seconds, 64 MB, 200 calls, 20 000 characters. */
  readonly limits?: Partial<ProgramLimits> | undefined;
  /** The most tokens of declarations that the model reads before it searches, at four characters a token. Default 2000. */
  readonly overTokens?: number | undefined;
}

const DEFAULTS: ProgramLimits = { seconds: 30, memoryMb: 64, calls: 200, resultChars: 20_000 };

const SETTINGS: Shape = { tools: aList, limits: anObject, overTokens: anAmount };

const LIMITS: { readonly [Limit in keyof ProgramLimits]: Shape[string] } = {
  seconds: { expected: "a number of seconds from 0.01 to 3600", fits: isFrom(0.01, 3600) },
  memoryMb: { expected: "a number of megabytes from 10 to 2048; QuickJS itself takes 6", fits: isFrom(10, 2048) },
  calls: { expected: "a number of calls from 1 to 100 000", fits: isFrom(1, 100_000) },
  resultChars: { expected: "a number of characters from 100 to 10 000 000", fits: isFrom(100, 10_000_000) },
};

type RunProgram = (code: string, calls: ProgramCalls, signal: AbortSignal) => Promise<unknown>;

/** The sandboxes of this process, which all programs share: a host may have a dispatcher for each session. */
const sandboxes = /* @__PURE__ */ new Sandboxes();

/**
 * Creates the programs of dispatchers: `createDispatcher({ extensions: [programs] })` offers `run_program` to the model.
 * Create them once; any number of dispatchers can share them. Throws a `TypeError` for settings that do not fit.
 */
export function createPrograms(settings: ProgramSettings = {}): Programs {
  checkSettings(settings);
  const { tools: patterns = ["*"], limits, overTokens = 2000 } = settings;
  const runner = new ProgramRunner({ ...DEFAULTS, ...limits });
  let offered: { readonly covered: readonly AnyTool[]; readonly tools: OfferedList } | undefined;
  function offer(covered: readonly AnyTool[]): OfferedList {
    if (offered !== undefined && isSameList(offered.covered, covered)) return offered.tools;
    const described = describeTools(covered, overTokens);
    const program: OfferedList[number] = {
      tool: createProgramTool(described.text, covered, runner.run),
      holds: "nothing",
      // It may read what it has just stored.
      reaches: (called) => called.place === "unlisted" || called.tool.name === READ_RESULT,
      preview: (input) => previewProgram(String((input as { readonly code?: unknown } | undefined)?.code)),
    };
    offered = { covered, tools: described.isComplete ? [program] : [program, { tool: createToolSearch(covered) }] };
    return offered.tools;
  }
  const tools: ToolDoor = {
    place({ tool: { name } }) {
      if (OWN_NAMES.includes(name)) throw new TypeError(`The name "${name}" is reserved; rename the tool.`);
      return patterns.some((pattern) => matchesPattern(pattern, name)) ? "unlisted" : undefined;
    },
    addAbout: (entries) =>
      offer(
        entries.flatMap(({ tool, place, unavailable }) =>
          place === "unlisted" && unavailable === undefined ? tool : [],
        ),
      ),
  };
  return Object.freeze({
    ...defineExtension({ name: "programs", attach: () => ({ api: undefined, tools }) }),
    close: () => runner.close(),
  });
}

type OfferedList = ReturnType<NonNullable<ToolDoor["add"]>>;

const OWN_NAMES: readonly string[] = [RUN_PROGRAM, SEARCH_TOOLS];

function checkSettings(settings: ProgramSettings): void {
  if (!anObject.fits(settings)) throw new TypeError("createPrograms takes settings: { tools, limits, overTokens }.");
  const refuse = (path: string, what: string): never => {
    throw new TypeError(`createPrograms: ${path} ${what}.`);
  };
  checkShape(settings, SETTINGS, "", refuse);
  checkShape(settings.limits ?? {}, LIMITS as Shape, "limits.", refuse);
  for (const [index, pattern] of (settings.tools ?? []).entries()) {
    if (typeof pattern !== "string") refuse(`\`tools[${index}]\``, "must be the name of a tool, or a pattern");
  }
}

function isFrom(least: number, most: number): (value: unknown) => boolean {
  return (value) => typeof value === "number" && value >= least && value <= most;
}

function createProgramTool(
  declarations: string,
  covered: readonly AnyTool[],
  run: RunProgram,
): Tool<{ readonly code: string }> {
  return buildTool<{ readonly code: string }, unknown, unknown>({
    name: RUN_PROGRAM,
    description:
      "Run a JavaScript program that calls tools: the body of an async function, with top-level `await` and `return`. " +
      "Use it for loops, conditions and several calls at once (`Promise.all`). `tools.<name>(input)` returns a promise " +
      "of the tool's output; a call that fails throws a `ToolError` with `code`, `message`, `tool` and `effect`. " +
      "Return what you need to know, as JSON; `console.log` lines come back too. A program has no clock, randomness, " +
      `network or modules.\n\n${declarations}`,
    input: {
      type: "object",
      required: ["code"],
      properties: {
        code: { type: "string", minLength: 1, maxLength: 1_000_000, description: "The body of an async function." },
      },
      additionalProperties: false,
    },
    output: {
      type: "object",
      required: ["result", "console"],
      properties: { result: true, console: { type: "array", items: { type: "string" } } },
      additionalProperties: false,
    },
    concurrency: {
      class: "WRITE_EXCLUSIVE",
      // Each call of a program is decided, scheduled and labelled by itself.
      rules: [{ when: () => true, class: "WRITE_EXCLUSIVE", isDestructive: false, isOpenWorld: false }],
    },
    behavior: {
      requiresPermission: false,
      // Clients may run a tool unasked by the hints in its entry: they say the worst that its calls may do.
      isDestructive: covered.some(({ metadata }) => metadata.behavior.isDestructive),
      isIdempotent: "withKey",
      isOpenWorld: covered.some(({ mayLeadOutside }) => mayLeadOutside),
      returnsUntrusted: false,
      returnsPrivate: false,
      interruptBehavior: "cancel",
    },
    limits: { timeoutSeconds: "unlimited", maxResultSizeChars: "unlimited" },
    visibility: "always",
    execute: ({ code }, options) => run(code, (options as ProgramOptions).calls, options.signal),
  });
}

/** Runs programs in the sandboxes of the process. The first one starts a worker, which loads QuickJS. */
class ProgramRunner {
  readonly #limits: ProgramLimits;
  readonly #running = new Set<Promise<unknown>>();
  #isClosed = false;

  constructor(limits: ProgramLimits) {
    this.#limits = limits;
  }

  readonly run: RunProgram = async (code, calls, signal) => {
    if (this.#isClosed) throw new NotExecuted("No program runs any more: the host has closed its programs");
    const running = this.#run(code, calls, signal).finally(() => this.#running.delete(running));
    this.#running.add(running);
    return running;
  };

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.allSettled(this.#running);
    await sandboxes.endIdle();
  }

  async #run(code: string, calls: ProgramCalls, signal: AbortSignal): Promise<unknown> {
    const console: string[] = [];
    const end = await sandboxes.run(code, this.#limits, {
      signal,
      past: await calls.load(),
      isSame: ({ n, toolName, input }) => calls.isSame(n, toolName, JSON.parse(input)),
      print: (lines) => console.push(...lines),
      call: (asked) => answerCall(asked, calls),
    });
    if (end === undefined) return calls.suspend();
    if ("result" in end) return { result: JSON.parse(end.result), console };
    const shown = console.length === 0 ? "" : `\nconsole:\n${console.join("\n")}`;
    const effect = end.code === "program-invalid" ? "none" : calls.effect;
    return toolResult({ isError: true, code: end.code, effect, content: end.message + shown });
  }
}

async function answerCall(
  { n, toolName, input }: SandboxCall,
  calls: ProgramCalls,
): Promise<OrderedAnswer | undefined> {
  const settled = await calls.run(n, toolName, JSON.parse(input));
  return settled && { answer: answerOf(n, settled.result), order: settled.order };
}

function answerOf(n: number, result: ToolResult): SandboxAnswer {
  const { error, output, offloaded } = result;
  if (error !== undefined) return { n, error: { code: error.code, message: error.message, effect: error.effect } };
  // A program would take a part for the whole.
  if (offloaded !== undefined && output === undefined) return { n, error: tooLong(result, offloaded) };
  const text = textOf(result);
  return { n, value: JSON.stringify(output === undefined ? (text === NOTHING ? null : text) : output) };
}

function tooLong(
  { toolName }: ToolResult,
  { reference, sizeChars }: NonNullable<ToolResult["offloaded"]>,
): SandboxError {
  const place = reference === undefined ? "not stored" : `stored at ${reference}: read it with read_result`;
  const message = `The result of ${toolName} has ${sizeChars} characters, more than its limit. It is ${place}. Do not repeat the call.`;
  return { code: "result-too-long", message, effect: "landed", reference };
}

/** Returns what a handler answered without an output. The notes follow the program's own result. */
function textOf({ content, notes = [] }: ToolResult): string {
  return plainText(content.filter((block) => block.type !== "text" || !notes.includes(block.text)));
}
