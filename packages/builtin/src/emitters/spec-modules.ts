import {
  code,
  type Code,
  type Data,
  joinCode,
  literal,
  name,
  printObjectLiteral,
  markAsCode,
  importStatement,
  typeNames,
  formatModule,
} from "@hasp/compiler/code";
import type { Emitter, ToolToEmit } from "./base/emitter.js";
import { draftGroups } from "./base/groups.js";
import { handlerFile, CODEGEN_ENTRIES } from "@hasp/compiler/layout";
import type { ListedForm } from "./base/sent-schemas.js";
import { printModule } from "./base/module-text.js";
import { isMetadataExported, listHelpers } from "./module-parts/handler-type.js";
import {
  listDialects,
  listEntryImports,
  nameListing,
  printEntries,
  printListing,
} from "./module-parts/dialect-entries.js";
import { findNeededParts, type NeededParts } from "./module-parts/needed-parts.js";
import { createSchemaPrinter, isObjectSchema } from "./module-parts/shared-constants.js";
import { VARYING_FLAGS } from "@hasp/runtime/contract";
import type { FlatRule } from "@hasp/compiler/model";
import type { CompiledExpression, CompiledPredicate } from "@hasp/compiler/conditions";
import { collectSpecData } from "@hasp/compiler/run";
import { listStatedMetadata, nameMetadata, sortModuleKeys } from "./module-parts/stated-data.js";

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
            importStatement([...typeNames(types), ...values(helpers)], CODEGEN_ENTRIES.runtime),
            ...(definitions.size === 0
              ? []
              : [importStatement(values(definitions), layout.importPath(path, layout.definitions))]),
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
  const { tool, names } = emitted;
  const forms = emitted.forms.filter((form) => form.kind === "listed");
  const hoisted = forms.flatMap(({ lowered }) => lowered.hoisted);
  const printer = createSchemaPrinter(emitted.shared, hoisted, names.camel);
  const listing = printListing(emitted, printer);
  const entries = printEntries(emitted, forms, printer);
  const imports = listEntryImports(emitted, forms);
  const needed = findNeededParts(tool, emitted.forms);
  const metadata = isMetadataExported(tool)
    ? [
        code`export const ${name(nameMetadata(names))}: ToolMetadata = /* @__PURE__ */ failClosed(${literal(listStatedMetadata(tool))});`,
      ]
    : [];
  const statements = [...printer.locals(), listing, ...metadata, ...entries, printSpec(emitted, forms, needed)];
  return {
    text: await formatModule(joinCode(statements, "\n\n")),
    types: [
      "Lazy",
      "Listing",
      "ToolSpec",
      ...(metadata.length === 0 ? [] : ["ToolMetadata"]),
      ...(isObjectSchema(emitted.entries.sent.input) ? [] : ["JsonSchema"]),
      ...printer.localTypes,
      ...imports.types,
    ],
    helpers: [
      "complete",
      "listTool",
      ...(metadata.length === 0 ? [] : ["failClosed"]),
      ...(printer.localTypes.length === 0 ? [] : ["lazySchema"]),
      ...imports.makers,
      ...listHelpers(tool),
      ...Object.values(needed).filter((part) => part !== undefined),
      ...printer.helpers,
    ],
    definitions: [...printer.used],
  };
}

function printSpec(emitted: ToolToEmit, forms: readonly ListedForm[], needed: NeededParts): Code {
  const { names, layout } = emitted;
  const typesPath = layout.importPath(layout.specs, layout.toolModule(names));
  const types = code`import(${literal(typesPath)}).${name(`${names.pascal}Types`)}`;
  const spec = printObjectLiteral(specEntries(emitted, forms, needed));
  return code`export const ${name(`${names.camel}Spec`)} = (): ToolSpec<${types}> => complete(${name(nameListing(names))}, ${spec});`;
}

function specEntries(
  emitted: ToolToEmit,
  forms: readonly ListedForm[],
  needed: NeededParts,
): { readonly [key: string]: Data | undefined } {
  const { tool, names, layout, plan, kinds } = emitted;
  const { rules, flags, checks, destination } = tool;
  const {
    name: _name,
    title: _title,
    description: _description,
    input: _input,
    output: _output,
    outputCheck: _outputCheck,
    examples: _examples,
    ...stated
  } = collectSpecData(tool, handlerFile(tool, names, layout), plan.connections, kinds) as {
    readonly [key: string]: Data | undefined;
  };
  const metadata = listStatedMetadata(tool);
  return sortModuleKeys({
    ...stated,
    metadata: isMetadataExported(tool)
      ? name(nameMetadata(names))
      : Object.keys(metadata).length === 0
        ? undefined
        : metadata,
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
    dialects: forms.length === 0 ? undefined : listDialects(emitted, forms),
    parts: printParts(needed),
  });
}

function printParts(needed: NeededParts): Data | undefined {
  const stated = Object.entries(needed).flatMap(([part, imported]) =>
    imported === undefined ? [] : [[part, name(imported)] as const],
  );
  return stated.length === 0 ? undefined : Object.fromEntries(stated);
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
  return code`${isConstant ? code`()` : code`(input)`} => ${markAsCode(javascript)}`;
}
