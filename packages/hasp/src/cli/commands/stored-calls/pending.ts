import { pluralize } from "../../../../../compiler/src/text/words.js";
import { questionData, questionList } from "../../../../../report/src/views/question-list.js";
import type { CommandModule, Invocation } from "../../shell/command.js";
import { declareStoreOption, type StoreOption, useCallStore } from "./store-option.js";

interface PendingOptions extends StoreOption {
  readonly tool?: string;
  readonly turn?: string;
  readonly principal?: string;
}

export const pending: CommandModule = {
  configure(command) {
    declareStoreOption(command)
      .option("--tool <name>", "only questions about this tool")
      .option("--turn <id>", "only questions of this turn")
      .option("--principal <name>", "only questions of turns that run for this principal");
  },
  run: async (given) => {
    const invocation = given as Invocation<PendingOptions>;
    const { tool: toolName, turn: turnId, principal } = invocation.options;
    return useCallStore(invocation, async (store, { onDamage, findings }) => {
      const questions = await store.questions({
        isOpen: true,
        onDamage,
        ...(toolName !== undefined && { toolName }),
        ...(turnId !== undefined && { turnId }),
        ...(principal !== undefined && { principal }),
      });
      const now = Date.now();
      return {
        diagnostics: findings,
        product:
          questions.length === 0 ? "No questions are waiting.\n" : questionList(questions, now, invocation.terminal),
        data: { questions: questionData(questions, now) },
        summary: { questions: questions.length },
        ...(questions.length > 0 && {
          aside: `${pluralize(questions.length, "question")}. To answer one: hasp answer <question> --allow, or --deny --reason "…".\n`,
        }),
      };
    });
  },
};
