import type { JsonValue } from "@hasp/schema";
import { findSuggestions, type Diagnostic } from "@hasp/base/diagnostics";
import { failure, type PluginRequests, reportWrongAnswer } from "@hasp/compiler/plugins";
import type { ReadSession } from "./compile-project.js";
import { sessionDiagnostics } from "./diagnostics.js";

type PartAnswer = { readonly value: JsonValue } | { readonly findings: readonly Diagnostic[] };

/** Loads the plugins of a project and asks the importer or reporter of this name. `read` converts its value. */
export async function askPlugin<Kind extends "read" | "print">(
  { root, config }: Pick<ReadSession, "root" | "config">,
  kind: Kind,
  request: PluginRequests[Kind],
  problemOf: (value: JsonValue | undefined) => string | undefined,
): Promise<PartAnswer> {
  const { name } = request;
  const { readProjectPlan } = await import("../read/read-project.js");
  const { value, diagnostics } = await readProjectPlan(root, config);
  if (value === undefined) return { findings: diagnostics };
  const plugins = value.plan.plugins ?? [];
  const partsOf = (plugin: (typeof plugins)[number]): readonly string[] =>
    kind === "read" ? plugin.importers : plugin.reporters;
  const plugin = plugins.find((each) => partsOf(each).includes(name));
  if (plugin === undefined || value.foreign === undefined) {
    const nearest = findSuggestions(name, plugins.flatMap(partsOf));
    return { findings: [sessionDiagnostics("no-such-part", undefined, { variant: kind, name, nearest })] };
  }
  const answer = await value.foreign.ask(plugin.name, kind, request);
  if ("reason" in answer) return { findings: [failure(plugin, answer, name)] };
  const problem = problemOf(answer.value);
  return problem === undefined
    ? { value: answer.value ?? null }
    : { findings: [reportWrongAnswer(plugin, name, problem)] };
}
