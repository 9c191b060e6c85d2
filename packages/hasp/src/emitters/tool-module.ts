import type { JsonValue } from "@hasp/schema";
import { isObject } from "../model/json-kind.js";
import { code, type Code, docComment, joinCode, literal, name } from "../typescript/code.js";
import { importStatement, typeNames } from "../typescript/declarations.js";
import { formatModule } from "../typescript/format.js";
import { typeDeclaration } from "../typescript/print-type.js";
import type { Emitter, ToolToEmit } from "./base/emitter.js";
import { header } from "./header.js";
import { importPath } from "./base/layout.js";
import { metadataOf } from "./manifest.js";
import { contextImport } from "./module-parts/context-type.js";
import { customTypes, helpersOf } from "./module-parts/custom-functions.js";
import { entryConstant, entryTypes, type ListedForm, sentSchemas } from "./module-parts/dialect-entries.js";
import { handlerType, isLoadedOnFirstCall, typesBundle } from "./module-parts/handler-type.js";
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
  const constant = (comment: string, declared: Code, value: JsonValue): Code =>
    code`${docComment([comment])}${declared} = ${literal(value)};`;
  const schema = (comment: string, declared: string, value: JsonValue | undefined): readonly Code[] =>
    value === undefined ? [] : [constant(comment, code`const ${name(declared)}: ${name(schemaType(value))}`, value)];
  return joinCode(
    [
      header(tool.document.uri),
      imports(emitted, forms, sent, types.shared),
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
      ...schema("What callers may send: flat and closed.", "input", sent.input),
      ...schema("What results hold.", "output", sent.output),
      ...forms.map((form) => entryConstant(tool, form, sent, plan)),
      specConstant(tool, names, layout.handler(names), forms),
    ],
    "\n\n",
  );
}

/** Providers want an object schema at the root of a tool, and the types of their SDKs say so. */
function schemaType(schema: JsonValue): string {
  return isObject(schema) && schema["type"] === "object" ? "ObjectSchema" : "JsonSchema";
}

function imports(
  { tool, names, layout, plan }: ToolToEmit,
  forms: readonly ListedForm[],
  { input, output }: { readonly input: JsonValue; readonly output: JsonValue | undefined },
  shared: readonly string[],
): Code {
  const path = layout.toolModule(names);
  const types = new Set([
    "Execute",
    isLoadedOnFirstCall(tool) ? "OptionalLazyExports" : "OptionalExports",
    "ToolMetadata",
    "ToolSpec",
    schemaType(input),
    ...(output === undefined ? [] : [schemaType(output)]),
    ...entryTypes(forms),
    ...customTypes(tool),
  ]);
  const helpers = helpersOf(tool).map((helper) => ({ name: helper }));
  const { context } = plan;
  return joinCode(
    [
      importStatement([...typeNames(types), ...helpers], "@hasp/runtime/codegen/v1"),
      ...(context === undefined ? [] : [contextImport(context, importPath(path, context.file))]),
      ...(shared.length === 0 ? [] : [importStatement(typeNames(shared), importPath(path, layout.sharedTypes))]),
    ],
    "\n",
  );
}
