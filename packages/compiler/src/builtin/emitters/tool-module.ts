import type { JsonValue } from "@hasp/schema";
import { code, type Code, docComment, joinCode, literal, name } from "../../typescript/code.js";
import { importStatement, typeNames } from "../../typescript/declarations.js";
import { formatModule } from "../../typescript/format.js";
import { typeDeclaration } from "../../typescript/print-type.js";
import type { Emitter, ToolToEmit } from "./base/emitter.js";
import { header } from "./header.js";
import { handlerFile, importPath } from "./base/layout.js";
import { metadataOf } from "../../model/tool-facts.js";
import { contextImport } from "./module-parts/context-type.js";
import { customTypes, helpersOf } from "./module-parts/custom-functions.js";
import { type ListedForm, sentSchemas } from "./base/sent-schemas.js";
import { entryConstant, entryTypes } from "./module-parts/dialect-entries.js";
import { handlerType, isLoadedOnFirstCall, typesBundle } from "./module-parts/handler-type.js";
import {
  schemaPrinter,
  schemaType,
  type SharedImport,
  sharedImports,
  type SchemaPrinter,
} from "./module-parts/shared-constants.js";
import { specConstant } from "./module-parts/spec-constant.js";
import { toolTypes } from "./tool-types.js";

/**
 * One module per tool: its types, its facts, its schemas, its entry in each dialect's list, and what its handler must
 * export.
 */
export const toolModule: Emitter<string> = {
  name: "tool-module",
  part: (emitted) => formatModule(moduleCode(emitted)),
  files: ({ tools, layout }, partOf) =>
    tools.map((tool) => ({ path: layout.toolModule(tool.names), owner: "hasp", text: partOf(tool.name) })),
};

function moduleCode(emitted: ToolToEmit): Code {
  const { tool, names, layout, plan } = emitted;
  const types = toolTypes(emitted);
  const forms = emitted.forms.filter((form) => form.kind === "listed");
  const sent = sentSchemas(tool, forms);
  const printer = schemaPrinter(
    emitted.shared,
    forms.flatMap(({ lowered }) => lowered.hoisted),
  );
  const constant = (comment: string, declared: Code, value: JsonValue): Code =>
    code`${docComment([comment])}${declared} = ${literal(value)};`;
  const schema = (comment: string, declared: string, value: JsonValue | undefined): readonly Code[] =>
    value === undefined
      ? []
      : [
          code`${docComment([comment])}const ${name(declared)}: ${name(schemaType(value))} = ${literal(printer.print(value))};`,
        ];
  const schemas = [
    ...printer.locals(),
    ...schema("What callers may send: flat and closed.", "input", sent.input),
    ...schema("What results hold.", "output", sent.output),
    ...forms.map((form) => entryConstant(tool, form, sent, plan, printer)),
  ];
  return joinCode(
    [
      header(tool.document.uri),
      imports(emitted, forms, sent, [...types.shared, ...printer.used], printer),
      ...types.declared.map(({ name: declared, type, comment, extends: base }) =>
        typeDeclaration(declared, type, comment, base),
      ),
      handlerType(emitted),
      typesBundle(emitted),
      constant(
        `Every behavioral fact about \`${tool.name}\`, with the strict value of what varies.`,
        code`export const ${name(`${names.camel}Metadata`)}: ToolMetadata`,
        metadataOf(tool),
      ),
      constant("What the model is told.", code`const description: string`, tool.spec.description),
      ...schemas,
      specConstant(tool, names, handlerFile(tool, names, layout), forms, plan.connections),
    ],
    "\n\n",
  );
}

function imports(
  { tool, names, layout, plan }: ToolToEmit,
  forms: readonly ListedForm[],
  { input, output }: { readonly input: JsonValue; readonly output: JsonValue | undefined },
  shared: readonly SharedImport[],
  printer: SchemaPrinter,
): Code {
  const path = layout.toolModule(names);
  const types = new Set([
    "Execute",
    isLoadedOnFirstCall(tool) ? "OptionalLazyExports" : "OptionalExports",
    "ToolMetadata",
    "ToolSpec",
    schemaType(input),
    ...printer.localTypes,
    ...(output === undefined ? [] : [schemaType(output)]),
    ...entryTypes(forms),
    ...customTypes(tool),
  ]);
  const helpers = [...helpersOf(tool), ...printer.helpers].map((helper) => ({ name: helper }));
  const { context } = plan;
  return joinCode(
    [
      importStatement([...typeNames(types), ...helpers], "@hasp/runtime/codegen/v1"),
      ...(context === undefined ? [] : [contextImport(context, importPath(path, context.file))]),
      ...sharedImports(shared, (module) => importPath(path, layout.definition(module))),
    ],
    "\n",
  );
}
