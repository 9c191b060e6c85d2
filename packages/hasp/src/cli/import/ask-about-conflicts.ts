import type { MergeConflict, Side } from "../../../../import/src/importers/specs/merge-import.js";
import { visibleLines, visibleText } from "../../../../compiler/src/text/visible-text.js";
import type { Questions, Terminal } from "../shell/terminal.js";
import { valueText } from "./write/merge-drift.js";
import type { PutSettings } from "./write/put-settings.js";

/** Asks a person about conflicts, one file at a time although files are merged concurrently. */
export function conflictQuestions(terminal: Terminal): Required<Pick<PutSettings, "ask">> & { end(): void } {
  let questions: Questions | undefined;
  let last: Promise<unknown> = Promise.resolve();
  const askAll = async (path: string, conflicts: readonly MergeConflict[]): Promise<ReadonlyMap<string, Side>> => {
    questions ??= terminal.questions();
    const answers = new Map<string, Side>();
    for (const [index, { pointer, base, ours, theirs }] of conflicts.entries()) {
      const lines = [
        terminal.paint("heading", `${visibleText(path)} ${visibleText(pointer)}`),
        `  yours        ${visibleLines(valueText(ours))}`,
        `  the source's ${visibleLines(valueText(theirs))}`,
        `  last import  ${visibleLines(valueText(base))}`,
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
