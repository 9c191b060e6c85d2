import type { Tape } from "@hasp/runtime";
import { simulate } from "@hasp/testing";
import { collectAnswers, loadEmittedTools } from "@hasp/compiler/spec-tests";
import { runModules } from "@hasp/project/emitted";
import { STATED_ANSWERS } from "./stated-answers.js";
import { compileProject, type ReadSession } from "@hasp/project/session";

/** Simulates the answers that the tests of the project's specs state. */
export async function simulateTests(session: ReadSession): Promise<Tape> {
  const { value: project } = await compileProject(session, { adapt: (plan) => ({ ...plan, unlocked: true }) });
  if (project === undefined) return simulate();
  const { tools, toolsets } = project.result;
  const emitted = await loadEmittedTools(
    { tools, toolsets, plan: project.plan },
    { plugins: project.plugins, runModules, answers: STATED_ANSWERS },
    ({ spec }) => spec.tests !== undefined,
  );
  return simulate({ answers: await collectAnswers(tools, emitted.value) });
}
