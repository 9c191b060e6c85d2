/** What one call of a generated turn asks for; the tool it names does exactly that. */
export interface PlannedCall {
  readonly kind:
    "reader" | "writer" | "either" | "rule-throws" | "unknown" | "broken-json" | "invalid" | "denied" | "blocked";
  /** For `either`: what the input says, and whether a hook changes it to the other. */
  readonly mode: "read" | "write";
  readonly isTransformed: boolean;
  readonly ms: number;
  readonly end: "returns" | "throws" | "times-out";
}

/** What must come of a call, and in which batch of its turn it stands. */
export interface ExpectedCall {
  readonly batch: number;
  readonly isReader: boolean;
  readonly runs: boolean;
  readonly code: string | undefined;
  readonly wasConcurrent: boolean;
}

/**
 * The reference: the whole of dispatch without concurrency, hooks or time, as a fold over the calls of a turn. It
 * shares no code with the dispatcher.
 */
export function expectedTurn(calls: readonly PlannedCall[]): readonly ExpectedCall[] {
  const batches: { isOpen: boolean; readonly members: number[] }[] = [];
  calls.forEach((call, index) => {
    const before = seemsReader(call);
    const after = isReader(call);
    const last = batches.at(-1);
    const joins = last !== undefined && last.isOpen && before && (after || !runs(call));
    if (joins) last.members.push(index);
    else batches.push({ isOpen: before && (after || !runs(call)), members: [index] });
  });
  return calls.map((call, index) => {
    const batch = batches.findIndex(({ members }) => members.includes(index));
    const running = (batches[batch]?.members ?? []).filter((member) => {
      const sibling = calls[member];
      return sibling !== undefined && runs(sibling);
    });
    return { batch, isReader: isReader(call), runs: runs(call), code: codeOf(call), wasConcurrent: running.length > 1 };
  });
}

/** By the input as it was sent. */
function seemsReader({ kind, mode }: PlannedCall): boolean {
  return kind === "reader" || kind === "denied" || kind === "blocked" || (kind === "either" && mode === "read");
}

/** By the input as it is executed. */
function isReader({ kind, mode, isTransformed }: PlannedCall): boolean {
  if (kind === "either") return (mode === "read") !== isTransformed;
  return kind === "reader" || kind === "denied" || kind === "blocked";
}

function runs({ kind }: PlannedCall): boolean {
  return kind === "reader" || kind === "writer" || kind === "either" || kind === "rule-throws";
}

function codeOf({ kind, end }: PlannedCall): string | undefined {
  switch (kind) {
    case "unknown":
      return "unknown-tool";
    case "broken-json":
      return "invalid-json";
    case "invalid":
      return "invalid-input";
    case "denied":
      return "no-one-to-ask";
    case "blocked":
      return "blocked";
    default:
      return { returns: undefined, throws: "threw", "times-out": "timeout" }[end];
  }
}
