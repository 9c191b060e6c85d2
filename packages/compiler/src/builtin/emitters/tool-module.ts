import { code, type Code, docComment, joinCode, literal, name } from "../../typescript/code.js";
import { importStatement, typeNames } from "../../typescript/declarations.js";
import { formatModule } from "../../typescript/format.js";
import { typeDeclaration } from "../../typescript/print-type.js";
import type { Emitter, ToolToEmit } from "./base/emitter.js";
import { printHeader } from "./base/header.js";
import { importPath } from "../../typescript/layout.js";
import { importContextType } from "./module-parts/context-type.js";
import { listCustomTypes } from "./module-parts/custom-functions.js";
import { printHandlerType, isLoadedOnFirstCall, printTypesBundle } from "./module-parts/handler-type.js";
import { declareToolTypes } from "./tool-types.js";

/** One module per tool: its types, and the interface of its handler. */
export const toolModule: Emitter<string> = {
  name: "tool-module",
  part: (emitted) => formatModule(moduleCode(emitted)),
  files: ({ tools, layout }, partOf) =>
    tools.map((tool) => ({ path: layout.toolModule(tool.names), owner: "hasp", text: partOf(tool.name) })),
};

function moduleCode(emitted: ToolToEmit): Code {
  const { tool, names, layout, plan } = emitted;
  const { declared, shared } = declareToolTypes(emitted);
  const path = layout.toolModule(names);
  const { context } = plan;
  const runtime = [
    "Execute",
    isLoadedOnFirstCall(tool) ? "OptionalLazyExports" : "OptionalExports",
    ...listCustomTypes(tool),
  ];
  const imports = [
    importStatement(typeNames(runtime), "@hasp/runtime/codegen/v1"),
    ...(context === undefined ? [] : [importContextType(context, importPath(path, context.file))]),
    ...(shared.size === 0 ? [] : [importStatement(typeNames(shared), importPath(path, layout.sharedTypes))]),
  ];
  return joinCode(
    [
      printHeader(tool.document.uri),
      joinCode(imports, "\n"),
      ...declared.map((each) => typeDeclaration(each.name, each.type, each.comment, each.extends)),
      printHandlerType(emitted),
      printTypesBundle(emitted),
      code`${docComment([`Every behavioral fact about \`${tool.name}\`, with the strict value of what varies.`])}export { ${name(`${names.camel}Metadata`)} } from ${literal(importPath(path, layout.specs))};`,
    ],
    "\n\n",
  );
}
