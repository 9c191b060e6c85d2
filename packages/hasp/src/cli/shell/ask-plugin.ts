import { basename } from "node:path";
import type { JsonValue } from "@hasp/schema";
import type { Diagnostic } from "../../../../compiler/src/diagnostics/diagnostic.js";
import { suggestionsFor } from "../../../../compiler/src/diagnostics/closest.js";
import { failure, type PluginRequests, wrongAnswer } from "../../../../compiler/src/plugins/foreign-plugins.js";
import { cliDiagnostics } from "./diagnostics.js";

type PartAnswer = { readonly value: JsonValue } | { readonly findings: readonly Diagnostic[] };

export function isPluginName(name: string): boolean {
  return /^[a-z][a-z0-9-]*\/[a-z][a-z0-9-]*$/u.test(name);
}

/** Loads the plugins of a project and asks the importer or reporter of this name. `read` converts its value. */
export async function askPlugin<Kind extends "read" | "print">(
  { root, config }: { readonly root: string; readonly config: string | undefined },
  kind: Kind,
  request: PluginRequests[Kind],
  problemOf: (value: JsonValue | undefined) => string | undefined,
): Promise<PartAnswer> {
  const { name } = request;
  const { readProjectPlan } = await import("../../../../project/src/read/read-project.js");
  const { value, diagnostics } = await readProjectPlan(root, config === undefined ? {} : { config: basename(config) });
  if (value === undefined) return { findings: diagnostics };
  const plugins = value.plan.plugins ?? [];
  const partsOf = (plugin: (typeof plugins)[number]): readonly string[] =>
    kind === "read" ? plugin.importers : plugin.reporters;
  const plugin = plugins.find((each) => partsOf(each).includes(name));
  if (plugin === undefined || value.foreign === undefined) {
    const nearest = suggestionsFor(name, plugins.flatMap(partsOf));
    return { findings: [cliDiagnostics("no-such-part", undefined, { variant: kind, name, nearest })] };
  }
  const answer = await value.foreign.ask(plugin.name, kind, request);
  if ("reason" in answer) return { findings: [failure(plugin, answer, name)] };
  const problem = problemOf(answer.value);
  return problem === undefined ? { value: answer.value ?? null } : { findings: [wrongAnswer(plugin, name, problem)] };
}
