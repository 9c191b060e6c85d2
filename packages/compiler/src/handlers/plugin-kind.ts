import { createValidator, type JsonObject } from "@hasp/schema";
import { findSuggestions } from "@hasp/base/diagnostics";
import { declarationOf, findPluginKind, listPluginKinds } from "../model/handlers.js";
import { code, type Data, printObjectLiteral } from "../typescript/code.js";
import type { DeclaringTool, HandlerPlan, ReportHandler } from "./handler-check.js";
import type { GeneratedModule, ModuleSubject } from "./handler-kind.js";
import { printWholeInput } from "./print-value.js";
import { CODEGEN_ENTRIES } from "../typescript/codegen-entries.js";

/** Reports a kind that no plugin adds, a declaration that its schema refuses, and a package that is missing. */
export function checkPluginKind(
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
export function printPluginKind(declaration: JsonObject, { tool, types, plan }: ModuleSubject): GeneratedModule {
  const kind = findPluginKind(tool.spec, plan);
  if (kind === undefined) throw new Error(`No plugin adds the handler of ${tool.name}.`);
  const entries = { declaration: declaration as Data, input: printWholeInput(tool) };
  return {
    imports: { [CODEGEN_ENTRIES.runtime]: ["kindHandler"], [kind.module]: [`${kind.export} as run`] },
    comment: `${kind.name}: ${kind.summary}`,
    value: code`kindHandler<${types}>(run, ${printObjectLiteral(entries)})`,
  };
}
