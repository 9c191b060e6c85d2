import { defineDiagnostics, type DiagnosticFactory } from "../diagnostics/define-diagnostics.js";

const definitions = {
  "no-registry": {
    severity: "error",
    message: 'The registry "{path}" is not there, so no tool can be run.',
    help: '"hasp build" makes it; "--registry <file>" names another one.',
  },
  "registry-fails": {
    severity: "error",
    message: 'The registry "{path}" cannot be imported: {reason}.',
    help: "Every handler is imported with it: each must be there, and be imported without an error.",
  },
  "no-tools-in-registry": {
    severity: "error",
    message: '"{path}" is no registry of hasp\'s: {what}.',
    help: "Name the module that hasp build wrote; its @hasp/runtime must be the version of this hasp.",
  },
  unlocked: {
    severity: "warning",
    message: "The registry was built with --unlocked: claims may be in force that nobody approved.",
    help: 'Approve them with "hasp approve", then build again.',
  },
  "unlocked-in-ci": {
    severity: "error",
    message: "The registry was built with --unlocked, and CI is set: its tools are not run without approvals.",
    help: 'Approve the claims with "hasp approve", then build again.',
  },
  "no-context": {
    severity: "error",
    message: 'The handlers want a context, and "{file}" exports no "{name}" that makes one or is one.',
    help: "Export it, as `export async function createContext(): Promise<…>`, or name another with --context <file#export>.",
  },
  "context-fails": {
    severity: "error",
    message: '"{name}" of "{file}" made no context: {reason}.',
  },
  "context-not-closed": {
    severity: "warning",
    message: "The context could not be put away: {reason}.",
    help: "Look at its [Symbol.asyncDispose] or [Symbol.dispose]; connections and files may have been left open.",
  },
  "unknown-tool": {
    severity: "error",
    message: 'No tool is called "{name}".{nearest:suggestion}',
  },
  "gate-shut": {
    severity: "error",
    message: '"{name}" stands behind the feature gate "{gate}", which is shut: for a model it does not exist.',
    help: "Open the gate: --feature {gate}",
  },
  "unknown-toolset": {
    severity: "error",
    message: 'There is no toolset "{name}". There is {known}.',
  },
  "not-json": {
    severity: "error",
    message: "The input is no JSON object: {reason}.",
    help: 'Give it in single quotes, as \'{"id":"42"}\', or "-" to read it from standard input.',
  },
  "nothing-served": {
    severity: "error",
    message: "No tool would be served. {reasons}",
  },
} as const;

/** What may keep the project's tools from being run by `hasp call` and `hasp serve`. */
export const serveDiagnostics: DiagnosticFactory<typeof definitions> = defineDiagnostics("serve", definitions);
