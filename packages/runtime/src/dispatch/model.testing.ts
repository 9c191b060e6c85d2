/** One call of a generated turn; tools, rules, hooks and people follow it exactly. */
export interface PlannedCall {
  /** A fault in the call before anything judges it. */
  readonly fault: "none" | "unknown" | "broken-json" | "invalid";
  readonly tool: "reader" | "writer" | "keyed" | "shell" | "destroyer" | "either" | "unclassifiable";
  /** For `keyed`: the resource's spelling, by which a transform may replace the sent one. */
  readonly path: string;
  readonly otherPath: string;
  /** For `either`: the input's mode, and whether a transform flips it. */
  readonly mode: "read" | "write";
  readonly isTransformed: boolean;
  readonly requiresPermission: boolean;
  readonly semantic: "holds" | "fails";
  readonly rule: "none" | "allow" | "ask" | "deny" | "throws";
  readonly permit: "allow" | "ask" | "deny";
  readonly guard: "none" | "block" | "allow" | "allow-destructive" | "ask" | "deny";
  readonly check: "allow" | "ask" | "deny";
  readonly person: "allow" | "deny" | "later";
  /** Milliseconds that the slow parts of each step take. */
  readonly semanticMs: number;
  readonly hookMs: number;
  readonly checkMs: number;
  readonly personMs: number;
  readonly executeMs: number;
  readonly end: "returns" | "throws" | "times-out";
}

export interface PlannedHost {
  readonly mode: "plan" | "ask" | "accept-writes" | "unattended";
  readonly hasCheck: boolean;
  readonly hasPerson: boolean;
}

/** The expected outcome of a call, and its batch within the turn. */
export interface ExpectedCall {
  readonly batch: number;
  readonly isReader: boolean;
  readonly resource: string | undefined;
  readonly runs: boolean;
  readonly isChecked: boolean;
  readonly isAsked: boolean;
  readonly code: string | undefined;
}

/**
 * The reference: all of dispatch without concurrency or time, as a fold over the calls of a turn. It shares no code
 * with the dispatcher.
 */
export function expectedTurn(calls: readonly PlannedCall[], host: PlannedHost): readonly ExpectedCall[] {
  const batches: { isOpen: boolean; readonly members: number[] }[] = [];
  calls.forEach((call, index) => {
    const seems = classAsSent(call) === "READ_ONLY" || resourceAsSent(call) !== undefined;
    const isChanged = classAsRun(call) !== classAsSent(call) || resourceAsRun(call) !== resourceAsSent(call);
    const leaves = isChanged && beforeVotes(call) === undefined;
    const last = batches.at(-1);
    const runsBeside = last?.members.every((member) => mayRunBeside(calls[member] as PlannedCall, call)) === true;
    if (last?.isOpen === true && runsBeside && seems && !leaves) last.members.push(index);
    else batches.push({ isOpen: seems && !leaves, members: [index] });
  });
  return calls.map((call, index) => ({
    batch: batches.findIndex(({ members }) => members.includes(index)),
    isReader: classAsRun(call) === "READ_ONLY",
    resource: resourceAsRun(call),
    ...fateOf(call, host),
  }));
}

type Class = "READ_ONLY" | "WRITE_EXCLUSIVE" | "UNSAFE";

/** Classifies a call as sent. One that cannot be parsed or classified counts as the strictest. */
function classAsSent({ fault, tool, mode }: PlannedCall): Class {
  if (fault !== "none") return "UNSAFE";
  return classOf(tool, mode);
}

function classAsRun({ fault, tool, mode, isTransformed }: PlannedCall): Class {
  if (fault !== "none") return "UNSAFE";
  return classOf(tool, isTransformed ? (mode === "read" ? "write" : "read") : mode);
}

/** Returns the file that a keyed call names, or `undefined` for a call that excludes all. */
function resourceAsSent({ fault, tool, path }: PlannedCall): string | undefined {
  return fault === "none" && tool === "keyed" ? FILES.find((file) => path.toLowerCase().endsWith(file)) : undefined;
}

function resourceAsRun(call: PlannedCall): string | undefined {
  return resourceAsSent(call.isTransformed ? { ...call, path: call.otherPath } : call);
}

function mayRunBeside(one: PlannedCall, other: PlannedCall): boolean {
  if (classAsSent(one) === "READ_ONLY") return classAsSent(other) === "READ_ONLY";
  const [left, right] = [resourceAsSent(one), resourceAsSent(other)];
  return left !== undefined && right !== undefined && left !== right;
}

const FILES = ["a.txt", "b.txt", "c.txt"];

/** Spellings of the three files, and of no file. */
export const SPELLINGS: readonly string[] = [
  ...FILES.flatMap((file) => [file, `./${file}`, `dir//../${file.toUpperCase()}`, `C:\\x\\${file}`]),
  "",
  "..",
  "x".repeat(5000),
];

function classOf(tool: PlannedCall["tool"], mode: PlannedCall["mode"]): Class {
  if (tool === "reader" || (tool === "either" && mode === "read")) return "READ_ONLY";
  return tool === "writer" || tool === "keyed" || tool === "destroyer" ? "WRITE_EXCLUSIVE" : "UNSAFE";
}

/** Returns the code of a refusal before votes are combined, or `undefined` for a call that passes its hooks. */
function beforeVotes({ fault, semantic, rule, permit, guard }: PlannedCall): string | undefined {
  if (fault !== "none") {
    return { unknown: "unknown-tool", "broken-json": "invalid-json", invalid: "invalid-input" }[fault];
  }
  if (semantic === "fails") return "invalid-input";
  if (rule === "throws" || rule === "deny" || permit === "deny") return "denied";
  if (guard === "block") return "blocked";
  return guard === "deny" ? "denied" : undefined;
}

function fateOf(call: PlannedCall, host: PlannedHost): Pick<ExpectedCall, "runs" | "isChecked" | "isAsked" | "code"> {
  const refused = (code: string, isChecked = false, isAsked = false): ReturnType<typeof fateOf> => {
    return { runs: false, isChecked, isAsked, code };
  };
  const runs = (isChecked = false, isAsked = false): ReturnType<typeof fateOf> => {
    const code = { returns: undefined, throws: "threw", "times-out": "timeout" }[call.end];
    return { runs: true, isChecked, isAsked, code };
  };
  const asks = (isChecked: boolean): ReturnType<typeof fateOf> => {
    if (!host.hasPerson || host.mode === "unattended") return refused("no-one-to-ask", isChecked);
    if (call.person === "allow") return runs(isChecked, true);
    return refused(call.person === "deny" ? "denied" : "answered-later", isChecked, true);
  };

  const before = beforeVotes(call);
  if (before !== undefined) return refused(before);
  const callClass = classAsRun(call);
  if (host.mode === "plan" && callClass !== "READ_ONLY") return refused("plan-mode");
  if (call.guard === "ask" || call.permit === "ask" || call.rule === "ask") return asks(false);
  // A row that throws gives the strict value of every flag it names.
  const isDestructive = call.tool === "destroyer" || call.tool === "unclassifiable";
  // The rule names the tool without a wildcard.
  if (call.rule === "allow" || call.guard === "allow-destructive") return runs();
  if (call.guard === "allow" && !isDestructive) return runs();
  if (!call.requiresPermission && !isDestructive) return runs();
  if (host.mode === "accept-writes" && !isDestructive && callClass !== "UNSAFE") return runs();
  if (!host.hasCheck) return asks(false);
  if (call.check === "deny") return refused("denied", true);
  return call.check === "allow" ? runs(true) : asks(true);
}
