import { NotExecuted, type ToolCall, type ToolResult } from "@hasp/runtime";
import type { RunAgentHandler } from "../generated/tools/run-agent.js";

/** The only tools that an agent of a kind may call. No agent may run another. */
const toolsByKind = {
  explore: ["glob", "read_file", "search_files"],
  edit: ["glob", "read_file", "search_files", "edit_file", "write_file"],
} as const;

const mostSteps = 20;

/**
 * Runs the host's model in a conversation of its own until it answers. Its calls go through the parent's dispatcher:
 * the same rules and questions apply to them, and an agent that only explores may make READ_ONLY calls only.
 */
export const execute: RunAgentHandler["execute"] = async ({ task, kind }, options) => {
  const { context, signal, callId, dispatch } = options;
  const tools: readonly string[] = toolsByKind[kind];
  let results: readonly ToolResult[] = [];
  let calls = 0;
  for (let step = 1; step <= mostSteps; step += 1) {
    signal.throwIfAborted();
    const reply = await context.askModel({ task, tools, results }, signal);
    if ("answer" in reply) return { answer: reply.answer, calls };
    const other = reply.calls.find(({ name }) => !tools.includes(name));
    if (other !== undefined) throw refusal(calls, `the agent called ${other.name}, which it was not given`);
    const own = reply.calls.map((call, index): ToolCall => ({ ...call, id: `${callId}.${step}.${index}` }));
    calls += own.length;
    results = await dispatch(own);
  }
  throw refusal(calls, `the agent gave no answer in ${mostSteps} steps`);
};

/** Creates the error of a failed agent. Calls that were made may have changed something. */
function refusal(calls: number, reason: string): Error {
  return calls === 0 ? new NotExecuted(reason) : new Error(reason);
}
