import type { CompileResult } from "../../compile.js";
import { createLayout, handlerFile } from "../../emitters/base/layout.js";
import { CompileCache } from "../../model/facts.js";
import { formsByTool } from "../../model/lowered.js";
import type { CompilePlan } from "../../model/plan.js";
import type { FlatTool } from "../../model/tool.js";
import { settingsOf } from "../../phases/6-emit/prepare.js";
import { generatedNames } from "../../typescript/names.js";
import type { ToolRecord } from "../model.js";
import { toolRecord } from "./tool-record.js";

/** A project as it was compiled. */
export interface RecordedProject {
  readonly plan: CompilePlan;
  readonly result: Pick<CompileResult, "tools" | "toolsets">;
  /** The project's files by uri. */
  readonly texts: ReadonlyMap<string, string>;
  /** What earlier runs computed of each page; by default nothing. */
  readonly pages?: CompileCache | undefined;
}

/** Returns each tool with its record, which is computed once per version of the tool and of its forms. */
export function toolRecords({
  plan,
  result: { tools, toolsets },
  texts,
  pages = new CompileCache(),
}: RecordedProject): readonly (readonly [tool: FlatTool, record: ToolRecord])[] {
  const formsOf = formsByTool(toolsets);
  const names = generatedNames(tools.map((tool) => tool.name));
  const layout = createLayout(plan);
  return tools.map((tool) => {
    const forms = formsOf.get(tool.name) ?? [];
    const own = names.get(tool.name);
    const handlerPath = own === undefined ? "" : handlerFile(tool, own, layout);
    const settings = JSON.stringify([settingsOf(forms), handlerPath]);
    const compute = (): ToolRecord => toolRecord(tool, { plan, forms, handlerPath, texts });
    return [tool, pages.factsFor(tool.facts.key).of("page", compute, settings)];
  });
}
