// Runs the steps of some of a project's tools in a thread.
import { CompileCache, type NewStep, runStepsOfTools } from "@hasp/compiler";
import { builtInPlugins } from "../plugins/built-in.js";
import { answerQuestions } from "../processes/answer-questions.js";
import type { ThreadQuestion } from "./steps-in-threads.js";

// The models of the first question serve the second one.
const cache = new CompileCache();

answerQuestions(async ({ sources, ...question }: ThreadQuestion): Promise<readonly NewStep[]> => {
  const known = new Set(cache.newSteps().map(({ key, title }) => `${key} ${title}`));
  await runStepsOfTools(sources, { ...question, plugins: builtInPlugins, cache });
  return cache.newSteps().filter(({ key, title }) => !known.has(`${key} ${title}`));
});
