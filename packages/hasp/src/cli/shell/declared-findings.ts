import type { DiagnosticDefinition, DiagnosticDefinitions } from "@hasp/schema/internal/diagnostics";

const DECLARED: { readonly [phase: string]: () => Promise<{ readonly definitions: DiagnosticDefinitions }> } = {
  load: async () => (await import("../../../../compiler/src/phases/1-load/diagnostics.js")).loadDiagnostics,
  resolve: async () => (await import("../../../../compiler/src/phases/2-resolve/diagnostics.js")).resolveDiagnostics,
  flatten: async () => (await import("../../../../compiler/src/phases/3-flatten/diagnostics.js")).flattenDiagnostics,
  check: async () => (await import("../../../../compiler/src/phases/4-check/diagnostics.js")).checkDiagnostics,
  handler: async () =>
    (await import("../../../../compiler/src/builtin/handlers/base/diagnostics.js")).handlerDiagnostics,
  lower: async () => (await import("../../../../compiler/src/phases/5-lower/diagnostics.js")).lowerDiagnostics,
  emit: async () => (await import("../../../../compiler/src/phases/6-emit/diagnostics.js")).emitDiagnostics,
  policy: async () => (await import("../../../../compiler/src/policies/diagnostics.js")).policyDiagnostics,
  flow: async () => (await import("../../../../compiler/src/policies/flow.js")).flowDiagnostics,
  ledger: async () => (await import("../../../../compiler/src/ledger/diagnostics.js")).ledgerDiagnostics,
  config: async () => (await import("../../../../compiler/src/config/diagnostics.js")).configDiagnostics,
  plugin: async () => (await import("../../../../compiler/src/plugins/diagnostics.js")).pluginDiagnostics,
  project: async () => (await import("../../../../project/src/read/diagnostics.js")).projectDiagnostics,
  write: async () => (await import("../../../../project/src/output/output-diagnostics.js")).writeDiagnostics,
  drift: async () => (await import("../../../../project/src/output/output-diagnostics.js")).driftDiagnostics,
  template: async () => (await import("../../../../compiler/src/phases/1-load/check-template.js")).templateDiagnostics,
  import: async () => (await import("../../../../import/src/importers/source/diagnostics.js")).importDiagnostics,
  diff: async () => (await import("../../../../compiler/src/diff/diagnostics.js")).diffDiagnostics,
  serve: async () => (await import("../../mcp-server/diagnostics.js")).serveDiagnostics,
  export: async () => (await import("../../bundles/diagnostics.js")).exportDiagnostics,
  calls: async () => (await import("../../calls/diagnostics.js")).callsDiagnostics,
  cli: async () => (await import("./diagnostics.js")).cliDiagnostics,
};

/** Returns the declared findings of a phase that belong to no rule, by id. */
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
