import type { JsonValue } from "@hasp/schema";
import { docComment } from "../typescript/doc-comment.js";
import { layOut } from "../typescript/document.js";
import { importStatement } from "../typescript/import-statement.js";
import { dataConstant } from "../typescript/object-text.js";
import { typeDeclaration } from "../typescript/print-type.js";
import type { Emitter, ToolToEmit } from "./emitter.js";
import { isLoadedOnFirstCall } from "./handler-loading.js";
import { header } from "./header.js";
import { importPath } from "./layout.js";
import { metadataOf } from "./metadata.js";
import { contextImport } from "./module-parts/context-type.js";
import { customTypes, helpersOf } from "./module-parts/custom-functions.js";
import { entryConstant, entryTypes, type ListedForm, sentSchemas } from "./module-parts/dialect-entries.js";
import { handlerType, typesBundle } from "./module-parts/handler-type.js";
import { specConstant } from "./module-parts/spec-constant.js";
import { toolTypes } from "./tool-types.js";

/**
 * One module a tool: its types, its facts, its schemas, its entry in each dialect's list, and what its handler must
 * export.
 */
export const toolModule: Emitter<string> = {
  name: "tool-module",
  part: moduleText,
  files: ({ tools, layout }, partOf) =>
    tools.map(({ name, names }) => ({ path: layout.toolModule(names), owner: "hasp", pieces: [partOf(name)] })),
};

function moduleText(emitted: ToolToEmit): string {
  const { tool, names, layout, sharedTypes, plan } = emitted;
  const types = toolTypes(tool, names, sharedTypes);
  const forms = emitted.forms.filter((form) => form.kind === "listed");
  const sent = sentSchemas(tool, forms);
  const sections = [
    header(tool.document.uri),
    imports(
      emitted,
      forms,
      [schemaType(sent.input), ...(sent.output === undefined ? [] : [schemaType(sent.output)])],
      types.shared,
    ),
    ...types.declared.map(({ name, type, comment, extends: base }) =>
      layOut(typeDeclaration(name, type, comment, base)),
    ),
    handlerType(emitted),
    typesBundle(emitted),
    documented(
      `Every behavioural fact about \`${tool.name}\`; none is left to a default. What varies stands here with its strict value.`,
      dataConstant(`export const ${names.camel}Metadata: ToolMetadata`, metadataOf(tool)),
    ),
    documented("What the model is told.", dataConstant("const description: string", tool.spec.description)),
    documented(
      "What callers may send: flat and closed.",
      dataConstant(`const input: ${schemaType(sent.input)}`, sent.input),
    ),
    ...(sent.output === undefined
      ? []
      : [documented("What results hold.", dataConstant(`const output: ${schemaType(sent.output)}`, sent.output))]),
    ...forms.map((form) => entryConstant(tool, form, sent, plan)),
    specConstant(tool, names, layout.handler(names), forms),
  ];
  return sections.map((section) => section.trimEnd()).join("\n\n") + "\n";
}

function documented(comment: string, declaration: string): string {
  return `${docComment([comment]).join("\n")}\n${declaration}`;
}

/** Providers want the schema of an object at the root of a tool, and their SDKs' types say so. */
function schemaType(schema: JsonValue): string {
  const isObject =
    typeof schema === "object" &&
    schema !== null &&
    Object.hasOwn(schema, "type") &&
    Reflect.get(schema, "type") === "object";
  return isObject ? "ObjectSchema" : "JsonSchema";
}

function imports(
  { tool, names, layout, plan }: ToolToEmit,
  forms: readonly ListedForm[],
  schemaTypes: readonly string[],
  shared: readonly string[],
): string {
  const path = layout.toolModule(names);
  const statements = [
    importStatement(
      [
        "type Execute",
        isLoadedOnFirstCall(tool) ? "type OptionalLazyExports" : "type OptionalExports",
        "type ToolMetadata",
        "type ToolSpec",
        ...new Set(schemaTypes.map((type) => `type ${type}`)),
        ...entryTypes(forms),
        ...customTypes(tool),
        ...helpersOf(tool),
      ],
      "@hasp/runtime/codegen/v1",
    ),
    ...(plan.context === undefined
      ? []
      : [importStatement([contextImport(plan.context)], importPath(path, plan.context.file))]),
    ...(shared.length === 0
      ? []
      : [
          importStatement(
            shared.map((name) => `type ${name}`),
            importPath(path, layout.sharedTypes),
          ),
        ]),
  ];
  return statements.join("\n");
}
