import { didYouMean } from "../diagnostics/closest.js";
import { defineDiagnostics, type DiagnosticFactory } from "../diagnostics/define-diagnostics.js";

const definitions = {
  "not-an-object": {
    severity: "error",
    message: (p: { uri: string }): string =>
      `"${p.uri}" must hold an object with keys such as specs, outDir and dialects.`,
  },
  "not-data": {
    severity: "error",
    message: (p: { pointer: string; what: string }): string =>
      `${p.pointer === "" ? "The default export" : `"${p.pointer}"`} is ${p.what}; a configuration holds data only: texts, numbers, true, false, lists and objects.`,
  },
  "unknown-key": { severity: "error", message: (p: { problem: string }): string => p.problem },
  "missing-key": {
    severity: "error",
    message: (p: { problem: string; help: string | undefined }): string => p.problem,
    help: (p: { problem: string; help: string | undefined }): string | undefined => p.help,
  },
  "wrong-value": { severity: "error", message: (p: { problem: string }): string => p.problem },
  "unknown-rule": {
    severity: "error",
    message: (p: { rule: string; known: readonly string[] }): string =>
      `There is no rule "${p.rule}".${didYouMean(p.rule, p.known)}`,
  },
  "not-in-preset": {
    severity: "error",
    message: (p: { key: string; uri: string; allowed: readonly string[] }): string =>
      `"${p.key}" stands in the preset "${p.uri}"; a preset may say ${p.allowed.join(", ")} and nothing else.`,
    help: (): string => `Put it into the project's own configuration, where a reviewer of the project sees it.`,
  },
  "preset-not-found": {
    severity: "error",
    message: (p: { name: string; looked: string; remedy: string | undefined }): string =>
      `There is no preset "${p.name}": ${p.looked}.`,
    help: (p: { name: string; looked: string; remedy: string | undefined }): string | undefined => p.remedy,
  },
  "preset-outside": {
    severity: "error",
    message: (p: { name: string }): string =>
      `The preset "${p.name}" leads out of the project; a preset is a file inside it, or an installed package.`,
  },
  "preset-cycle": {
    severity: "error",
    message: (p: { chain: readonly string[] }): string =>
      `These presets build on each other in a circle: ${p.chain.join(" → ")}.`,
    help: (): string => `Take one "extends" of them away.`,
  },
  "unused-override": {
    severity: "error",
    message: (p: { path: string }): string =>
      `The override for "${p.path}" covers no file of the project; correct the path, or remove the entry.`,
  },
  "outside-project": {
    severity: "error",
    message: (p: { key: string; path: string }): string =>
      `"${p.key}" leads out of the project ("${p.path}"); hasp reads and writes inside it only.`,
  },
  "foreign-folder": {
    severity: "error",
    message: (p: { key: string; path: string; name: string; owner: string }): string =>
      `${p.key} "${p.path}" lies in ${p.name}/, which belongs to ${p.owner}: hasp puts nothing there.`,
    help: (p: { key: string }): string =>
      `Choose a folder of the project's own, such as ${p.key === "outDir" ? "src/generated" : "src/tools"}.`,
  },
  "handlers-over-ledger": {
    severity: "error",
    message: (p: { handlers: string }): string =>
      `handlers "${p.handlers}" lies in hasp-ledger/, which holds approvals and no code.`,
  },
  "folders-overlap": {
    severity: "error",
    message: (p: { outDir: string; handlers: string }): string =>
      `outDir "${p.outDir}" is hasp's and handlers "${p.handlers}" is yours: neither may hold the other.`,
  },
  "out-over-ledger": {
    severity: "error",
    message: (p: { outDir: string }): string =>
      `outDir "${p.outDir}" lies in hasp-ledger/, which holds approvals and nothing generated.`,
  },
  "out-over-specs": {
    severity: "error",
    message: (p: { outDir: string; specs: string }): string =>
      `outDir "${p.outDir}" is hasp's, and "specs" names "${p.specs}" in it: nobody would look for specs there. Choose another folder for one of them.`,
  },
  "no-cache-control": {
    severity: "error",
    message: (p: { dialect: string }): string =>
      `The dialect ${p.dialect} has no cache control; only Anthropic's dialects have.`,
  },
  "cannot-load": {
    severity: "error",
    message: (p: { uri: string; reason: string }): string =>
      `The configuration "${p.uri}" cannot be loaded: ${p.reason}.`,
  },
  "not-found": {
    severity: "error",
    message: (p: { path: string }): string => `There is no configuration at "${p.path}".`,
  },
  "two-configurations": {
    severity: "error",
    message: (p: { names: readonly string[] }): string =>
      `Two configurations stand side by side (${p.names.join(", ")}); keep one.`,
  },
} as const;

/** What reading the configuration may find. All of it means that nothing could be checked. */
export const configDiagnostics: DiagnosticFactory<typeof definitions> = defineDiagnostics("config", definitions);
