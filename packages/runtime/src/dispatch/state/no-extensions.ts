import { VERSION } from "../../tool/version.js";
import type { Refusal } from "../../results/call-errors.js";
import type { Outcome } from "../../results/outcome.js";
import type { ToolResult } from "../../tool/definition.js";
import type { Attachments, CommonHost, JoinedCall } from "./attachments.js";
import type { CallState, Case } from "./call-state.js";
import type { DispatcherExtension, PersonVote, TurnPart } from "./extension.js";

/** The extensions of a dispatcher, as its kernel sees them. */
export type Attached = Omit<Attachments, "common" | "fail" | "failure">;

/** Connects extensions with a dispatcher. Each brings it along, so that a dispatcher without extensions lacks it. */
export interface Connector {
  /** The version of the package, since copies of several versions may meet. */
  readonly madeBy: string;
  readonly connect: (extensions: readonly DispatcherExtension[], host: CommonHost) => Attached;
}

/** Asks the extension that keeps calls. Its failures refuse a call, or withhold the result. */
export interface CallKeeping {
  /** Gives a call to the extension, and takes over what earlier runs know of it. */
  takeOver(call: CallState, part: JoinedCall, keeper: TurnPart | undefined): void;
  /**
   * Advances a kept call by one step, and gives it the input of the answer that allows it; it is reserved only after
   * that. Rejects with `Departed` if this run must not execute it.
   */
  advance(
    about: Case,
    door: "recall" | "ask" | "reserve",
    askHost?: () => Promise<PersonVote | undefined>,
  ): Promise<void>;
  /** Stores a result. Returns it, or one that another process stored first. */
  settle(call: CallState, result: ToolResult): Promise<ToolResult>;
  /** Explains the refusal of a kept call. */
  explain(call: CallState, reason: Refusal): Outcome | undefined;
  /** True if this run leaves a kept call open: it gets no result. */
  isLeftOpen(call: CallState): boolean;
}

/** Connects the extensions of a dispatcher. Throws a `TypeError` for those of another version, and what connecting throws. */
export function connectExtensions(extensions: readonly DispatcherExtension[], host: CommonHost): Attached {
  const foreign = extensions.find(({ connector }) => (Object(connector) as Connector).madeBy !== VERSION);
  if (foreign !== undefined) {
    throw new TypeError(
      `createDispatcher: the extension "${foreign.name}" was created by another version of @hasp/runtime, which this one cannot read. Install one version.`,
    );
  }
  const [first] = extensions;
  return first === undefined ? NO_EXTENSIONS : (first.connector as Connector).connect(extensions, host);
}

/** Throws the `TypeError` of an extension that is not attached. */
export function refuseUnattached({ name }: { readonly name: string }): never {
  throw new TypeError(
    `This dispatcher has no such extension "${name}": add it to \`extensions\`, and pass the same object to \`use\`.`,
  );
}

const nothing = (): undefined => undefined;
const none = (): readonly never[] => [];

const NO_EXTENSIONS: Attached = {
  parts: [],
  owns: [],
  isStandIn: false,
  resultStore: undefined,
  keeping: undefined,
  marksDeferred: false,
  complete: nothing,
  first: nothing,
  keptBy: none,
  ofTools: none,
  pass: nothing,
  recall: async () => undefined,
  refreshTools: nothing,
  turn: nothing,
  use: refuseUnattached,
};
