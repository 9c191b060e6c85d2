import { didYouMean } from "../../diagnostics/closest.js";
import { defineDiagnostics, type DiagnosticFactory } from "../../diagnostics/define-diagnostics.js";

const definitions = {
  "not-a-spec": {
    severity: "error",
    message: (p: { uri: string }): string =>
      `"${p.uri}" holds no tool: a spec is an object with the keys hasp, name, description and input.`,
  },
  "no-tools": {
    severity: "error",
    message: (p: { uri: string }): string =>
      `"${p.uri}" lists no tool; a check of nothing proves nothing. Add a tool or remove the file.`,
  },
  "unknown-key": { severity: "error", message: (p: { problem: string }): string => p.problem },
  "missing-key": {
    severity: "error",
    message: (p: { problem: string; help: string | undefined }): string => p.problem,
    help: (p: { problem: string; help: string | undefined }): string | undefined => p.help,
  },
  "wrong-value": { severity: "error", message: (p: { problem: string }): string => p.problem },
  "reserved-name": {
    severity: "error",
    message: (p: { name: string }): string =>
      `The name "${p.name}" is reserved: "tool_search" and names that begin with "mcp__" belong to the runtime. Choose another.`,
  },
  "duplicate-name": {
    severity: "error",
    message: (p: { name: string }): string => `Two tools are called "${p.name}"; rename one of them.`,
  },
  "duplicate-alias": {
    severity: "error",
    message: (p: { alias: string; owner: string }): string =>
      `The alias "${p.alias}" is already claimed by the tool "${p.owner}"; one alias can lead to one tool only.`,
  },
  "alias-is-a-tool": {
    severity: "error",
    message: (p: { alias: string }): string =>
      `The alias "${p.alias}" would never be reached: a tool of that name exists, and a name beats an alias. Remove the alias.`,
  },
  contradiction: {
    severity: "error",
    fixed: true,
    message: (p: { claim: string; other: string }): string =>
      `"${p.claim}" contradicts "${p.other}"; change one of the two.`,
    help: (p: { claim: string; other: string }): string | undefined =>
      p.other.includes("READ_ONLY")
        ? "READ_ONLY entails isReadOnly: true, isDestructive: false and isIdempotent: true."
        : undefined,
  },
  "deferred-and-loaded": {
    severity: "error",
    fixed: true,
    message: (): string => `A tool cannot be both deferred and always loaded; remove shouldDefer or alwaysLoad.`,
  },
  "inherited-claim": {
    severity: "error",
    fixed: true,
    message: (): string =>
      `A tool states its own claims, and this alias takes them over from elsewhere; write them out here.`,
  },
  "ref-file-not-found": {
    severity: "error",
    message: (p: { ref: string; path: string; known: readonly string[] }): string =>
      `"${p.ref}" leads to "${p.path}", and the project has no such file.${didYouMean(p.path, p.known)}`,
  },
  "ref-unreadable": {
    severity: "error",
    message: (p: { ref: string; reason: string }): string => `"${p.ref}" cannot be read: ${p.reason}.`,
  },
  "ref-outside-project": {
    severity: "error",
    message: (p: { ref: string }): string =>
      `"${p.ref}" leads out of the project; hasp reads nothing there. Copy the file into the project and point at the copy.`,
  },
  "ref-not-pinned": {
    severity: "error",
    message: (p: { ref: string }): string =>
      `"${p.ref}" is a remote schema that the configuration does not pin. Copy it into the project, or pin it under "remotes" by its sha256.`,
  },
  "ref-unknown-scheme": {
    severity: "error",
    message: (p: { ref: string }): string =>
      `"${p.ref}" is neither "#/…", nor a file of the project, nor the $id of a schema here, nor a pinned https address.`,
  },
  "ref-under-id": {
    severity: "error",
    message: (p: { ref: string; byFile: string; byId: string }): string =>
      `By its file "${p.ref}" leads to "${p.byFile}", by the $id around it to "${p.byId}". ` +
      `Remove the $id, or copy what is meant under "$defs" and write "#/$defs/…".`,
  },
  "ref-to-spec": {
    severity: "error",
    message: (p: { ref: string; path: string }): string =>
      `"${p.ref}" points into the tool spec "${p.path}"; move what the two tools share into a file of its own.`,
  },
} as const;

/** What resolving may find. */
export const resolveDiagnostics: DiagnosticFactory<typeof definitions> = defineDiagnostics("resolve", definitions);
