import { createInterface } from "node:readline/promises";
import { presentQuestion, type AskAnswer, type PermissionRequest } from "@hasp/runtime";

/** Asks the person at the terminal. Without one, nobody can answer, and the call is refused. */
export async function askOnTerminal(request: PermissionRequest): Promise<AskAnswer> {
  const { stdin: input, stdout: output } = process;
  const question = presentQuestion(request);
  if (!question.mayAllow) return { decision: "deny", reason: question.notes.join(" ") };
  if (!input.isTTY) return { decision: "deny", reason: "nobody is at the terminal" };
  const terminal = createInterface({ input, output });
  try {
    const answer = await terminal.question(
      `Run ${question.toolName} with ${question.input}? ${question.effect} [y/N] `,
    );
    return /^y(es)?$/iu.test(answer.trim()) ? "allow" : { decision: "deny", reason: "the user said no" };
  } finally {
    terminal.close();
  }
}
