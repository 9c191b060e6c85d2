import { defineDiagnostics, type DiagnosticFactory } from "../../diagnostics/define-diagnostics.js";

const writeDefinitions = {
  "outside-project": {
    severity: "error",
    message:
      '"{path}" lies outside the project, or a link leads it there or into .git or node_modules; hasp writes to the project\'s own folders only.',
    help: "Set `outDir` and `handlers` to folders of the project that are no links to elsewhere.",
  },
  "foreign-file": {
    severity: "error",
    message: '"{path}" is in the way: hasp did not make it.',
    help: "Move it elsewhere, delete it, or set `outDir` to a folder of its own.",
  },
  "not-a-file": {
    severity: "error",
    message: '"{path}" is a folder; hasp wants to write a file there.',
  },
  locked: {
    severity: "error",
    message: "Another build (process {process}) is writing to this project.",
    help: "Wait until it has ended, then build again. If that process is no build, delete {path}.",
  },
  "no-lock": {
    severity: "error",
    message:
      "Two builds that write at once are kept apart by {path}, which cannot be made: {reason}. Nothing was changed.",
    help: "Delete what stands there, or set TMPDIR (on Windows, TEMP) to a folder in which you may write.",
  },
  "no-permission": {
    severity: "error",
    message: 'hasp may not write "{path}". Nothing was changed.',
    help: "Give yourself the right to write there, or set `outDir` to another folder.",
  },
  "disk-full": {
    severity: "error",
    message: 'The disk is full: "{path}" could not be written. Nothing was changed.',
  },
  failed: {
    severity: "error",
    message: '"{path}" could not be written ({reason}). Nothing was changed.',
  },
  "edited-leftover": {
    severity: "warning",
    message: '"{path}" is no longer made by any spec, but it was edited by hand: it stays.',
    help: "Delete it yourself when you have saved what you need.",
  },
  "handler-without-tool": {
    severity: "warning",
    message: '"{path}" was the handler of "{tool}", a tool that is gone. It stays as it is.',
    help: "If the tool was renamed, move your code to {target} and give its types the new names; else delete the file.",
  },
  "stub-left-alone": {
    severity: "warning",
    message: '"{path}" was left alone: {problem}. Its spec asks for {functions:code}.',
    help: "Export what is missing yourself; the type-checker names it.",
  },
} as const;

/** What may go wrong when files are written. */
export const writeDiagnostics: DiagnosticFactory<typeof writeDefinitions> = defineDiagnostics(
  "write",
  writeDefinitions,
);

const driftDefinitions = {
  missing: {
    severity: "error",
    message: '"{path}" is missing.',
    help: "Run `hasp build` and commit what it writes.",
  },
  outdated: {
    severity: "error",
    message: '"{path}" is not what the specs say now.',
    help: "Run `hasp build` and commit what it writes.",
  },
  edited: {
    severity: "error",
    message: '"{path}" was edited by hand.',
    help: "Change the spec instead, then run `hasp build`: it writes the file anew.",
  },
  leftover: {
    severity: "error",
    message: '"{path}" is no longer made by any spec.',
    help: "Run `hasp build` and commit what it writes.",
  },
} as const;

/** How written files may differ from what the specs say. */
export const driftDiagnostics: DiagnosticFactory<typeof driftDefinitions> = defineDiagnostics(
  "drift",
  driftDefinitions,
);
