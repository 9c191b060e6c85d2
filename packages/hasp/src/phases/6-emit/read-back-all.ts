import { isDeepStrictEqual } from "node:util";
import type { JsonValue } from "@hasp/schema";
import { createSandbox } from "../../cel/index.js";
import { dialectName } from "../../emitters/base/dialect-constants.js";
import { digestOfText } from "../../emitters/base/digest.js";
import type { BuildToEmit, EmitInput, ToolToEmit } from "../../emitters/base/emitter.js";
import { handlerFile, importedPath, importPath } from "../../emitters/base/layout.js";
import { gateConstant } from "../../emitters/base/feature-gates.js";
import type { OutputFile } from "../../model/output.js";
import { isSameJson } from "../../model/same-json.js";
import {
  type ImportedName,
  loadedModule,
  ReadCall,
  ReadCode,
  ReadConditional,
  type ReadModule,
  readModule,
  type ReadValue,
  ReadSpread,
} from "../../typescript/read-module.js";
import { fault } from "./fault.js";
import { readShared, type ReadShared } from "./read-shared.js";
import { prepare } from "./prepare.js";
import { isIsolatedAsStated } from "./prove-isolation.js";
import { proveHoisted } from "./prove-hoisted.js";
import { provePolicies } from "./prove-policies.js";
import { proveSpec } from "./prove-spec.js";

/** Most inputs for which `--check` runs one condition. */
const MOST_INPUTS = 1000;

/**
 * Reads every generated module back and compares all of it with the model: schemas, lists, texts, conditions. For
 * `--check`: a build proves the lists, the fields and the specs, which say all but the schemas.
 */
export function readBackAll(input: EmitInput, files: readonly OutputFile[]): void {
  const { tools, build } = prepare(input);
  const modules = files.filter(({ path, owner }) => owner === "hasp" && path.endsWith(".ts")).map(readModule);
  const byPath = new Map(modules.map((module) => [module.path, module]));
  for (const { path, unknown } of modules) {
    const [first] = unknown;
    if (first !== undefined) fault(path, `it holds a statement that hasp does not write (${first})`);
  }
  const moduleAt = (path: string): ReadModule => byPath.get(path) ?? fault(path, "it was not written");
  const options = { sandbox: createSandbox(), inputsPerCondition: MOST_INPUTS, dialects: true };
  const shared = readShared(byPath, build.layout.definitions);
  for (const tool of tools) {
    const module = moduleAt(build.layout.toolModule(tool.names));
    proveSchemas(tool, module, shared);
    proveSpec(tool, module, options);
  }
  proveLists(build, moduleAt);
  proveRegistry(moduleAt(build.layout.registry), tools, build, moduleAt);
  provePolicies(build, files, options);
  proveDigests(files, build.layout.manifest);
}

function proveSchemas({ tool, forms }: ToolToEmit, module: ReadModule, shared: ReadShared): void {
  expectSame(module, "description", tool.spec.description, shared);
  expectSame(module, "input", tool.input.schema, shared);
  if (tool.output !== undefined) expectSame(module, "output", tool.output.schema, shared);
  for (const form of forms) {
    if (form.kind === "listed") proveHoisted(module, dialectName(form.dialect), form.lowered, shared);
  }
}

/** Checks that each list has the entries of its tools, in order and from their modules, and gated ones behind gates. */
function proveLists({ tools, toolsets, layout }: BuildToEmit, moduleAt: (path: string) => ReadModule): void {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  for (const toolset of toolsets) {
    for (const list of toolset.lists) {
      const path = layout.providerList(toolset.name, list.dialect, "ts");
      const module = moduleAt(path);
      const listed = list.tools.flatMap((tool) => byName.get(tool) ?? []);
      const isEntryOf = (
        { module: { path: from, imports }, entry }: FoundEntry,
        tool: (typeof listed)[number],
      ): boolean => {
        const imported = imports.get(calledIn(entry, tool.featureGate));
        return (
          imported?.name === dialectName(list.dialect) &&
          importedPath(from, imported.from) === layout.toolModule(tool.names)
        );
      };
      const isList = (found: readonly FoundEntry[], expected: typeof listed): boolean =>
        found.length === expected.length &&
        expected.every((tool, index) => isEntryOf(found[index] ?? { module, entry: null }, tool));
      const ungated = listed.filter(({ featureGate }) => featureGate === undefined);
      if (!isList(wholeList(module, "tools", moduleAt), ungated)) {
        fault(path, "it does not list the tools' own entries");
      }
      if (ungated.length < listed.length && !isList(wholeList(module, "toolsFor", moduleAt), listed)) {
        fault(path, "it does not list the tools behind their own gates");
      }
    }
  }
}

/** An entry of a list or a registry, and the module in which it stands. */
interface FoundEntry {
  readonly module: ReadModule;
  readonly entry: ReadValue;
}

/** The entries of a list, those of the lists in it included. */
function wholeList(module: ReadModule, name: string, moduleAt: (path: string) => ReadModule): readonly FoundEntry[] {
  const value = module.constant(name);
  const [features, entries] = valuesIn(value, "listFor");
  const own = isFeatures(features) ? entries : value;
  return listOf(own).flatMap((entry): readonly FoundEntry[] => {
    const imported = entry instanceof ReadSpread ? module.imports.get(spreadIn(entry)) : undefined;
    if (imported === undefined) return [{ module, entry }];
    return wholeList(moduleAt(importedPath(module.path, imported.from)), imported.name, moduleAt);
  });
}

