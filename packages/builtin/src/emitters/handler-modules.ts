import { findConnectionName, declarationOf } from "@hasp/compiler/model";
import type { HandlerDeclaration } from "@hasp/compiler/handlers";
import {
  code,
  type Code,
  printDocComment,
  joinCode,
  name,
  importStatement,
  importStatements,
  typeNames,
  nameUnnumberedEntry,
  formatModule,
} from "@hasp/compiler/code";
import type { Emitter, ToolToEmit } from "./base/emitter.js";
import { findConnectionFile } from "./base/names.js";
import { printHeader } from "./base/module-text.js";
import { importContextType, printContextType } from "./module-parts/handler-type.js";

/** One module per tool with a declared handler, imported on its first call. */
export const handlerModules: Emitter<string | null> = {
  name: "handler-modules",
  part: (emitted) => {
    const declared = declarationOf(emitted.tool.spec);
    if (declared === undefined) return null;
    const { tool, names, layout } = emitted;
    return formatModule(
      joinCode(
        [printHeader(tool.document.uri), ...moduleCode(emitted, declared, layout.declaredHandler(names))],
        "\n\n",
      ),
    );
  },
  files: ({ tools, layout }, partOf) =>
    tools.flatMap(({ name: tool, names }) => {
      const text = partOf(tool);
      return text === null ? [] : [{ path: layout.declaredHandler(names), owner: "hasp", madeFrom: { tool }, text }];
    }),
};

/** Prints a declared handler as the user's own file. Throws if the tool declares none. */
export async function printEjectedHandler(
  emitted: ToolToEmit,
): Promise<{ readonly path: string; readonly text: string }> {
  const { tool, names, layout } = emitted;
  const declared = declarationOf(tool.spec);
  if (declared === undefined) throw new Error(`${tool.name} declares no handler.`);
  const path = layout.handler(names);
  return { path, text: await formatModule(joinCode(moduleCode(emitted, declared, path, nameUnnumberedEntry), "\n\n")) };
}

function moduleCode(
  { tool, names, layout, plan, kinds }: ToolToEmit,
  declared: HandlerDeclaration,
  path: string,
  nameEntry: (from: string) => string = (from) => from,
): readonly Code[] {
  const connection = findConnectionName(declared);
  const file = connection === undefined ? undefined : findConnectionFile(connection, plan, layout);
  const [input, handler] = [`${names.pascal}Input`, `${names.pascal}Handler`];
  const printed = kinds.partsOf(declared.key).print(declared.declaration, {
    tool,
    types: code`${name(input)}, ${printContextType(plan.context)}`,
    connection: name(file?.constant ?? "undefined"),
    plan,
  });
  const imports = [
    ...importStatements(
      Object.fromEntries(Object.entries(printed.imports).map(([from, names]) => [nameEntry(from), names])),
    ),
    ...(plan.context === undefined
      ? []
      : [importContextType(plan.context, layout.importPath(path, plan.context.file))]),
    ...(file === undefined ? [] : [importStatement([{ name: file.constant }], layout.importPath(path, file.path))]),
    importStatement(typeNames([handler, input]), layout.importPath(path, layout.toolModule(names))),
  ];
  return [
    joinCode(imports, "\n"),
    code`${printDocComment([printed.comment])}export const execute: ${name(handler)}["execute"] = ${printed.value};`,
  ];
}
