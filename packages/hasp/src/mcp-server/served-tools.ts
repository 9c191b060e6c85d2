import type { CompileResult } from "../../../compiler/src/compile.js";
import { createLayout, handlerFile } from "../../../compiler/src/typescript/layout.js";
import { formsByTool, type LoweredTool } from "../../../compiler/src/model/lowered.js";
import type { CompilePlan } from "../../../compiler/src/model/plan.js";
import { generatedNames } from "../../../compiler/src/typescript/names.js";
import { isPlain } from "../../../compiler/src/run/plain-data.js";
import type { EntryData, RunnableTool } from "../../../compiler/src/run/runnable-spec.js";
import { runnableTool } from "../../../compiler/src/run/runnable-tool.js";

/** A tool that can be offered to MCP clients without its generated module. Plain data. */
export interface ServedTool {
  readonly tool: RunnableTool;
  /** Path relative to the root. */
  readonly handler: string;
}

/**
 * Returns the tools of a compiled project in registry order, with their entries in MCP lists.
 * Returns `undefined` if JSON cannot carry them: then only the generated modules can.
 */
export function servedTools(
  { tools, toolsets }: Pick<CompileResult, "tools" | "toolsets">,
  plan: CompilePlan,
): readonly ServedTool[] | undefined {
  const layout = createLayout(plan);
  const allNames = generatedNames(tools.map(({ name }) => name));
  const forms = formsByTool(toolsets);
  const served: ServedTool[] = [];
  for (const tool of tools) {
    const names = allNames.get(tool.name);
    if (names === undefined) return undefined;
    const handler = handlerFile(tool, names, layout);
    const form = forms.get(tool.name)?.find(({ dialect }) => dialect === MCP);
    const entries = form?.kind === "listed" ? { entries: { [MCP]: entryOf(form.lowered) } } : {};
    served.push({ tool: { ...runnableTool(tool, handler, plan), ...entries }, handler });
  }
  const inOrder = served.toSorted((left, right) => (left.tool.spec.name < right.tool.spec.name ? -1 : 1));
  return isPlain(inOrder) ? inOrder : undefined;
}

const MCP = "mcp";

function entryOf({ tool, wireName, lowering: { codec }, definition }: LoweredTool): EntryData {
  return {
    ...(wireName === tool.name ? {} : { name: wireName }),
    ...(codec === undefined ? {} : { codec }),
    definition,
  };
}
