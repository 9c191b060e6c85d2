import { defineDiagnostics, type DiagnosticFactory } from "../../diagnostics/define-diagnostics.js";

const writeDefinitions = {
  "outside-project": {
    severity: "error",
    message: (p: { path: string }): string =>
      `"${p.path}" lies outside the project, or a link leads it there or into .git or node_modules; hasp writes to the project's own folders only.`,
    help: (): string => "Set `outDir` and `handlers` to folders of the project that are no links to elsewhere.",
  },
  "foreign-file": {
    severity: "error",
    message: (p: { path: string }): string => `"${p.path}" is in the way: hasp did not make it.`,
    help: (): string => "Move it elsewhere, delete it, or set `outDir` to a folder of its own.",
  },
  "not-a-file": {
    severity: "error",
    message: (p: { path: string }): string => `"${p.path}" is a folder; hasp wants to write a file there.`,
  },
  locked: {
    severity: "error",
    message: (p: { process: string; path: string }): string =>
      `Another build (process ${p.process}) is writing to this project.`,
    help: (p: { process: string; path: string }): string =>
      `Wait until it has ended, then build again. If that process is no build, delete ${p.path}.`,
  },
  "no-lock": {
    severity: "error",
    message: (p: { path: string; reason: string }): string =>
      `Two builds that write at once are kept apart by ${p.path}, which cannot be made: ${p.reason}. Nothing was changed.`,
    help: (): string =>
      "Delete what stands there, or set TMPDIR (on Windows, TEMP) to a folder in which you may write.",
  },
  "no-permission": {
    severity: "error",
    message: (p: { path: string }): string => `hasp may not write "${p.path}". Nothing was changed.`,
    help: (): string => "Give yourself the right to write there, or set `outDir` to another folder.",
  },
  "disk-full": {
    severity: "error",
    message: (p: { path: string }): string =>
      `The disk is full: "${p.path}" could not be written. Nothing was changed.`,
  },
  failed: {
    severity: "error",
    message: (p: { path: string; reason: string }): string =>
      `"${p.path}" could not be written (${p.reason}). Nothing was changed.`,
  },
  "edited-leftover": {
    severity: "warning",
    message: (p: { path: string }): string =>
      `"${p.path}" is no longer made by any spec, but it was edited by hand: it stays.`,
    help: (): string => "Delete it yourself when you have saved what you need.",
  },
  "handler-without-tool": {
    severity: "warning",
    message: (p: { path: string; tool: string; stubs: readonly string[] }): string =>
      `"${p.path}" was the handler of "${p.tool}", a tool that is gone. It stays as it is.`,
    help: (p: { path: string; tool: string; stubs: readonly string[] }): string => {
      const [stub] = p.stubs;
      const target = p.stubs.length === 1 && stub !== undefined ? stub : "the new tool's handler";
      return `If the tool was renamed, move your code to ${target} and give its types the new names; else delete the file.`;
    },
  },
  "stub-left-alone": {
    severity: "warning",
    message: (p: { path: string; functions: readonly string[]; problem: string }): string =>
      `"${p.path}" was left alone: ${p.problem}. Its spec asks for ${p.functions.map((name) => `\`${name}\``).join(", ")}.`,
    help: (): string => "Export what is missing yourself; the type-checker names it.",
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
    message: (p: { path: string }): string => `"${p.path}" is missing.`,
    help: (): string => "Run `hasp build` and commit what it writes.",
  },
  outdated: {
    severity: "error",
    message: (p: { path: string }): string => `"${p.path}" is not what the specs say now.`,
    help: (): string => "Run `hasp build` and commit what it writes.",
  },
  edited: {
    severity: "error",
    message: (p: { path: string }): string => `"${p.path}" was edited by hand.`,
    help: (): string => "Change the spec instead, then run `hasp build`: it writes the file anew.",
  },
  leftover: {
    severity: "error",
    message: (p: { path: string }): string => `"${p.path}" is no longer made by any spec.`,
    help: (): string => "Run `hasp build` and commit what it writes.",
  },
} as const;

/** How written files may differ from what the specs say. */
export const driftDiagnostics: DiagnosticFactory<typeof driftDefinitions> = defineDiagnostics(
  "drift",
  driftDefinitions,
);
