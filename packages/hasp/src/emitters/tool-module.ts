import type { DialectId, JsonObject, JsonValue } from "@hasp/schema";
import type { LoweredTool, LoweredToolset } from "../model/lowered.js";
import type { CompilePlan } from "../model/plan.js";
import type { FlatCheck, FlatRule, FlatTool } from "../model/tool.js";
import type { CompiledPredicate } from "../predicates/compiled-predicate.js";
import { type LiteralValue, variable } from "../typescript/data-literal.js";
import { docComment } from "../typescript/doc-comment.js";
import { layOut } from "../typescript/document.js";
import { importStatement } from "../typescript/import-statement.js";
import type { GeneratedNames } from "../typescript/names.js";
import { dataConstant, type Entry, listText, objectText } from "../typescript/object-text.js";
import { typeDeclaration } from "../typescript/print-type.js";
import { isSameJson } from "../typescript/same-json.js";
import { propertyKey, stringLiteral } from "../typescript/string-literal.js";
import type { Emitter, EmitModel } from "./emitter.js";
import { header } from "./header.js";
import { importPath } from "./layout.js";
import { isLoadedOnFirstCall } from "./handler-loading.js";
import { toolTypes } from "./tool-types.js";
import { reservedNames } from "./type-names.js";

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

/** What the context's type is called in a module: its own name, unless that is taken there or is no name at all. */
function contextName(context: CompilePlan["context"]): string {
  if (context === undefined) return "unknown";
  return context.type === "default" || reservedNames.has(context.type) ? "Context" : context.type;
}

function contextImport(context: NonNullable<CompilePlan["context"]>): string {
  const name = contextName(context);
  return name === context.type ? `type ${name}` : `type ${context.type} as ${name}`;
}

/** Whether custom functions judge (rules and flags) or check. */
function customUses(tool: FlatTool): { readonly predicates: ReadonlySet<string>; readonly checks: ReadonlySet<string> } {
  const customNames = (predicates: readonly CompiledPredicate[]): ReadonlySet<string> =>
    new Set(predicates.flatMap((predicate) => (predicate.kind === "custom" ? [predicate.name] : [])));
  return {
    predicates: customNames([...tool.rules.map(({ when }) => when), ...tool.flags.map(({ predicate }) => predicate)]),
    checks: customNames(tool.checks.map(({ that }) => that)),
  };
}

function customTypes(tool: FlatTool): readonly string[] {
  const { predicates, checks } = customUses(tool);
  return [...(checks.size > 0 ? ["type CustomCheck"] : []), ...(predicates.size > 0 ? ["type CustomPredicate"] : [])];
}

function helpersOf(tool: FlatTool): readonly string[] {
  const predicates = [...tool.rules.map(({ when }) => when), ...tool.flags.map(({ predicate }) => predicate), ...tool.checks.map(({ that }) => that)];
  return [...new Set(predicates.flatMap((predicate) => (predicate.kind === "expression" ? predicate.helpers : [])))];
}

function handlerType(tool: FlatTool, names: GeneratedNames, { layout, plan }: EmitModel): string {
  const context = contextName(plan.context);
  const { predicates, checks } = customUses(tool);
  const optional = isLoadedOnFirstCall(tool) ? "OptionalLazyExports" : "OptionalExports";
  const members = [
    typeMember("execute", "Execute", [`${names.pascal}Input`, `${names.pascal}Output`, context]),
    ...tool.customFunctions.map((name) =>
      checks.has(name) && !predicates.has(name)
        ? typeMember(name, "CustomCheck", [`${names.pascal}Input`, context])
        : typeMember(name, "CustomPredicate", [`${names.pascal}Input`]),
    ),
  ];
  const flatHead = `export interface ${names.pascal}Handler extends ${optional}<${names.pascal}Input, ${context}> {`;
  const head =
    flatHead.length <= 80
      ? flatHead
      : `export interface ${names.pascal}Handler extends ${optional}<\n  ${names.pascal}Input,\n  ${context}\n> {`;
  const comment = docComment([`What \`${layout.handler(tool.name)}\` exports.`]).join("\n");
  return `${comment}\n${head}\n${members.join("\n")}\n}`;
}

/** `readonly name: Type<…>;`, the type's parameters below it where they do not fit beside it. */
function typeMember(name: string, type: string, parameters: readonly string[]): string {
  const flat = `  readonly ${propertyKey(name)}: ${type}<${parameters.join(", ")}>;`;
  if (flat.length <= 80 || parameters.length === 1) return flat;
  return `  readonly ${propertyKey(name)}: ${type}<\n${parameters.map((parameter) => `    ${parameter}`).join(",\n")}\n  >;`;
}

