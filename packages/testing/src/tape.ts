import type { JsonValue } from "@hasp/schema";
import type { DispatcherExtension, AnyTool } from "@hasp/runtime";
import { type CallFacts, type CallPart, defineExtension, type ExtensionHost } from "@hasp/runtime/extension";
import { messageOf, type Outcome } from "@hasp/runtime/internal";

/** A call that has passed everything before its execution. */
export interface TapedCall {
  readonly tool: AnyTool;
  /** The input that would run: coerced, transformed, frozen, and with its secrets. */
  readonly input: JsonValue;
}

/** The outcome of an execution, before post-hooks and limits. */
export type TapedOutcome = Omit<Outcome, "durationMs">;

/**
 * A recording of calls, or a source of answers in place of their handlers. Nested calls of handlers, and calls of the
 * tools that a dispatcher adds, are never on tape.
 */
interface Tape {
  /** Called once by `createDispatcher`. */
  begin?(): void;
  /**
   * Takes an outcome as a call settles. Returns the function that writes it; these are called in call order, for the
   * calls of a program in the order of asking.
   */
  record?(call: TapedCall, outcome: TapedOutcome): () => void;
  /** Learns a secret that a connection has used. */
  hide?(secret: string): void;
  /** Answers a call. With this method, no handler is loaded or started. */
  replay?(call: TapedCall): TapedOutcome | Promise<TapedOutcome>;
}

/** Lets a tape record the calls of a dispatcher, or answer them in place of their handlers. */
export function tapeExtension(tape: Tape): DispatcherExtension<undefined> {
  return defineExtension({
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
  });
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
  if (entry === undefined || entry.isOwn === true) return undefined;
  return { tool: entry.tool, input: input as JsonValue };
}
