import type { CallStatus } from "@hasp/runtime/call-store";

/** A test's plan for the life of one stored call. */
export interface PlannedLife {
  readonly kind: "reads" | "with-key" | "no";
  readonly isAsked: boolean;
  /** The fate of the question, if there is one. */
  readonly answer: "allow" | "deny" | "expires";
  /** The end of the first process: before or after it stores its n-th transition, counted from 0. */
  readonly crash: { readonly at: number; readonly isStored: boolean } | undefined;
  /** The change before another process continues. */
  readonly change: "nothing" | "tool" | "policy";
}

export interface ExpectedLife {
  /** All stored transitions, in order. */
  readonly states: readonly CallStatus[];
  readonly executions: number;
  readonly questions: number;
  readonly code: string | undefined;
  readonly effect: "none" | "unknown" | undefined;
}

/** Lists the transitions that the first process stores, up to a question or the end. */
function firstRun({ isAsked }: PlannedLife): readonly CallStatus[] {
  return isAsked ? ["asked"] : ["reserved", "settled"];
}

/** Lists the places where the first process can crash. */
export function crashPlaces(plan: Omit<PlannedLife, "crash">): readonly PlannedLife["crash"][] {
  const steps = firstRun({ ...plan, crash: undefined });
  return [
    undefined,
    ...steps.flatMap((_, at) => [
      { at, isStored: false },
      { at, isStored: true },
    ]),
  ];
}

/**
 * The reference: a stored call as a walk over states, without concurrency or time. The first process runs until it
 * ends, waits or is killed; then something may change, the question is answered, and another process resumes. It shares
 * no code with the dispatcher.
 */
export function expectedLife(plan: PlannedLife): ExpectedLife {
  const { kind, isAsked, answer, crash, change } = plan;
  const states: CallStatus[] = ["proposed"];
  let executions = 0;
  let isCrashed = false;
  for (const [index, state] of firstRun(plan).entries()) {
    // The handler runs between the last two transitions.
    if (state === "settled") executions += 1;
    const isHere = crash?.at === index;
    if (!isHere || crash.isStored) states.push(state);
    if (isHere) {
      isCrashed = true;
      break;
    }
  }
  const settled = (code?: string, effect?: ExpectedLife["effect"]): ExpectedLife => {
    if (states.at(-1) !== "settled") states.push("settled");
    return { states, executions, questions: states.includes("asked") ? 1 : 0, code, effect };
  };
  const runs = (): ExpectedLife => {
    states.push("reserved");
    executions += 1;
    return settled();
  };

  const reached = states.at(-1);
  if (reached === "settled") return settled();
  if (reached === "reserved") {
    if (kind === "no") return settled("process-lost", "unknown");
    const effect = kind === "reads" ? "none" : "unknown";
    // Another process takes the call over before judging it.
    states.push("reserved");
    if (change === "tool") return settled("tool-changed", effect);
    if (change === "policy") return settled("policy-changed", effect);
    executions += 1;
    return settled();
  }
  if (reached === "proposed") {
    // Nothing was promised about it, so the present permissions decide.
    if (!isCrashed) throw new Error("a run that ended stored something");
    if (change === "policy") return settled("denied", "none");
    if (!isAsked) return runs();
    states.push("asked");
    return answered();
  }
  return answered();

  function answered(): ExpectedLife {
    // A repeated question is about the present tool and input.
    const isBoundBefore = reached === "asked";
    const decided = { allow: "allowed", deny: "denied", expires: "expired" } as const;
    if (answer === "expires") {
      if (isBoundBefore && change !== "nothing") return settled(`${change}-changed`, "none");
      states.push("expired");
      return settled("question-expired", "none");
    }
    states.push(decided[answer]);
    if (isBoundBefore && change !== "nothing") return settled(`${change}-changed`, "none");
    return answer === "allow" ? runs() : settled("denied", "none");
  }
}