/** The list that is spread: by its name, or made for `features`. */
function spreadIn({ node, text }: ReadSpread): string {
  return node.type === "CallExpression" ? text.replace(/\(features\)$/u, "") : text;
}

function isFeatures(value: ReadValue | undefined): boolean {
  return value instanceof ReadCode && value.text === "features";
}

/** The entries of a registry by tool, those of its parts included. */
function wholeRegistry(
  module: ReadModule,
  entries: ReadValue | undefined,
  moduleAt: (path: string) => ReadModule,
): readonly (readonly [tool: string, found: FoundEntry])[] {
  return Object.entries(entries ?? {}).flatMap(([tool, entry]: [string, ReadValue]) => {
    const imported = entry instanceof ReadSpread ? module.imports.get(entry.text) : undefined;
    if (imported === undefined) return [[tool, { module, entry }] as const];
    const part = moduleAt(importedPath(module.path, imported.from));
    return wholeRegistry(part, part.constant(imported.name), moduleAt);
  });
}

/** The function that creates a list entry, behind the gate if there is one; `""` for anything else. */
function calledIn(entry: ReadValue, gate: string | undefined): string {
  if (gate === undefined && entry instanceof ReadCall) return entry.values.length === 0 ? entry.called : "";
  const [make, behind, ...more] = listOf(gate === undefined ? entry : gated(entry, gateCondition(gate)));
  return make instanceof ReadCode && behind === gate && more.length === 0 ? make.text : "";
}

function listOf(value: ReadValue | undefined): readonly ReadValue[] {
  return Array.isArray(value) ? (value as readonly ReadValue[]) : [];
}

/** The condition under which a file includes a tool. */
function gateCondition(gate: string): string {
  return `typeof ${gateConstant(gate)} === "undefined" || ${gateConstant(gate)}`;
}

function proveRegistry(
  module: ReadModule,
  tools: readonly ToolToEmit[],
  { plan, layout }: BuildToEmit,
  moduleAt: (path: string) => ReadModule,
): void {
  const [written, options] = valuesIn(module.constant("registry"), "createRegistry");
  const entries = wholeRegistry(module, written, moduleAt);
  const found = new Map(entries);
  const registered = entries.map(([tool]) => tool).toSorted();
  if (!isDeepStrictEqual(registered, tools.map(({ tool }) => tool.name).toSorted())) {
    fault(module.path, "it does not hold every tool");
  }
  if (!isDeepStrictEqual(options, { unlocked: plan.unlocked })) {
    fault(module.path, "it does not say whether it is unlocked");
  }
  for (const { tool, names } of tools) {
    const { featureGate } = tool.spec.visibility ?? {};
    const { module: holder, entry } = found.get(tool.name) ?? { module, entry: null };
    const bound = featureGate === undefined ? entry : gated(entry, gateCondition(featureGate));
    const [spec, handler, isolated, ...more] = valuesIn(bound, "bindTool", "bindLazyTool");
    const expected = [
      { from: importPath(holder.path, layout.toolModule(names)), name: `${names.camel}Spec` },
      { from: importPath(holder.path, handlerFile(tool, names, layout)), name: "*" },
    ];
    if (!isDeepStrictEqual([importedBy(spec, holder), importedBy(handler, holder)], expected)) {
      fault(module.path, `${tool.name} is not bound to its own spec and handler`);
    }
    if (
      more.length > 0 ||
      !isIsolatedAsStated(tool, isolated, holder, importPath(holder.path, layout.handler(names)))
    ) {
      fault(module.path, `${tool.name} is not isolated as its spec says`);
    }
  }
}

/** What a name of a module stands for, or a function that imports a module. */
function importedBy(value: ReadValue | undefined, module: ReadModule): ImportedName | undefined {
  const from = loadedModule(value);
  if (from !== undefined) return { from, name: "*" };
  return value instanceof ReadCode ? module.imports.get(value.text) : undefined;
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

/** The arguments of a call of one of some functions. */
function valuesIn(value: ReadValue | undefined, ...called: readonly string[]): readonly ReadValue[] {
  return value instanceof ReadCall && called.includes(value.called) ? value.values : [];
}

/** The value guarded by a condition; `undefined` if the condition differs. */
function gated(entry: ReadValue | undefined, condition: string): ReadValue | undefined {
  if (!(entry instanceof ReadConditional) || entry.test.replaceAll(/\s+/gu, " ") !== condition) return undefined;
  const [whenTrue, whenFalse] = entry.values;
  return whenFalse instanceof ReadCode && whenFalse.text === "undefined" ? whenTrue : undefined;
}

function expectSame(module: ReadModule, name: string, expected: unknown, shared: ReadShared): void {
  const value = module.constant(name);
  const whole = value === undefined ? undefined : module.resolve(value, (imported) => shared(module, imported));
  if (whole === undefined || !isSameJson(whole as JsonValue, expected as JsonValue)) {
    fault(module.path, `"${name}" reads otherwise than the model`);
  }
}
