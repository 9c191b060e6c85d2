import { printVisibleLines, printVisibleText } from "@hasp/base/diagnostics";
import type { MergeConflict, Side } from "@hasp/import";
import { printSide } from "../import/merge-drift.js";
import type { AskAboutConflicts } from "../import/import-request.js";
import type { Prompter, Terminal } from "../shell/terminal.js";

/** Asks a person about conflicts, one file at a time although files are merged concurrently. */
export function createConflictQuestions(terminal: Terminal): { readonly ask: AskAboutConflicts; end(): void } {
  let questions: Prompter | undefined;
  let last: Promise<unknown> = Promise.resolve();
  const askAll = async (path: string, conflicts: readonly MergeConflict[]): Promise<ReadonlyMap<string, Side>> => {
    questions ??= terminal.questions();
    const answers = new Map<string, Side>();
    for (const [index, { pointer, base, ours, theirs }] of conflicts.entries()) {
      const lines = [
        terminal.paint("heading", `${printVisibleText(path)} ${printVisibleText(pointer)}`),
        `  yours        ${printVisibleLines(printSide(ours))}`,
        `  the source's ${printVisibleLines(printSide(theirs))}`,
        `  last import  ${printVisibleLines(printSide(base))}`,
      ];
      terminal.error(`\n${lines.join("\n")}\n`);
      const answer = await questions.ask(`Take the source's (${index + 1} of ${conflicts.length})? [y/N] `);
      answers.set(pointer, /^y(es)?$/iu.test(answer.trim()) ? "theirs" : "ours");
    }
    return answers;
  };
  return {
    ask: async (path, conflicts) => {
      const turn = last.then(async () => askAll(path, conflicts));
      last = turn;
      return turn;
    },
    end: () => questions?.end(),
  };
}
