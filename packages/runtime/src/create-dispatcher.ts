import type { JsonValue } from "@hasp/schema";
import { checkOptions } from "./dispatch/check-options.js";
import { createKernel, type Kernel } from "./dispatch/kernel.js";
import type { Dispatcher, DispatcherOptions, Tape, TapedCall } from "./dispatch/state/dispatcher-types.js";
import type { CallFacts, CallPart, DispatcherExtension, ExtensionHost } from "./dispatch/state/extension.js";
import type { DurableOptions, StoredTurns } from "./dispatch/stored-turns.js";
import { type FlowApi, informationFlow } from "./extensions/flow/information-flow.js";
import { liveTools } from "./extensions/live/mcp-entry.js";
import { toolSearch } from "./extensions/search/tool-search.js";
import { memoryResultStore } from "./results/memory-result-store.js";
import type { Outcome } from "./results/outcome.js";
import { messageOf } from "./results/text.js";
import { loadOnce } from "./tool/callback.js";
import { READ_RESULT, TOOL_SEARCH } from "./tool/tool-names.js";

/** Creates a dispatcher: it answers every call once and in order, and refuses whatever nobody allowed. */
export function createDispatcher<Context = unknown, Name extends string = string>(
  options: DispatcherOptions<Context, Name>,
): Dispatcher<Context> {
  checkOptions(options);
  const { resultStore = memoryResultStore(), tape } = options;
  const flow = informationFlow(options.callStore);
  const durable = durableCalls(options as DispatcherOptions<never>);
  const kernel: Kernel<Context> = createKernel({ ...options, resultStore }, [
    flow,
    durable,
    toolSearch(),
    liveTools(),
    ...(tape === undefined ? [] : [tapeExtension(tape)]),
  ]);
  const { use, excluded: _now, ...rest } = kernel;
  const labels: FlowApi = use(flow);
  return Object.freeze({
    ...rest,
    ...labels,
    ...(use(durable) as object as Dispatcher<Context>),
    get excluded() {
      return kernel.excluded;
    },
  });
}

/** Keeps the turns of `run` in a call store. Without one, each of its functions rejects with a `TypeError`. */
function durableCalls(options: DurableOptions): DispatcherExtension<StoredTurns> {
  return {
    name: "durable",
    attach({ timeoutMs, begin, recall }) {
      const load = loadOnce(async () => {
        const { createStoredTurns } = await import("./dispatch/stored-turns.js");
        return createStoredTurns(options, timeoutMs, begin as Parameters<typeof createStoredTurns>[2], recall);
      });
      const api: StoredTurns = {
        run: async (...given) => (await load()).run(...given),
        resume: async (...given) => (await load()).resume(...given),
        answer: async (...given) => (await load()).answer(...given),
      };
      return options.callStore === undefined ? { api } : { api, owns: ["keep"], conversation: options.principal ?? "" };
    },
  };
}

/** Lets a tape record the calls of a dispatcher, or answer them in place of their handlers. */
function tapeExtension(tape: Tape): DispatcherExtension<undefined> {
  return {
    name: "tape",
    attach({ report }) {
      const part = { call: (call: CallFacts) => createPart(tape, call, report) };
      const isStandIn = tape.replay !== undefined;
      return {
        api: undefined,
        owns: isStandIn ? ["answer"] : [],
        isStandIn,
        begin: () => tape.begin?.(),
        // Nested calls of handlers are never on tape.
        turn: ({ place: { caller } }, outer) =>
          caller === undefined || (caller === "program" && outer !== undefined) ? part : undefined,
      };
    },
  };
}

function createPart(tape: Tape, call: CallFacts, report: ExtensionHost["report"]): CallPart {
  let write: (() => void) | undefined;
  return {
    answer() {
      const taped = findTaped(call);
      return taped && (tape.replay?.(taped) as Outcome | Promise<Outcome> | undefined);
    },
    hide: (secret) => tape.hide?.(secret),
    returned(outcome) {
      const taped = findTaped(call);
      const known = call.wasConcurrent ? { ...outcome, wasConcurrent: true } : outcome;
      if (taped !== undefined) write = tape.record?.(taped, known);
    },
    log() {
      try {
        write?.();
      } catch (error) {
        report(call, "tape-incomplete", messageOf(error));
      }
    },
  };
}

/** Returns the call, unless it is one of a tool that a dispatcher itself adds. */
function findTaped({ entry, input }: CallFacts): TapedCall | undefined {
  if (entry === undefined || entry.isOfPrograms === true) return undefined;
  const { tool } = entry;
  return tool.name === READ_RESULT || tool.name === TOOL_SEARCH ? undefined : { tool, input: input as JsonValue };
}