function typesBundle(tool: FlatTool, names: GeneratedNames, { layout, plan }: EmitModel): string {
  const comment = docComment([`The types of \`${tool.name}\`, for the registry.`]).join("\n");
  return `${comment}
export interface ${names.pascal}Types {
  readonly name: ${stringLiteral(tool.name)};
  readonly arguments: ${names.pascal}Arguments;
  readonly input: ${names.pascal}Input;
  readonly output: ${names.pascal}Output;
  readonly context: ${contextName(plan.context)};
  readonly handler: ${names.pascal}Handler;
  readonly handlerFile: ${stringLiteral(layout.handler(tool.name))};
}`;
}

/** The tool's metadata, each value explicit, keys in the order of the table of defaults. */
export function metadataOf({ metadata }: FlatTool): JsonObject {
  const { concurrency, behavior, visibility, limits } = metadata;
  return {
    concurrency: { class: concurrency.class },
    behavior: {
      isReadOnly: behavior.isReadOnly,
      isDestructive: behavior.isDestructive,
      isIdempotent: behavior.isIdempotent,
      isOpenWorld: behavior.isOpenWorld,
      requiresPermission: behavior.requiresPermission,
      requiresUserInteraction: behavior.requiresUserInteraction,
      interruptBehavior: behavior.interruptBehavior,
      abortsSiblingsOnError: behavior.abortsSiblingsOnError,
    },
    visibility: { shouldDefer: visibility.shouldDefer, alwaysLoad: visibility.alwaysLoad },
    limits: {
      maxResultSizeChars: limits.maxResultSizeChars,
      timeoutSeconds: limits.timeoutSeconds,
      maxRetries: limits.maxRetries,
    },
  };
}

/** The schemas that a module holds as constants: of what they say in whichever order, the one in which it is sent. */
function sentSchemas(tool: FlatTool, lowered: ReadonlyMap<DialectId, LoweredTool>): { readonly input: JsonValue; readonly output: JsonValue | undefined } {
  const sentAs = (schema: JsonValue, sent: readonly (JsonValue | undefined)[]): JsonValue =>
    sent.find((each) => each !== undefined && isSameJson(each, schema)) ?? schema;
  const entries = [...lowered.values()];
  const input = sentAs(tool.input.schema as JsonValue, entries.map(({ lowering }) => lowering.schema as JsonValue));
  const output = tool.output === undefined ? undefined : sentAs(tool.output.schema as JsonValue, entries.map(({ definition }) => definition[outputKey]));
  return { input, output };
}

/** Where an entry of a dialect that tells of results has their schema. */
const outputKey = "outputSchema";

/**
 * How each dialect lists the tool. What stands in the module already (the schemas, the description) is named, not
 * repeated: most dialects take the input as it is.
 */
function dialectsOf(tool: FlatTool, lowered: ReadonlyMap<DialectId, LoweredTool>, { input, output }: ReturnType<typeof sentSchemas>): LiteralValue {
  const inputText = JSON.stringify(input);
  const outputText = JSON.stringify(output);
  return Object.fromEntries(
    [...lowered].map(([dialect, { wireName, definition, lowering }]) => {
      const isInput = JSON.stringify(lowering.schema) === inputText;
      const named = (key: string, value: JsonValue): LiteralValue => {
        if (isInput && value === lowering.schema) return variable("input");
        if (key === "description" && value === tool.spec.description) return variable("description");
        if (key === outputKey && JSON.stringify(value) === outputText) return variable("output");
        return value;
      };
      return [
        dialect,
        {
          ...(wireName === tool.name ? {} : { name: wireName }),
          // A codec is plain JSON data; its type only says more.
          ...(lowering.codec === undefined ? {} : { codec: lowering.codec as unknown as JsonObject }),
          definition: withNames(definition, named, wrapperDepth),
        },
      ];
    }),
  );
}

/** How deep in an entry its schema stands at most (`toolSpec.inputSchema.json`). */
const wrapperDepth = 3;

function withNames(entry: JsonObject, named: (key: string, value: JsonValue) => LiteralValue, depth: number): LiteralValue {
  return Object.fromEntries(
    Object.entries(entry).map(([key, value]) => {
      const found = named(key, value);
      return [key, found === value && isRecord(value) && depth > 0 ? withNames(value, named, depth - 1) : found];
    }),
  );
}

