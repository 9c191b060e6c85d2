import type { DiagnosticDefinition, DiagnosticDefinitions } from "@hasp/schema/diagnostics";

/** The findings that a phase of hasp declares, by the first part of their ids. */
const DECLARED: { readonly [phase: string]: () => Promise<{ readonly definitions: DiagnosticDefinitions }> } = {
  load: async () => (await import("../../phases/1-load/diagnostics.js")).loadDiagnostics,
  resolve: async () => (await import("../../phases/2-resolve/diagnostics.js")).resolveDiagnostics,
  flatten: async () => (await import("../../phases/3-flatten/diagnostics.js")).flattenDiagnostics,
  check: async () => (await import("../../phases/4-check/diagnostics.js")).checkDiagnostics,
  lower: async () => (await import("../../phases/5-lower/diagnostics.js")).lowerDiagnostics,
  emit: async () => (await import("../../phases/6-emit/diagnostics.js")).emitDiagnostics,
  ledger: async () => (await import("../../ledger/diagnostics.js")).ledgerDiagnostics,
  config: async () => (await import("../../config/diagnostics.js")).configDiagnostics,
  project: async () => (await import("../../host/project/diagnostics.js")).projectDiagnostics,
  write: async () => (await import("../../host/output/output-diagnostics.js")).writeDiagnostics,
  drift: async () => (await import("../../host/output/output-diagnostics.js")).driftDiagnostics,
  template: async () => (await import("../../templates/check-template.js")).templateDiagnostics,
  import: async () => (await import("../../importers/source/diagnostics.js")).importDiagnostics,
  diff: async () => (await import("../../diff/diagnostics.js")).diffDiagnostics,
  serve: async () => (await import("../../mcp-server/diagnostics.js")).serveDiagnostics,
  cli: async () => (await import("./diagnostics.js")).cliDiagnostics,
};

/** What finds the findings that belong to no rule, by the first part of their ids, in the order of a run. */
export const findingPhases: ReadonlyMap<string, string> = new Map([
  ["load", "Found while a file was read: it is no YAML 1.2 or JSON that says one thing only."],
  ["resolve", "Found while a spec was held against the format: keys, values, names, references, contradictions."],
  ["flatten", "Found while the schemas of a tool were made flat and its conditions compiled."],
  ["schema", "Found in a JSON Schema: it must be exact, satisfiable, and say which keys it takes."],
  ["lower", "Found while a tool was put into a provider's dialect."],
  ["check", "Found by the engine that runs the rules."],
  ["emit", "Found while the files of a build were made and held against the specs."],
  ["request", "Found while the list for a provider was held against the limits of one request."],
  [
    "ledger",
    "Found while claims were held against hasp-ledger/: each claim that loosens a default needs an approval that covers it.",
  ],
  ["config", "Found in the configuration. Nothing is checked until it is fixed."],
  ["project", "Found while searching for the project's files. Nothing is checked until it is fixed."],
  ["write", "Found while files were written. A build writes all of its files or none."],
  ["drift", "Found by `hasp build --check`: a file is not what the specs say."],
  ["template", "Found in a template of the project, hasp-templates/, from which hasp makes files."],
  ["import", "Found in the source of an import. An error means that this tool was not imported; the others were."],
  ["diff", "Found by `hasp diff`: what a change means for callers, for safety and for what models are told."],
  ["serve", "Found where tools were to be run, by `hasp call` or `hasp serve`."],
  ["cli", "Found on the command line, or in a file that it names."],
]);

/** What is declared of the findings of a phase that belong to no rule, by id. */
export async function declaredFindings(phase: string): Promise<ReadonlyMap<string, DiagnosticDefinition>> {
  const own = Object.hasOwn(DECLARED, phase) ? (await DECLARED[phase]?.())?.definitions : undefined;
  const { declaredDiagnostics } = await import("@hasp/schema");
  const definitions = { ...entriesOf(declaredDiagnostics, phase), ...own };
  return new Map(Object.entries(definitions).map(([name, definition]) => [`${phase}/${name}`, definition]));
}

function entriesOf(
  declared: { readonly [phase: string]: DiagnosticDefinitions },
  phase: string,
): DiagnosticDefinitions | undefined {
  return Object.hasOwn(declared, phase) ? declared[phase] : undefined;
}
