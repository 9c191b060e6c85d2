import type { JsonValue } from "@hasp/schema";
import { code, type Code, joinCode, literal, name } from "../../typescript/code.js";
import { importStatement, typeNames } from "../../typescript/declarations.js";
import { metadataOf } from "../../model/tool-facts.js";
import { formatModule } from "../../typescript/format.js";
import type { Emitter, ToolToEmit } from "./base/emitter.js";
import { draftGroups } from "./base/groups.js";
import { handlerFile, importPath } from "../../typescript/layout.js";
import { chooseSentSchemas } from "./base/sent-schemas.js";
import { printHeader } from "./base/header.js";
import { listHelpers } from "./module-parts/custom-functions.js";
import { printEntry, listEntryTypes } from "./module-parts/dialect-entries.js";
import { printLazyConstant, createSchemaPrinter, chooseSchemaType } from "./module-parts/shared-constants.js";
import { printSpec } from "./module-parts/spec-constant.js";

type SpecPart = {
  /** Formatted statements. */
  readonly text: string;
  /** Imported types from `@hasp/runtime/codegen/v1`; then its functions, then shared definitions. */
  readonly types: readonly string[];
  readonly helpers: readonly string[];
  readonly definitions: readonly string[];
};

/**
 * The specs of all tools as functions, and their entries in each dialect's list. Many tools share a module: loading a
 * thousand modules takes longer than their content justifies.
 */
export const specModules: Emitter<SpecPart> = {
  name: "spec-modules",
  part: specPart,
  files: ({ tools, layout }, partOf) =>
    draftGroups(
      layout.specs,
      tools.map(({ name: tool }) => ({ name: tool, part: partOf(tool) })),
      layout,
      {
        exported: code`export`,
        sizeOf: ({ part }) => part.text.length,
        print: (items, path) => {
          const parts = items.map(({ part }) => part);
          const all = (key: "types" | "helpers" | "definitions"): ReadonlySet<string> =>
            new Set(parts.flatMap((part) => part[key]));
          const [types, helpers, definitions] = [all("types"), all("helpers"), all("definitions")];
          const values = (names: ReadonlySet<string>): readonly { readonly name: string }[] =>
            Array.from(names, (each) => ({ name: each }));
          const imports = [
            importStatement([...typeNames(types), ...values(helpers)], "@hasp/runtime/codegen/v1"),
            ...(definitions.size === 0
              ? []
              : [importStatement(values(definitions), importPath(path, layout.definitions))]),
          ];
          return {
            code: joinCode([printHeader("the specs"), joinCode(imports, "\n")], "\n\n"),
            formatted: parts.map(({ text }) => text),
          };
        },
      },
    ),
};

async function specPart(emitted: ToolToEmit): Promise<SpecPart> {
  const { tool, names, layout, plan } = emitted;
  const forms = emitted.forms.filter((form) => form.kind === "listed");
  const sent = chooseSentSchemas(tool, forms);
  const hoisted = forms.flatMap(({ lowered }) => lowered.hoisted);
  const printer = createSchemaPrinter(emitted.shared, hoisted, names.camel);
  const schema = (suffix: string, value: JsonValue | undefined): readonly Code[] =>
    value === undefined
      ? []
      : [printLazyConstant(`${names.camel}${suffix}`, chooseSchemaType(value), printer.print(value))];
  const entries = forms.map((form) => printEntry(emitted, form, sent, printer));
  const typesPath = importPath(layout.specs, layout.toolModule(names));
  const statements = [
    code`const ${name(`${names.camel}Description`)}: string = ${literal(tool.spec.description)};`,
    code`export const ${name(`${names.camel}Metadata`)}: ToolMetadata = ${literal(metadataOf(tool))};`,
    ...printer.locals(),
    ...schema("Input", sent.input),
    ...schema("Output", sent.output),
    ...entries,
    printSpec(tool, names, handlerFile(tool, names, layout), typesPath, forms, plan.connections),
  ];
  const { output } = sent;
  return {
    text: await formatModule(joinCode(statements, "\n\n")),
    types: [
      "Lazy",
      "ToolMetadata",
      "ToolSpec",
      chooseSchemaType(sent.input),
      ...(output === undefined ? [] : [chooseSchemaType(output)]),
      ...printer.localTypes,
      ...listEntryTypes(forms),
    ],
    helpers: ["lazy", ...listHelpers(tool), ...printer.helpers],
    definitions: [...printer.used],
  };
}
