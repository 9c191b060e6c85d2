import { defineDiagnostics, type DiagnosticFactory } from "../diagnostics/define-diagnostics.js";

const definitions = {
  "no-registry": {
    severity: "error",
    message: (p: { path: string }): string => `The registry "${p.path}" is not there, so no tool can be run.`,
    help: (): string => `"hasp build" makes it; "--registry <file>" names another one.`,
  },
  "registry-fails": {
    severity: "error",
    message: (p: { path: string; reason: string }): string =>
      `The registry "${p.path}" cannot be imported: ${p.reason}.`,
    help: (): string => "Every handler is imported with it: each must be there, and be imported without an error.",
  },
  "no-tools-in-registry": {
    severity: "error",
    message: (p: { path: string; what: string }): string => `"${p.path}" is no registry of hasp's: ${p.what}.`,
    help: (): string => "Name the module that hasp build wrote; its @hasp/runtime must be the version of this hasp.",
  },
  unlocked: {
    severity: "warning",
    message: (): string => "The registry was built with --unlocked: claims may be in force that nobody approved.",
    help: (): string => `Approve them with "hasp approve", then build again.`,
  },
  "unlocked-in-ci": {
    severity: "error",
    message: (): string =>
      "The registry was built with --unlocked, and CI is set: its tools are not run without approvals.",
    help: (): string => `Approve the claims with "hasp approve", then build again.`,
  },
  "no-context": {
    severity: "error",
    message: (p: { file: string; name: string }): string =>
      `The handlers want a context, and "${p.file}" exports no "${p.name}" that makes one or is one.`,
    help: (): string =>
      "Export it, as `export async function createContext(): Promise<…>`, or name another with --context <file#export>.",
  },
  "context-fails": {
    severity: "error",
    message: (p: { file: string; name: string; reason: string }): string =>
      `"${p.name}" of "${p.file}" made no context: ${p.reason}.`,
  },
  "context-not-closed": {
    severity: "warning",
    message: (p: { reason: string }): string => `The context could not be put away: ${p.reason}.`,
    help: (): string =>
      "Look at its [Symbol.asyncDispose] or [Symbol.dispose]; connections and files may have been left open.",
  },
  "unknown-tool": {
    severity: "error",
    message: (p: { name: string; hint: string }): string => `No tool is called "${p.name}".${p.hint}`,
  },
  "gate-shut": {
    severity: "error",
    message: (p: { name: string; gate: string }): string =>
      `"${p.name}" stands behind the feature gate "${p.gate}", which is shut: for a model it does not exist.`,
    help: (p: { gate: string }): string => `Open the gate: --feature ${p.gate}`,
  },
  "unknown-toolset": {
    severity: "error",
    message: (p: { name: string; known: string }): string => `There is no toolset "${p.name}". There is ${p.known}.`,
  },
  "not-json": {
    severity: "error",
    message: (p: { reason: string }): string => `The input is no JSON object: ${p.reason}.`,
    help: (): string => `Give it in single quotes, as '{"id":"42"}', or "-" to read it from standard input.`,
  },
  "nothing-served": {
    severity: "error",
    message: (p: { reasons: string }): string => `No tool would be served. ${p.reasons}`,
  },
} as const;

/** What may keep the project's tools from being run by `hasp call` and `hasp serve`. */
export const serveDiagnostics: DiagnosticFactory<typeof definitions> = defineDiagnostics("serve", definitions);
