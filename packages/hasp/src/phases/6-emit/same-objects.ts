// From build to build, what says the same shall be the same object: what was made from it is then found by its identity.
import type { BuildToEmit, EmitPlan, EmittedList, ToolToEmit } from "../../emitters/emitter.js";
import { createLayout, type Layout } from "../../emitters/layout.js";
import type { ToolForm } from "../../model/lowered.js";
import type { CompilePlan } from "../../model/plan.js";
import { isSameList } from "../../model/same-list.js";
import type { FlatTool } from "../../model/tool.js";

/** What emitting looks at of a plan, and where that puts the files. */
interface Settled {
  readonly plan: EmitPlan;
  readonly layout: Layout;
}

let lastSettled: (Settled & { readonly text: string }) | undefined;

/**
 * What emitting looks at of a plan: the same objects as the last time where the plan says the same, since a plan is read
 * anew for each build.
 */
export function samePlanOrNew({
  outDir,
  handlersDir,
  context,
  dialects,
  stubTemplates,
  unlocked,
}: CompilePlan): Settled {
  const plan: EmitPlan = {
    outDir,
    handlersDir,
    dialects,
    unlocked,
    ...(context === undefined ? {} : { context }),
    ...(stubTemplates === undefined ? {} : { stubTemplates }),
  };
  const text = JSON.stringify(plan);
  if (lastSettled?.text !== text) lastSettled = { text, plan, layout: createLayout(plan) };
  return lastSettled;
}

let lastBuild: BuildToEmit | undefined;

/** The last build where this one says the same; else this one. */
export function sameBuildOrNew(build: BuildToEmit): BuildToEmit {
  if (lastBuild === undefined || !isSameBuild(lastBuild, build)) lastBuild = build;
  return lastBuild;
}

/** The plan decides where the files are. */
function isSameBuild(left: BuildToEmit, right: BuildToEmit): boolean {
  return (
    left.plan === right.plan &&
    isSameList(left.tools, right.tools, (a, b) => a.name === b.name && a.names === b.names) &&
    isSameList(
      left.toolsets,
      right.toolsets,
      (a, b) => a.name === b.name && isSameList(a.lists, b.lists, isSameEmittedList),
    )
  );
}

function isSameEmittedList(left: EmittedList, right: EmittedList): boolean {
  return (
    left.dialect === right.dialect && isSameList(left.tools, right.tools) && isSameList(left.excluded, right.excluded)
  );
}

const toolsSoFar = new WeakMap<FlatTool, ToolToEmit>();

/** What a tool was last emitted from where this says the same; else this. */
export function sameToolOrNew(tool: ToolToEmit): ToolToEmit {
  const last = toolsSoFar.get(tool.tool);
  if (last !== undefined && isSameTool(last, tool)) return last;
  toolsSoFar.set(tool.tool, tool);
  return tool;
}

function isSameTool(left: ToolToEmit, right: ToolToEmit): boolean {
  return (
    left.plan === right.plan &&
    left.sharedTypes === right.sharedTypes &&
    left.names.pascal === right.names.pascal &&
    left.names.kebab === right.names.kebab &&
    isSameList(left.forms, right.forms, isSameForm)
  );
}

function isSameForm(left: ToolForm, right: ToolForm): boolean {
  if (left.dialect !== right.dialect) return false;
  if (left.kind === "listed") return right.kind === "listed" && left.lowered === right.lowered;
  return right.kind === "excluded" && left.reason === right.reason;
}
