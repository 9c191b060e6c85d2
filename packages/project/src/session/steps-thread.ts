// Runs the steps of some of a project's tools in a thread.
import { CompileCache, type NewStep, runStepsOfTools } from "@hasp/compiler";
import { builtInPlugins } from "../plugins/built-in.js";
import { answerQuestions } from "../processes/answer-questions.js";
import type { ThreadQuestion } from "./steps-in-threads.js";

answerQuestions(async ({ sources, plan }: ThreadQuestion): Promise<readonly NewStep[]> => {
  const cache = new CompileCache();
  await runStepsOfTools(sources, { plan, plugins: builtInPlugins, cache });
  return cache.newSteps();
});
