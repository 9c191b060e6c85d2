import { isDeepStrictEqual } from "node:util";
import { flagsOfRow } from "@hasp/runtime";
import type { JsonValue } from "@hasp/schema";
import { dialectName } from "../../emitters/base/dialect-constants.js";
import { digestOfText } from "../../emitters/base/digest.js";
import type { BuildToEmit, EmitInput, ToolToEmit } from "../../emitters/base/emitter.js";
import { importPath, type Layout } from "../../emitters/base/layout.js";
import { predicatesOf } from "../../emitters/module-parts/custom-functions.js";
import { gateConstant } from "../../emitters/registry.js";
import type { OutputFile } from "../../model/output.js";
import { ownMember } from "../../model/own.js";
import type { FlatRule } from "../../model/tool.js";
import type { CompiledPredicate } from "../../cel/model/compiled-predicate.js";
import {
  Conditional,
  ReadCode,
  type ReadModule,
  readModules,
  type ReadValue,
  syntaxOfExpressions,
} from "../../typescript/read-module.js";
import { isSameJson } from "../../model/same-json.js";
import { fault } from "./fault.js";
import { prepare } from "./prepare.js";

/**
 * Parses every generated module with TypeScript and compares all of it with the model: schemas, lists, strings,
 * predicates. For `--check`: a build proves only the lists and fields, since the parser costs more than the build.
 */
export function readBackAll(input: EmitInput, files: readonly OutputFile[]): void {
  const { tools, build } = prepare(input);
  const modules = readModules(files.filter(({ path, owner }) => owner === "hasp" && path.endsWith(".ts")));
  const byPath = new Map(modules.map((module) => [module.path, module]));
  for (const { path, syntaxErrors } of modules) {
    const [first] = syntaxErrors;
    if (first !== undefined) fault(path, `TypeScript cannot read it (${first})`);
  }
  const moduleAt = (path: string): ReadModule => byPath.get(path) ?? fault(path, "it was not written");
  const expected = syntaxOfExpressions(tools.flatMap((tool) => [...functionsOf(tool), gateCondition(tool)]));
  for (const tool of tools) proveModule(tool, moduleAt(build.layout.toolModule(tool.names)), expected);
  proveLists(build, moduleAt);
  proveRegistry(moduleAt(build.layout.registry), tools, build, expected);
  proveDigests(files, build.layout.manifest);
}

function proveModule(emitted: ToolToEmit, module: ReadModule, syntax: ReadonlyMap<string, string>): void {
  const { tool, names, forms } = emitted;
  expectSame(module, "description", tool.spec.description);
  expectSame(module, "input", tool.input.schema);
  if (tool.output !== undefined) expectSame(module, "output", tool.output.schema);
  for (const form of forms) {
    if (form.kind === "listed") expectSame(module, dialectName(form.dialect), form.lowered.definition);
  }
  expectSame(module, `${names.camel}Spec`, expectedSpec(emitted, module), withoutCode);
  provePredicates(emitted, module, syntax);
}

/** Checks that each list has the entries of its tools, in order and from their modules. */
function proveLists({ tools, toolsets, layout }: BuildToEmit, moduleAt: (path: string) => ReadModule): void {
  const names = new Map(tools.map((tool) => [tool.name, tool.names]));
  for (const toolset of toolsets) {
    for (const list of toolset.lists) {
      const path = layout.providerList(toolset.name, list.dialect, "ts");
      const module = moduleAt(path);
      const entries = (module.constants.get("tools") ?? []) as readonly ReadValue[];
      const from = entries.map((entry) => module.imports.get(calledIn(entry)));
      const expected = list.tools.map((tool) => {
        const ofTool = names.get(tool);
        const of = ofTool === undefined ? "" : importPath(path, layout.toolModule(ofTool));
        return { from: of, name: dialectName(list.dialect) };
      });
      if (!isDeepStrictEqual(from, expected)) fault(path, "it does not list the tools' own entries");
    }
  }
}

/** The function that creates a list entry; `""` if none is called. */
function calledIn(entry: ReadValue): string {
  return /^CallExpression\((\w+)\)$/u.exec(syntaxIn(entry))?.[1] ?? "";
}

function syntaxIn(value: ReadValue | undefined): string {
  return value instanceof ReadCode ? value.syntax : "";
}

/** The spec constant without code. */
function expectedSpec({ tool, names, forms, layout }: ToolToEmit, module: ReadModule): object {
  const { spec } = tool;
  const dialects = forms.flatMap((form) => {
    if (form.kind === "excluded") return [];
    const { wireName, lowering, definition } = form.lowered;
    return [
      [
        form.dialect,
        {
          ...(wireName === tool.name ? {} : { name: wireName }),
          ...(lowering.codec === undefined ? {} : { codec: lowering.codec }),
          definition,
        },
      ],
    ];
  });
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
    flags:
      tool.flags.length === 0
        ? undefined
        : Object.fromEntries(
            tool.flags.map(({ flag, polarity, predicate }) => [flag, { [polarity]: customOf(predicate) }]),
          ),
    validate:
      tool.checks.length === 0
        ? undefined
        : tool.checks.map(({ that, message }) =>
            that.kind === "custom" ? { custom: that.name } : { that: code, message },
          ),
  };
  return {
    name: tool.name,
    description: spec.description,
    handlerFile: layout.handler(names),
    metadata: constant(`${names.camel}Metadata`),
    input: constant("input"),
    ...(dialects.length === 0 ? {} : { dialects: Object.fromEntries(dialects) as object }),
    ...Object.fromEntries(Object.entries(stated).filter(([, value]) => value !== undefined)),
  };
}

