import { defineDiagnostics, type DiagnosticFactory } from "../diagnostics/define-diagnostics.js";
import { formatFindings } from "../diagnostics/format-problems.js";

const ownDefinitions = {
  "not-an-object": {
    severity: "error",
    message: '"{uri}" must hold an object with keys such as specs, outDir and dialects.',
  },
  "not-data": {
    severity: "error",
    message: {
      export:
        "The default export is {what}; a configuration holds data only: texts, numbers, true, false, lists and objects.",
      member: '"{pointer}" is {what}; a configuration holds data only: texts, numbers, true, false, lists and objects.',
    },
  },
  "unknown-rule": {
    severity: "error",
    message: 'There is no rule "{rule}".{nearest:suggestion}',
  },
  "not-in-preset": {
    severity: "error",
    message: '"{key}" stands in the preset "{uri}"; a preset may say {allowed:list} and nothing else.',
    help: "Put it into the project's own configuration, where a reviewer of the project sees it.",
  },
  "preset-not-found": {
    severity: "error",
    message: 'There is no preset "{name}": {looked}.',
    help: "{remedy:optional}",
  },
  "preset-outside": {
    severity: "error",
    message: 'The preset "{name}" leads out of the project; a preset is a file inside it, or an installed package.',
  },
  "preset-cycle": {
    severity: "error",
    message: "These presets build on each other in a circle: {chain}.",
    help: 'Take one "extends" of them away.',
  },
  "unused-override": {
    severity: "error",
    message: 'The override for "{path}" covers no file of the project; correct the path, or remove the entry.',
  },
  "outside-project": {
    severity: "error",
    message: '"{key}" leads out of the project ("{path}"); hasp reads and writes inside it only.',
  },
  "foreign-folder": {
    severity: "error",
    message: '{key} "{path}" lies in {name}/, which belongs to {owner}: hasp puts nothing there.',
    help: "Choose a folder of the project's own, such as {example}.",
  },
  "handlers-over-ledger": {
    severity: "error",
    message: 'handlers "{handlers}" lies in hasp-ledger/, which holds approvals and no code.',
  },
  "folders-overlap": {
    severity: "error",
    message: 'outDir "{outDir}" is hasp\'s and handlers "{handlers}" is yours: neither may hold the other.',
  },
  "out-over-ledger": {
    severity: "error",
    message: 'outDir "{outDir}" lies in hasp-ledger/, which holds approvals and nothing generated.',
  },
  "out-over-specs": {
    severity: "error",
    message:
      'outDir "{outDir}" is hasp\'s, and "specs" names "{specs}" in it: nobody would look for specs there. Choose another folder for one of them.',
  },
  "no-cache-control": {
    severity: "error",
    message: "The dialect {dialect} has no cache control; only Anthropic's dialects have.",
  },
  "cannot-load": {
    severity: "error",
    message: 'The configuration "{uri}" cannot be loaded: {reason}.',
  },
  "not-found": {
    severity: "error",
    message: 'There is no configuration at "{path}".',
  },
  "two-configurations": {
    severity: "error",
    message: "Two configurations stand side by side ({names:list}); keep one.",
  },
} as const;

const definitions: typeof formatFindings & typeof ownDefinitions = { ...formatFindings, ...ownDefinitions };

/** What reading the configuration may find. All of it means that nothing could be checked. */
export const configDiagnostics: DiagnosticFactory<typeof definitions> = defineDiagnostics("config", definitions);
