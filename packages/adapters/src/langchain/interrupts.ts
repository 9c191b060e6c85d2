import {
  type AnsweredApprovals,
  type CallAnswer,
  type CallQuestion,
  createApprovals,
  readCallAnswer,
} from "../framework/approvals.js";
import { isObject } from "@hasp/base/json";

/**
 * A person's answer that resumes the graph: `new Command({ resume: { callId, decision: "allow" } })`. The decisions
 * `approve`, `edit` and `reject` of LangChain's middleware are read too, with a `callId`.
 */
export interface LangGraphAnswer extends CallAnswer {
  /** The `callId` of the question. Answers to other calls are skipped. */
  readonly callId: string;
}

/** LangGraph's `interrupt`: returns the value with which the graph was resumed, or throws to interrupt it. */
export type Interrupt = (question: CallQuestion) => unknown;

/**
 * Interrupts the graph until the question has an answer, and calls `show` if it has none yet. LangGraph hands out answers by the order of the interrupts in
 * a node, which changes if a call no longer asks: answers that name another call are skipped.
 */
export function askByInterrupt(
  interrupt: Interrupt,
  question: CallQuestion,
  show: (question: CallQuestion) => void,
): CallAnswer {
  const takeAnswer = (): unknown => {
    try {
      return interrupt(question);
    } catch (interruption) {
      show(question);
      throw interruption;
    }
  };
  for (;;) {
    const answer = takeAnswer();
    const { callId } = Object(answer) as { readonly callId?: unknown };
    if (typeof callId === "string" && callId !== question.callId) continue;
    return readCallAnswer(callId === undefined ? undefined : readDecision(answer, question.toolName));
  }
}

/** Reads a decision in the words of LangChain's middleware for human answers. Any other answer stays as it is. */
function readDecision(answer: unknown, tool: string): unknown {
  if (!isObject(answer) || answer["type"] === undefined) return answer;
  const { type, message, editedAction, edited_action: edited = editedAction, ...rest } = answer;
  if (type === "approve") return { ...rest, decision: "allow" };
  if (type === "reject") return { ...rest, decision: "deny", reason: message };
  if (type !== "edit" || !isObject(edited)) return answer;
  const { name, args } = edited;
  return name === tool
    ? { ...rest, decision: "allow", input: args }
    : {
        decision: "deny",
        reason: `An answer cannot put another tool in the place of ${tool}, so the call is refused.`,
      };
}

/** Lets the calls of a task ask in order, and starts none before all have answers: an interrupt repeats the task. */
export function createTaskQuestions(): <Value>(task: unknown, ask: () => Promise<Value>) => Promise<Value> {
  const tasks = new Map<unknown, { last: Promise<unknown>; outstanding: number }>();
  return async (task, ask) => {
    const state = tasks.get(task) ?? { last: Promise.resolve(), outstanding: 0 };
    tasks.set(task, state);
    state.outstanding += 1;
    // After one interrupt, the later calls interrupt too; they ask when the task runs again.
    const mine = state.last.then(ask);
    state.last = mine;
    try {
      const value = await mine;
      // The calls of a task start together: let the others register first.
      await new Promise<void>((resolve) => setTimeout(() => resolve(), 0));
      await state.last;
      return value;
    } finally {
      state.outstanding -= 1;
      if (state.outstanding === 0) tasks.delete(task);
    }
  };
}

export type LangGraphApprovals = AnsweredApprovals;

/**
 * Lets LangGraph ask the person: a call interrupts the graph with a {@link CallQuestion}, and runs when the graph is
 * resumed with a `LangGraphAnswer`. The graph needs a checkpointer. With `durable` and `turnId`, no effect happens
 * twice if a node runs again.
 */
export function langGraphApprovals(): LangGraphApprovals {
  return createApprovals();
}