function isRecord(value: JsonValue): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function specConstant(tool: FlatTool, names: GeneratedNames, handlerFile: string): string {
  const types = `${names.pascal}Types`;
  const comment = docComment([`All that the spec of \`${tool.name}\` says; only the handler is missing.`]).join("\n");
  const name = `export const ${names.camel}Spec: ToolSpec<${types}> =`;
  const call = "/* @__PURE__ */ defineToolSpec(";
  const spec = (indent: number): string => objectText(specEntries(tool, names, handlerFile, indent + 2), indent);
  // Where the line is too long, prettier first tries to break inside the call, then after the `=`.
  if (`${name} ${call}{`.length <= 80) return `${comment}\n${name} ${call}${spec(0)});`;
  if (`${name} ${call}`.length <= 80) return `${comment}\n${name} ${call}\n  ${spec(2)},\n);`;
  return `${comment}\n${name}\n  ${call}${spec(2)});`;
}

function specEntries(tool: FlatTool, names: GeneratedNames, handlerFile: string, indent: number): readonly Entry[] {
  const { spec } = tool;
  return [
    { kind: "data", key: "name", value: tool.name },
    { kind: "data", key: "title", value: spec.title },
    { kind: "variable", key: "description" },
    { kind: "data", key: "owner", value: spec.owner },
    { kind: "data", key: "tags", value: spec.tags },
    { kind: "data", key: "aliases", value: spec.aliases },
    { kind: "data", key: "searchHint", value: spec.searchHint },
    { kind: "data", key: "handlerFile", value: handlerFile },
    { kind: "data", key: "metadata", value: variable(`${names.camel}Metadata`) },
    { kind: "data", key: "featureGate", value: spec.visibility?.featureGate },
    { kind: "variable", key: "input" },
    ...(tool.output === undefined ? [] : [{ kind: "variable", key: "output" } as const]),
    ...ruleEntries(tool.rules, indent),
    ...flagEntries(tool, indent),
    ...checkEntries(tool.checks, indent),
    { kind: "data", key: "needs", value: spec.needs },
    { kind: "data", key: "examples", value: spec.examples?.map(({ input }) => ({ input })) },
    { kind: "data", key: "display", value: spec.display },
    { kind: "variable", key: "dialects" },
  ];
}

function ruleEntries(rules: readonly FlatRule[], indent: number): readonly Entry[] {
  if (rules.length === 0) return [];
  const rows = rules.map(({ when, class: concurrencyClass, isDestructive, isIdempotent, requiresPermission, isReadOnly }) =>
    objectText(
      [
        predicateEntry("when", when, indent + 4),
        { kind: "data", key: "class", value: concurrencyClass },
        { kind: "data", key: "isDestructive", value: isDestructive },
        { kind: "data", key: "isIdempotent", value: isIdempotent },
        { kind: "data", key: "requiresPermission", value: requiresPermission },
        { kind: "data", key: "isReadOnly", value: isReadOnly },
      ],
      indent + 2,
    ),
  );
  return [{ kind: "code", key: "rules", code: listText(rows, indent) }];
}

function flagEntries({ flags }: FlatTool, indent: number): readonly Entry[] {
  if (flags.length === 0) return [];
  const entries = flags.map(({ flag, polarity, predicate }): Entry => ({
    kind: "code",
    key: flag,
    code: objectText([predicateEntry(polarity, predicate, indent + 4)], indent + 2),
  }));
  return [{ kind: "code", key: "flags", code: objectText(entries, indent) }];
}

function checkEntries(checks: readonly FlatCheck[], indent: number): readonly Entry[] {
  if (checks.length === 0) return [];
  const texts = checks.map(({ that, message }) =>
    objectText(
      that.kind === "custom"
        ? [{ kind: "data", key: "custom", value: that.name }]
        : [predicateEntry("that", that, indent + 4), { kind: "data", key: "message", value: message }],
      indent + 2,
    ),
  );
  return [{ kind: "code", key: "validate", code: listText(texts, indent) }];
}

/** A predicate as an arrow function; one that does not fit on a line is left as it is, behind a note to prettier. */
function predicateEntry(key: string, predicate: CompiledPredicate, indent: number): Entry {
  if (predicate.kind === "custom") return { kind: "data", key, value: { custom: predicate.name } };
  const head = predicate.reads.length === 0 && !/\binput\b/u.test(predicate.javascript) ? "() =>" : "(input) =>";
  const code = `${head} ${predicate.javascript}`;
  if (indent + key.length + 2 + code.length + 1 <= 80) return { kind: "code", key, code };
  const below = `${head}\n${" ".repeat(indent + 2)}${predicate.javascript}`;
  if (indent + 2 + predicate.javascript.length + 1 <= 80) return { kind: "code", key, code: below };
  return { kind: "long-code", key, code };
}
