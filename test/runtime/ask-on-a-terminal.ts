import { createInterface } from "node:readline/promises";
import type { AskAnswer, PermissionRequest } from "@hasp/runtime";

/** Asks the person at the terminal. Without one, nobody can answer, and the call is refused. */
export async function askOnTerminal(request: PermissionRequest): Promise<AskAnswer> {
  const { stdin: input, stdout: output } = process;
  if (!input.isTTY) return { decision: "deny", reason: "nobody is at the terminal" };
  const terminal = createInterface({ input, output });
  try {
    const danger = request.isDestructive ? " It may destroy data." : "";
    // As JSON, so that no input can write over the question.
    const question = `Run ${request.toolName} with ${JSON.stringify(request.input)}?${danger} [y/N] `;
    const answer = await terminal.question(question);
    return /^y(es)?$/iu.test(answer.trim()) ? "allow" : { decision: "deny", reason: "the user said no" };
  } finally {
    terminal.close();
  }
}
