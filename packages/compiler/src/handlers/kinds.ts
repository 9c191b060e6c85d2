import { createValidator, type JsonObject } from "@hasp/schema";
import { findSuggestions } from "@hasp/base/diagnostics";
import {
  declarationOf,
  type Effect,
  findPluginKind,
  type KindedDeclaration,
  listPluginKinds,
} from "../model/handlers.js";
import type { ToolSpec } from "../model/tool-spec.js";
import type { FlatTool } from "../model/tool.js";
import { code, type Data, printObjectLiteral } from "../typescript/code.js";
import { CODEGEN_ENTRIES } from "../typescript/codegen-entries.js";
import type { DeclaringTool, HandlerPlan, ReportHandler } from "./handler-check.js";
import type { GeneratedModule, HandlerKind, ModuleSubject } from "./handler-kind.js";
import { printWholeInput } from "./print-value.js";
import type { ValueReference } from "./references.js";

/** The kinds of handlers that specs can declare, by name. */
export type HandlerKinds = ReadonlyMap<string, HandlerKind>;

/** Returns the effects of a tool's declared handler; `undefined` if the handler is code. */
export function findEffects(
  tool: Pick<FlatTool, "input" | "spec">,
  kinds: HandlerKinds,
): readonly Effect[] | undefined {
  const declared = declarationOf(tool.spec);
  return declared === undefined ? undefined : (kinds.get(declared.kind)?.effects(declared.declaration, tool) ?? []);
}

/** Returns every value that a declaration takes from the input, the context or `bind`, in textual order. */
export function findReferences(
  { kind, declaration }: KindedDeclaration,
  { bind = {} }: Pick<ToolSpec, "bind">,
  kinds: HandlerKinds,
): readonly ValueReference[] {
  return kinds.get(kind)?.references(declaration, bind) ?? [];
}

/** Every kind that a plugin of the configuration adds: data, which proves nothing. */
export const pluginKind: HandlerKind<JsonObject> = {
  name: "plugin",
  takesWholeInput: true,
  references: () => [],
  effects: () => [],
  check: checkPluginKind,
  module: printPluginKind,
};

/** Reports a kind that no plugin adds, a declaration that its schema refuses, and a package that is missing. */
function checkPluginKind(
  declaration: JsonObject,
  { spec }: DeclaringTool,
  report: ReportHandler,
  plan: HandlerPlan,
): void {
  const kind = findPluginKind(spec, plan);
  if (kind === undefined) {
    const known = listPluginKinds(plan).map(({ name }) => name);
    const name = declarationOf(spec)?.key ?? "";
    return report("unknown-kind", "", { name, nearest: findSuggestions(name, known) });
  }
  for (const { pointer, message } of createValidator(kind.declaration)(declaration).errors) {
    report("declaration", pointer, { name: kind.name, problem: message });
  }
  if (plan.missingPeers?.includes(kind.module) === true) {
    report("missing-module", "", { name: kind.name, module: kind.module });
  }
}

/** Prints the call of a plugin's function. Only data and names of imports come from the plugin. */
function printPluginKind(declaration: JsonObject, { tool, types, plan }: ModuleSubject): GeneratedModule {
  const kind = findPluginKind(tool.spec, plan);
  if (kind === undefined) throw new Error(`No plugin adds the handler of ${tool.name}.`);
  const entries = { declaration: declaration as Data, input: printWholeInput(tool) };
  return {
    imports: { [CODEGEN_ENTRIES.runtime]: ["kindHandler"], [kind.module]: [`${kind.export} as run`] },
    comment: `${kind.name}: ${kind.summary}`,
    value: code`kindHandler<${types}>(run, ${printObjectLiteral(entries)})`,
  };
}
