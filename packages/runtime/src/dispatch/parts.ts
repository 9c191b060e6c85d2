import type { ToolContent, ToolResult } from "../tool/definition.js";
import type { Hooks, LeftOut, McpServer, ResultStore } from "./dispatcher-types.js";
import type { Outcome } from "../results/outcome.js";
import type { Engine } from "./engine.js";
import type { NestedDispatch } from "./nested.js";
import type { previewCall } from "./preview.js";
import type { Attempt } from "./pipeline/attempt.js";
import type { Slot } from "./slot.js";
import type { ToolEntry } from "./registry/tool-entry.js";
import type { TurnState } from "./turn-state.js";

/**
 * What a dispatcher can do beside answering calls, each a part that a small program leaves out. What needs a part that
 * is not there is refused, never passed over: a guard that is not heard of guards nothing.
 */
export interface DispatcherParts extends CoreParts {
  /** The tools of live MCP servers. */
  readonly mcpServers?: (servers: readonly McpServer[], report: (leftOut: LeftOut) => void) => readonly ToolEntry[];
  /** The tool that finds and loads deferred tools. */
  readonly toolSearch?: (deferred: readonly ToolEntry[], load: (names: readonly string[]) => void) => ToolEntry;
}

/** The parts that know nothing of JSON Schema, so that `@hasp/runtime/core` can offer them. */
export interface CoreParts {
  /** For the option `hooks`. */
  readonly hooks?: (hooks: Hooks<never>) => HookPhases;
  /** For handlers that use the `dispatch` they are given. */
  readonly nestedDispatch?: (engine: Engine, turn: TurnState, slot: Slot, attempt: Attempt) => NestedDispatch;
  /** For the method `preview`. */
  readonly preview?: typeof previewCall;
  /** For the option `resultStore`. */
  readonly resultStore?: (store: ResultStore) => Offload;
  /**
   * For the option `onEvent`, the method `definitionsDigest`, and whoever reads the digest of an input. In hexadecimal.
   */
  readonly sha256?: (text: string) => string;
  /** For the option `turnResultBudgetChars`. */
  readonly turnResultBudget?: (mostChars: number) => CutToBudget;
}

/** The phases that hooks make up. */
export interface HookPhases {
  /**
   * Transforms and guards. `judgeAgain` takes a changed input through all that judged the one before. Throws what ends
   * the call; answers at once where nothing must be waited for.
   */
  before(
    engine: Engine,
    turn: TurnState,
    slot: Slot,
    entry: ToolEntry,
    judgeAgain: () => void | Promise<void>,
  ): void | Promise<void>;
  /** The outcome of an executed call after all post-hooks. */
  after(
    engine: Engine,
    turn: TurnState,
    slot: Slot,
    outcome: Outcome,
    preview: (outcome: Outcome) => ToolResult,
  ): Outcome | Promise<Outcome>;
}

/** Puts a result into the host's store, whatever that does; `undefined` where it failed. */
export type Offload = (
  engine: Engine,
  turn: TurnState,
  slot: Slot,
  content: readonly ToolContent[],
) => Promise<string | undefined>;

/** The results of a turn, cut further where they exceed its budget together. */
export type CutToBudget = (
  engine: Engine,
  turn: TurnState,
  finished: readonly Slot[],
) => Promise<readonly ToolResult[]>;

/** A part that something needs. Throws a `TypeError` that says what, where it is not there. */
export function partFor<Part>(what: string, part: Part | undefined): Part {
  if (part !== undefined) return part;
  throw new TypeError(
    `${what} needs a part that this dispatcher was made without: hand it to createDispatcher of @hasp/runtime/core, or take the one of @hasp/runtime, which has all.`,
  );
}