function expectedRow(rule: FlatRule): object {
  return { when: customOf(rule.when), class: rule.class, ...flagsOfRow(rule) };
}

/** Stands for code when values are compared. */
const code = "(code)";

function customOf(predicate: CompiledPredicate): unknown {
  return predicate.kind === "custom" ? { custom: predicate.name } : code;
}

function withoutCode(value: ReadValue): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (value instanceof ReadCode) return code;
  if (Array.isArray(value)) return value.map((item: ReadValue) => withoutCode(item));
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]: [string, ReadValue]) => [key, withoutCode(inner)]),
  );
}

/** Checks that each expression is present, in order. */
function provePredicates(tool: ToolToEmit, module: ReadModule, syntax: ReadonlyMap<string, string>): void {
  const written = codeIn(module.constants.get(`${tool.names.camel}Spec`) ?? null);
  const expected = functionsOf(tool).map((text) => syntax.get(text));
  if (!isDeepStrictEqual(written, expected)) fault(module.path, "a predicate reads otherwise than it was compiled");
}

/** The compiled expressions of a tool. */
function functionsOf({ tool }: ToolToEmit): readonly string[] {
  return predicatesOf(tool).flatMap((predicate) => {
    if (predicate.kind === "custom") return [];
    return [`(${/\binput\b/u.test(predicate.javascript) ? "input" : ""}) => ${predicate.javascript}`];
  });
}

/** The condition under which the registry includes a tool. */
function gateCondition({ tool }: ToolToEmit): string {
  const gate = tool.spec.visibility?.featureGate;
  return gate === undefined ? "true" : `typeof ${gateConstant(gate)} === "undefined" || ${gateConstant(gate)}`;
}

function codeIn(value: ReadValue): readonly string[] {
  if (typeof value !== "object" || value === null) return [];
  if (value instanceof ReadCode) return [value.syntax];
  return Object.values(value).flatMap((inner: ReadValue) => codeIn(inner));
}

function proveRegistry(
  module: ReadModule,
  tools: readonly ToolToEmit[],
  { plan, layout }: BuildToEmit,
  syntax: ReadonlyMap<string, string>,
): void {
  const [entries, options] = (module.constants.get("registry") ?? []) as readonly ReadValue[];
  const registered = Object.keys(entries ?? {}).toSorted();
  if (!isDeepStrictEqual(registered, tools.map(({ tool }) => tool.name).toSorted())) {
    fault(module.path, "it does not hold every tool");
  }
  if (!isDeepStrictEqual(options, { unlocked: plan.unlocked })) {
    fault(module.path, "it does not say whether it is unlocked");
  }
  for (const emitted of tools) {
    const { tool, names } = emitted;
    const entry = ownMember(entries, tool.name) as ReadValue;
    const bound = boundNames(
      tool.spec.visibility?.featureGate === undefined ? entry : gated(entry, syntax.get(gateCondition(emitted))),
    );
    const expected = expectedImports(names, layout);
    if (
      bound[0] !== `${names.camel}Spec` ||
      !isDeepStrictEqual(
        bound.map((each) => module.imports.get(each)),
        expected,
      )
    ) {
      fault(module.path, `${tool.name} is not bound to its own spec and handler`);
    }
  }
}

function expectedImports(names: ToolToEmit["names"], layout: Layout): readonly object[] {
  return [
    { from: importPath(layout.registry, layout.toolModule(names)), name: `${names.camel}Spec` },
    { from: importPath(layout.registry, layout.handler(names)), name: "*" },
  ];
}

/** Checks the manifest's digests against the files next to it. */
function proveDigests(files: readonly OutputFile[], path: string): void {
  const { outputs } = JSON.parse(files.find((file) => file.path === path)?.text ?? "{}") as {
    readonly outputs?: JsonValue;
  };
  const expected = files
    .filter((file) => file.owner === "hasp" && file.path !== path)
    .map((file) => [file.path, digestOfText(file.text)]);
  if (!isSameJson(outputs ?? null, Object.fromEntries(expected))) fault(path, "its digests are not those of the files");
}

/** The names that a registry entry binds. */
function boundNames(entry: ReadValue | undefined): readonly string[] {
  return Array.isArray(entry) ? entry.map(syntaxIn) : [];
}

/** The value guarded by a condition; `undefined` if the condition differs. */
function gated(entry: ReadValue, condition: string | undefined): ReadValue | undefined {
  return entry instanceof Conditional && entry.condition === condition ? entry.value : undefined;
}

function expectSame(
  module: ReadModule,
  name: string,
  expected: unknown,
  seen: (value: ReadValue) => unknown = (value) => value,
): void {
  const value = module.constants.get(name);
  if (value === undefined || !isSameJson(seen(value) as JsonValue, expected as JsonValue)) {
    fault(module.path, `"${name}" reads otherwise than the model`);
  }
}
