import type { CompileResult } from "../../../compiler/src/compile.js";
import { createLayout, handlerFile } from "../../../compiler/src/typescript/layout.js";
import { formsByTool } from "../../../compiler/src/model/lowered.js";
import type { CompilePlan } from "../../../compiler/src/model/plan.js";
import type { FlatTool } from "../../../compiler/src/model/tool.js";
import type { Step } from "../../../compiler/src/context/compile-cache.js";
import { listSettings } from "../../../compiler/src/builtin/emitters/prepare.js";
import { generatedNames } from "../../../compiler/src/typescript/names.js";
import type { ToolRecord } from "../model.js";
import { toolRecord } from "./tool-record.js";

export interface RecordedProject {
  readonly plan: CompilePlan;
  readonly result: Pick<CompileResult, "tools" | "toolsets" | "each">;
  readonly texts: ReadonlyMap<string, string>;
}

/** Returns each tool with its record, computed once per version of the tool and of its forms. */
export function toolRecords({
  plan,
  result: { tools, toolsets, each },
  texts,
}: RecordedProject): readonly (readonly [tool: FlatTool, record: ToolRecord])[] {
  const formsOf = formsByTool(toolsets);
  const names = generatedNames(tools.map((tool) => tool.name));
  const layout = createLayout(plan);
  const handlerPath = (tool: FlatTool): string => {
    const own = names.get(tool.name);
    return own === undefined ? "" : handlerFile(tool, own, layout);
  };
  const recording: Step<FlatTool, ToolRecord, ToolRecord> = {
    name: "page",
    run: (tool) =>
      toolRecord(tool, { plan, forms: formsOf.get(tool.name) ?? [], handlerPath: handlerPath(tool), texts }),
    save: (record) => record,
    restore: (record) => record,
  };
  const settings = (tool: FlatTool): string =>
    JSON.stringify([listSettings(formsOf.get(tool.name) ?? []), handlerPath(tool)]);
  const records = each("Describing tools", recording, tools, settings);
  return tools.flatMap((tool, index) => records.slice(index, index + 1).map((record) => [tool, record] as const));
}
