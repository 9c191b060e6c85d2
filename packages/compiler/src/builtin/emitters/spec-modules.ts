import type { JsonValue } from "@hasp/schema";
import {
  code,
  type Code,
  type Data,
  joinCode,
  literal,
  name,
  objectLiteral,
  printedCode,
} from "../../typescript/code.js";
import { importStatement, typeNames } from "../../typescript/code.js";
import { listMetadata } from "../../plugins/compiled-model.js";
import { formatModule } from "../../typescript/format.js";
import type { Emitter, ToolToEmit } from "./base/emitter.js";
import { draftGroups } from "./base/groups.js";
import { handlerFile, importPath } from "../../typescript/layout.js";
import { chooseSentSchemas, isConverted, type ListedForm } from "./base/sent-schemas.js";
import { printModule } from "./base/module-text.js";
import { listHelpers } from "./module-parts/handler-type.js";
import { listDialects, listEntryTypes, printEntry } from "./module-parts/dialect-entries.js";
import { printLazyConstant, createSchemaPrinter, chooseSchemaType } from "./module-parts/shared-constants.js";
import { VARYING_FLAGS } from "@hasp/runtime";
import type { CompiledExpression, CompiledPredicate } from "../../model/conditions.js";
import type { Connections } from "../../model/handlers.js";
import type { FlatRule, FlatTool } from "../../model/tool.js";
import type { GeneratedNames } from "../../typescript/names.js";
import { sortModuleKeys, collectSpecData } from "./module-parts/spec-data.js";

type SpecPart = {
  readonly text: string;
  readonly types: readonly string[];
  readonly helpers: readonly string[];
  readonly definitions: readonly string[];
};

/** Maximum number of tools that get a module each: loading a thousand small modules is slow. */
const MOST_MODULES = 128;

/** True if each tool's spec has a module of its own, so that Git merges branches that add tools. */
export function areSpecsApart(tools: readonly unknown[]): boolean {
  return tools.length > 0 && tools.length <= MOST_MODULES;
}

/** The specs of all tools as functions, and their entries in each dialect's list. */
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
        apart: areSpecsApart(tools),
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
          const [only] = items;
          return {
            ...(areSpecsApart(tools) && only !== undefined ? { madeFrom: { tool: only.name } } : {}),
            code: printModule("the specs", imports),
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
    code`export const ${name(`${names.camel}Metadata`)}: ToolMetadata = ${literal(listMetadata(tool))};`,
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
      ...listEntryTypes(forms, plan.dialects),
    ],
    helpers: [
      "lazy",
      ...(forms.some(({ lowered }) => isConverted(lowered, sent.input)) ? ["geminiSchema"] : []),
      ...listHelpers(tool),
      ...printer.helpers,
    ],
    definitions: [...printer.used],
  };
}

function printSpec(
  tool: FlatTool,
  names: GeneratedNames,
  handlerFile: string,
  typesPath: string,
  forms: readonly ListedForm[],
  connections: Connections | undefined,
): Code {
  const types = code`import(${literal(typesPath)}).${name(`${names.pascal}Types`)}`;
  const spec = objectLiteral(specEntries(tool, names, handlerFile, forms, connections));
  return code`export const ${name(`${names.camel}Spec`)} = (): ToolSpec<${types}> => (${spec});`;
}

function specEntries(
  tool: FlatTool,
  names: GeneratedNames,
  handlerFile: string,
  forms: readonly ListedForm[],
  connections: Connections | undefined,
): { readonly [key: string]: Data | undefined } {
  const { rules, flags, checks, destination, output } = tool;
  return sortModuleKeys({
    ...(collectSpecData(tool, handlerFile, connections) as { readonly [key: string]: Data | undefined }),
    description: name(`${names.camel}Description`),
    metadata: name(`${names.camel}Metadata`),
    input: name(`${names.camel}Input`),
    output: output === undefined ? undefined : name(`${names.camel}Output`),
    rules: rules.length === 0 ? undefined : rules.map(printRow),
    flags:
      flags.length === 0
        ? undefined
        : Object.fromEntries(
            flags.map(({ flag, polarity, predicate }) => [flag, { [polarity]: printPredicate(predicate) }]),
          ),
    destination: destination && printExpression(destination),
    validate:
      checks.length === 0
        ? undefined
        : checks.map(({ that, message }) =>
            that.kind === "custom" ? { custom: that.name } : { that: printPredicate(that), message },
          ),
    dialects: forms.length === 0 ? undefined : listDialects(tool.name, names, forms),
  });
}

function printRow(rule: FlatRule): Data {
  const flags = VARYING_FLAGS.map((flag) => [flag, rule[flag]] as const);
  return { when: printPredicate(rule.when), class: rule.class, ...Object.fromEntries(flags) };
}

function printPredicate(predicate: CompiledPredicate): Data {
  return predicate.kind === "custom" ? { custom: predicate.name } : printExpression(predicate);
}

function printExpression({ reads, javascript }: CompiledExpression): Data {
  const isConstant = reads.length === 0 && !/\binput\b/u.test(javascript);
  return code`${isConstant ? code`()` : code`(input)`} => ${printedCode(javascript)}`;
}
