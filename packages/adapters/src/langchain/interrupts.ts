import type { CallAnswer, CallQuestion } from "../framework/approvals.js";

/** A person's answer, as the graph is resumed with it: `new Command({ resume: { callId, decision: "allow" } })`. */
export interface LangGraphAnswer extends CallAnswer {
  /** The `callId` of the question. An answer to another call is not an answer to this one. */
  readonly callId: string;
}

/** `interrupt` of LangGraph: returns what the graph was resumed with, or throws to interrupt it. */
export type Interrupt = (question: CallQuestion) => unknown;

/**
 * Interrupts the graph with a question until there is an answer to it. LangGraph hands out answers by the order of the
 * interrupts in a node, which changes where a call no longer asks: an answer that names another call is passed over.
 */
export function askByInterrupt(interrupt: Interrupt, question: CallQuestion): CallAnswer {
  for (;;) {
    const { callId, decision, reason } = Object(interrupt(question)) as {
      readonly [part in keyof LangGraphAnswer]?: unknown;
    };
    if (typeof callId === "string" && callId !== question.callId) continue;
    if (callId === undefined || (decision !== "allow" && decision !== "deny")) {
      return { decision: "deny", reason: "The answer to the question could not be read." };
    }
    return { decision, ...(typeof reason === "string" && { reason }) };
  }
}

/**
 * Lets the calls of one task of a graph ask in their order, and none of them run before all have their answers: an
 * interrupt makes LangGraph run the whole task again, with everything that it had done.
 */
export function createTaskQuestions(): <Value>(task: unknown, ask: () => Promise<Value>) => Promise<Value> {
  const tasks = new Map<unknown, { last: Promise<unknown>; outstanding: number }>();
  return async (task, ask) => {
    const state = tasks.get(task) ?? { last: Promise.resolve(), outstanding: 0 };
    tasks.set(task, state);
    state.outstanding += 1;
    // After one interrupt, those behind it interrupt as well; they ask when the task runs again.
    const mine = state.last.then(ask);
    state.last = mine;
    try {
      const value = await mine;
      // The calls of a task start together, but each takes a moment.
      await new Promise<void>((resolve) => setTimeout(() => resolve(), 0));
      await state.last;
      return value;
    } finally {
      state.outstanding -= 1;
      if (state.outstanding === 0) tasks.delete(task);
    }
  };
}
