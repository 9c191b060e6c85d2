import type { DialectId } from "@hasp/schema";
import type { LoweredTool, LoweredToolset } from "../model/lowered.js";
import type { FlatTool } from "../model/tool.js";
import { docComment } from "../typescript/doc-comment.js";
import { layOut } from "../typescript/document.js";
import { importStatement } from "../typescript/import-statement.js";
import { dataConstant } from "../typescript/object-text.js";
import { typeDeclaration } from "../typescript/print-type.js";
import type { Emitter, EmitModel } from "./emitter.js";
import { isLoadedOnFirstCall } from "./handler-loading.js";
import { header } from "./header.js";
import { importPath } from "./layout.js";
import { metadataOf } from "./metadata.js";
import { contextImport } from "./module-parts/context-type.js";
import { customTypes, helpersOf } from "./module-parts/custom-functions.js";
import { dialectsOf, sentSchemas } from "./module-parts/dialect-entries.js";
import { handlerType, typesBundle } from "./module-parts/handler-type.js";
import { specConstant } from "./module-parts/spec-constant.js";
import { toolTypes } from "./tool-types.js";

/** One module a tool: its types, its facts, its schemas, how each dialect lists it, and what its handler must export. */
export const toolModule: Emitter = {
  name: "tool-module",
  emit: (model) => {
    const lowered = loweredByTool(model.toolsets);
    return model.tools.map((tool) => ({
      path: model.layout.toolModule(tool.name),
      owner: "hasp",
      text: moduleText(tool, lowered.get(tool.name) ?? new Map(), model),
    }));
  },
};

/** How each dialect lists a tool, by tool and dialect. A tool is lowered alike for every toolset that has it. */
function loweredByTool(toolsets: readonly LoweredToolset[]): ReadonlyMap<string, ReadonlyMap<DialectId, LoweredTool>> {
  const byTool = new Map<string, Map<DialectId, LoweredTool>>();
  for (const { dialect, tools } of toolsets.flatMap(({ lists }) => lists)) {
    for (const lowered of tools) {
      const byDialect = byTool.get(lowered.tool.name) ?? new Map<DialectId, LoweredTool>();
      byTool.set(lowered.tool.name, byDialect.set(dialect, lowered));
    }
  }
  return byTool;
}

function moduleText(tool: FlatTool, lowered: ReadonlyMap<DialectId, LoweredTool>, model: EmitModel): string {
  const { layout, sharedTypes } = model;
  const names = layout.names(tool.name);
  const path = layout.toolModule(tool.name);
  const types = toolTypes(tool, names, sharedTypes);
  const sent = sentSchemas(tool, lowered);
  const parts = {
    metadata: dataConstant(`export const ${names.camel}Metadata: ToolMetadata`, metadataOf(tool)),
    description: dataConstant("const description: string", tool.spec.description),
    input: dataConstant("const input: JsonSchema", sent.input),
    output: sent.output === undefined ? undefined : dataConstant("const output: JsonSchema", sent.output),
    dialects: dataConstant("const dialects: ToolDialects", dialectsOf(tool, lowered, sent)),
  };
  const sections = [
    header(tool.document.uri),
    imports(tool, path, types.shared, model),
    ...types.declared.map(({ name, type, comment, extends: base }) => layOut(typeDeclaration(name, type, comment, base))),
    handlerType(tool, names, model),
    typesBundle(tool, names, model),
    `${docComment([`Every behavioural fact about \`${tool.name}\`; none is left to a default. What varies stands here with its strict value.`]).join("\n")}\n${parts.metadata}`,
    `/** What the model is told. */\n${parts.description}`,
    `/** What callers may send: flat and closed. */\n${parts.input}`,
    ...(parts.output === undefined ? [] : [`/** What results hold. */\n${parts.output}`]),
    `/** How each dialect names, shapes and lists the tool. */\n${parts.dialects}`,
    specConstant(tool, names, layout.handler(tool.name)),
  ];
  return sections.map((section) => section.trimEnd()).join("\n\n") + "\n";
}

function imports(tool: FlatTool, path: string, shared: readonly string[], { layout, plan }: EmitModel): string {
  const statements = [
    importStatement(
      [
        "defineToolSpec",
        "type Execute",
        "type JsonSchema",
        isLoadedOnFirstCall(tool) ? "type OptionalLazyExports" : "type OptionalExports",
        "type ToolDialects",
        "type ToolMetadata",
        "type ToolSpec",
        ...customTypes(tool),
        ...helpersOf(tool),
      ],
      "@hasp/runtime/codegen",
    ),
    ...(plan.context === undefined ? [] : [importStatement([contextImport(plan.context)], importPath(path, plan.context.file))]),
    ...(shared.length === 0 ? [] : [importStatement(shared.map((name) => `type ${name}`), importPath(path, layout.sharedTypes))]),
  ];
  return statements.join("\n");
}
