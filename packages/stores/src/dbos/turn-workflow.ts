import { DBOS } from "@dbos-inc/dbos-sdk";
import type { ToolCall, ToolResult } from "@hasp/runtime";
import type { Question } from "@hasp/runtime/call-store";
import { nameStep, type AboutToRun, type CallSteps, type Progress, type WorkflowRun } from "./call-steps.js";

/** The event of a turn's workflow that holds the open questions of the current batch. */
export const QUESTIONS = "questions";
/** The event that holds the calls of that batch which wait for somebody who executes them. */
export const EXTERNALS = "externals";

type RunningElsewhere = () => Promise<ToolResult>;

/** Starts a call in another workflow, perhaps of another process. */
export type StartElsewhere = (run: WorkflowRun, name: string, progress: AboutToRun) => Promise<RunningElsewhere>;

/**
 * Runs the calls of a turn batch by batch. A process that repeats the workflow must reach the same steps in the same
 * order, so calls begin in call order.
 */
export async function runTurn(
  steps: CallSteps,
  startElsewhere: StartElsewhere | undefined,
  run: WorkflowRun,
  calls: readonly ToolCall[],
): Promise<readonly ToolResult[]> {
  const results: ToolResult[] = [];
  for (const batch of await batchesOf(steps, run, calls)) {
    results.push(...(await runBatch(steps, startElsewhere, run, batch)));
  }
  return results;
}

interface BatchMember {
  readonly call: ToolCall;
  readonly index: number;
  readonly isDuplicate: boolean;
}

async function batchesOf(
  steps: CallSteps,
  run: WorkflowRun,
  calls: readonly ToolCall[],
): Promise<readonly (readonly BatchMember[])[]> {
  const batches: BatchMember[][] = [];
  const ids = new Set<unknown>();
  let isReading = false;
  for (const [index, call] of calls.entries()) {
    const reads = calls.length > 1 && (await steps.reads(call, run));
    const member = { call, index, isDuplicate: call.id !== "" && ids.has(call.id) };
    ids.add(call.id);
    if (reads && isReading) batches.at(-1)?.push(member);
    else batches.push([member]);
    isReading = reads;
  }
  return batches;
}

async function runBatch(
  steps: CallSteps,
  startElsewhere: StartElsewhere | undefined,
  run: WorkflowRun,
  batch: readonly BatchMember[],
): Promise<readonly ToolResult[]> {
  const begun = await Promise.all(
    batch.map(({ call, index, isDuplicate }): Promise<Progress> =>
      isDuplicate ? steps.refuseDuplicate(call, run) : steps.begin(run, call, index),
    ),
  );
  const questions = begun.flatMap((progress): readonly Question[] =>
    progress.kind === "asked" ? [progress.question] : [],
  );
  if (questions.length > 0) await DBOS.setEvent(QUESTIONS, questions);

  async function start(call: ToolCall, progress: AboutToRun): Promise<RunningElsewhere> {
    if (startElsewhere !== undefined) return startElsewhere(run, nameStep(call), progress);
    return () => steps.execute(run, nameStep(call), progress);
  }

  const members = batch.map(({ call }, index) => ({ call, progress: begun[index] as Progress }));
  const tellExternals = async (): Promise<void> => {
    const awaited = members.flatMap(({ progress }) => (progress.kind === "awaited" ? [progress.external] : []));
    await DBOS.setEvent(EXTERNALS, awaited);
  };
  if (begun.some(({ kind }) => kind === "awaited")) await tellExternals();
  const running: (RunningElsewhere | undefined)[] = [];
  for (const { call, progress } of members) {
    running.push(progress.kind === "about-to-run" ? await start(call, progress) : undefined);
  }
  const results: ToolResult[] = [];
  for (const [index, member] of members.entries()) {
    const { call } = member;
    let { progress } = member;
    while (progress.kind === "asked" || progress.kind === "awaited") {
      const before = progress;
      progress = await steps.goOn(run, call, before);
      member.progress = progress;
      if (before.kind === "awaited" || progress.kind === "awaited") await tellExternals();
    }
    if (progress.kind === "settled") results.push(progress.result);
    else results.push(await (running[index] ?? (await start(call, progress)))());
  }
  if (questions.length > 0) await DBOS.setEvent(QUESTIONS, []);
  return results;
}
