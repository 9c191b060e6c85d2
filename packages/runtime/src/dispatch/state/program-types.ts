import type { JsonValue } from "@hasp/schema";
import type { ExecutionOptions, ToolResult } from "../../tool/definition.js";
import type { DispatcherExtension } from "./extension.js";

/** Lets models call tools by programs; created by `createPrograms` of `@hasp/programs`. */
export interface Programs extends DispatcherExtension<undefined> {
  /** Takes no more programs, waits for those that run, and ends the sandboxes. A closed program tool answers with an error. */
  readonly close: () => Promise<void>;
}

/** The second parameter of `execute` of a `run_program`. */
export interface ProgramOptions extends ExecutionOptions<unknown> {
  readonly calls: ProgramCalls;
}

/** The calls of one run of a program. Each passes every phase, and holds the gate by its own class. */
export interface ProgramCalls {
  /** Reads what an earlier run of the program has stored; await it before the first call. */
  load(): Promise<ProgramPast>;
  /** True unless an earlier run of the program made another n-th call. */
  isSame(n: number, toolName: string, input: JsonValue): boolean;
  /** Runs the n-th call, from 1. `undefined`: it waits for an answer in the call store. */
  run(n: number, toolName: string, input: JsonValue): Promise<SettledProgramCall | undefined>;
  /** Leaves the program open: `resume` runs it again, once its calls have their answers. */
  suspend(): void;
  /** The effect of a program that fails now: `unknown` once a call that is not READ_ONLY has started. */
  readonly effect: "none" | "unknown";
}

/** The calls that an earlier run of a program has stored. */
export interface ProgramPast {
  readonly calls: number;
  /** The indexes of the settled calls, in the order in which they settled. */
  readonly order: readonly number[];
}

/** The result of a program's call, and its place in the order of settling: a program receives results in that order. */
export interface SettledProgramCall {
  readonly result: ToolResult;
  readonly order: number;
}
