import { isDeepStrictEqual } from "node:util";
import type { JsonValue } from "@hasp/schema";
import type { EmitInput, EmitModel } from "../../emitters/emitter.js";
import { importPath } from "../../emitters/layout.js";
import { createEmitModel } from "../../emitters/emit-model.js";
import type { OutputFile } from "../../model/output.js";
import type { FlatRule, FlatTool } from "../../model/tool.js";
import type { CompiledPredicate } from "../../predicates/compiled-predicate.js";
import type { ReadModule, ReadValue } from "../../typescript/read-module.js";
import { isSameJson } from "../../typescript/same-json.js";
import { fault } from "./fault.js";
import { proveDigests } from "./prove-records.js";

/**
 * Reads every generated module with TypeScript's own parser and holds all of it against the model: schemas, lists, texts,
 * predicates. For `--check`; a build proves the lists and the facts only, for the parser costs more than the build.
 */
export async function readBackAll(input: EmitInput, files: readonly OutputFile[]): Promise<void> {
  const { readModules, sourceText } = await import("../../typescript/read-module.js");
  const model = createEmitModel(input);
  const modules = readModules(files.filter(({ path, owner }) => owner === "hasp" && path.endsWith(".ts")));
  const byPath = new Map(modules.map((module) => [module.path, module]));
  for (const { path, syntaxErrors } of modules) {
    const [first] = syntaxErrors;
    if (first !== undefined) fault(path, `TypeScript cannot read it (${first})`);
  }
  const moduleAt = (path: string): ReadModule => byPath.get(path) ?? fault(path, "it was not written");
  for (const { name, lists } of model.toolsets) {
    for (const { dialect, tools } of lists) {
      const path = model.layout.providerList(name, dialect, "ts");
      expectSame(moduleAt(path), "tools", tools.map(({ definition }) => definition));
    }
  }
  for (const tool of model.tools) proveModule(tool, moduleAt(model.layout.toolModule(tool.name)), model, sourceText);
  proveRegistry(moduleAt(model.layout.registry), model, sourceText);
  proveDigests(files, model.layout.manifest);
}

function proveModule(tool: FlatTool, module: ReadModule, model: EmitModel, sourceText: symbol): void {
  const { camel } = model.layout.names(tool.name);
  expectSame(module, "description", tool.spec.description);
  expectSame(module, "input", tool.input.schema);
  if (tool.output !== undefined) expectSame(module, "output", tool.output.schema);
  const lowered = model.toolsets.flatMap(({ lists }) => lists).flatMap(({ dialect, tools }) => tools.map((each) => ({ dialect, each })));
  const dialects = lowered
    .filter(({ each }) => each.tool === tool)
    .map(({ dialect, each: { wireName, definition, lowering } }) => [
      dialect,
      { ...(wireName === tool.name ? {} : { name: wireName }), ...(lowering.codec === undefined ? {} : { codec: lowering.codec }), definition },
    ]);
  expectSame(module, "dialects", Object.fromEntries(dialects));
  expectSame(module, `${camel}Spec`, expectedSpec(tool, module, model), (value) => withoutCode(value, sourceText));
  provePredicates(tool, module, camel, sourceText);
}

/** What the spec's constant holds, code aside. */
function expectedSpec(tool: FlatTool, module: ReadModule, model: EmitModel): object {
  const { spec } = tool;
  const constant = (name: string): ReadValue => module.constants.get(name) ?? null;
  const stated = {
    title: spec.title,
    owner: spec.owner,
    tags: spec.tags,
    aliases: spec.aliases,
    searchHint: spec.searchHint,
    featureGate: spec.visibility?.featureGate,
    output: tool.output === undefined ? undefined : constant("output"),
    needs: spec.needs,
    examples: spec.examples?.map(({ input }) => ({ input })),
    display: spec.display,
    rules: tool.rules.length === 0 ? undefined : tool.rules.map(expectedRow),
    flags: tool.flags.length === 0 ? undefined : Object.fromEntries(tool.flags.map(({ flag, polarity, predicate }) => [flag, { [polarity]: customOf(predicate) }])),
    validate: tool.checks.length === 0 ? undefined : tool.checks.map(({ that, message }) => (that.kind === "custom" ? { custom: that.name } : { that: code, message })),
  };
  return {
    name: tool.name,
    description: spec.description,
    handlerFile: model.layout.handler(tool.name),
    metadata: constant(`${model.layout.names(tool.name).camel}Metadata`),
    input: constant("input"),
    dialects: constant("dialects"),
    ...Object.fromEntries(Object.entries(stated).filter(([, value]) => value !== undefined)),
  };
}

function expectedRow({ when, class: concurrencyClass, isDestructive, isIdempotent, requiresPermission, isReadOnly }: FlatRule): object {
  const row = { when: customOf(when), class: concurrencyClass, isDestructive, isIdempotent, requiresPermission, isReadOnly };
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== undefined));
}

/** What stands for a piece of code when values are compared. */
const code = "(code)";

function customOf(predicate: CompiledPredicate): unknown {
  return predicate.kind === "custom" ? { custom: predicate.name } : code;
}

function withoutCode(value: ReadValue, sourceText: symbol): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (sourceText in value) return code;
  if (Array.isArray(value)) return value.map((item: ReadValue) => withoutCode(item, sourceText));
  return Object.fromEntries(Object.entries(value).map(([key, inner]: [string, ReadValue]) => [key, withoutCode(inner, sourceText)]));
}

/** Each expression stands there word by word, in its order. */
function provePredicates(tool: FlatTool, module: ReadModule, camel: string, sourceText: symbol): void {
  const written = codeTexts(module.constants.get(`${camel}Spec`) ?? null, sourceText).map((text) => text.replace(/^\((?:input)?\) =>\s*/u, ""));
  const predicates = [...tool.rules.map(({ when }) => when), ...tool.flags.map(({ predicate }) => predicate), ...tool.checks.map(({ that }) => that)];
  const expected = predicates.flatMap((predicate) => (predicate.kind === "expression" ? [predicate.javascript] : []));
  if (!isDeepStrictEqual(written, expected)) fault(module.path, "a predicate reads otherwise than it was compiled");
}

function codeTexts(value: ReadValue, sourceText: symbol): readonly string[] {
  if (typeof value !== "object" || value === null) return [];
  if (sourceText in value) return [String(Reflect.get(value, sourceText))];
  return Object.values(value).flatMap((inner: ReadValue) => codeTexts(inner, sourceText));
}

function proveRegistry(module: ReadModule, { tools, plan, layout }: EmitModel, sourceText: symbol): void {
  const [entries, options] = (module.constants.get("registry") ?? []) as readonly ReadValue[];
  const names = Object.keys(entries ?? {}).toSorted();
  if (!isDeepStrictEqual(names, tools.map(({ name }) => name).toSorted())) fault(module.path, "it does not hold every tool");
  if (!isDeepStrictEqual(options, { unlocked: plan.unlocked })) fault(module.path, "it does not say whether it is unlocked");
  for (const { name } of tools) {
    const bound = boundNames(own(entries, name), sourceText);
    const expected = [layout.toolModule(name), layout.handler(name)].map((path) => importPath(layout.registry, path));
    const { camel } = layout.names(name);
    if (bound[0] !== `${camel}Spec` || !isDeepStrictEqual(bound.map((each) => module.imports.get(each)), expected)) {
      fault(module.path, `${name} is not bound to its own spec and handler`);
    }
  }
}

/** The names that an entry of the registry binds together; behind a gate, the entry is code. */
function boundNames(entry: unknown, sourceText: symbol): readonly string[] {
  if (Array.isArray(entry)) return entry.map((each: unknown) => String(own(each, sourceText)));
  return /bind(?:Lazy)?Tool\(\s*(\w+),\s*(\w+),?\s*\)/u.exec(String(own(entry, sourceText)))?.slice(1) ?? [];
}

function own(value: unknown, key: PropertyKey): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined;
}

function expectSame(module: ReadModule, name: string, expected: unknown, seen: (value: ReadValue) => unknown = (value) => value): void {
  const value = module.constants.get(name);
  if (value === undefined || !isSameJson(seen(value) as JsonValue, expected as JsonValue)) fault(module.path, `"${name}" reads otherwise than the model`);
}
