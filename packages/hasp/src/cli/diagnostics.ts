import { defineDiagnostics, type DiagnosticFactory } from "../diagnostics/define-diagnostics.js";

const definitions = {
  usage: {
    severity: "error",
    message: (p: { problem: string }): string => `The command line is wrong: ${p.problem}`,
    help: (): string => `"hasp --help" lists the commands, "hasp <command> --help" their words and options.`,
  },
  bug: {
    severity: "error",
    message: (p: { reason: string }): string => `This is a bug in hasp, not in your specs: ${p.reason}`,
    help: (): string => "Please report it with what stands on standard error.",
  },
  "output-over-source": {
    severity: "error",
    message: (p: { path: string }): string =>
      `"--output" names "${p.path}", a file that hasp has just read; it was not touched.`,
    help: (): string => "Name another file for the report.",
  },
  "output-over-file": {
    severity: "error",
    message: (p: { path: string; format: string }): string =>
      `"--output" names "${p.path}", and the file that is there is no earlier ${p.format} report; it was not touched.`,
    help: (): string => "Name another file for the report, or take that one away first.",
  },
  "dry-run-alone": {
    severity: "error",
    message: (): string =>
      `"--dry-run" says what "--fix" would do, and "--fix" is not there; "hasp check" never writes by itself.`,
  },
  "cannot-read": {
    severity: "error",
    message: (p: { path: string; reason: string }): string => `"${p.path}" cannot be read: ${p.reason}.`,
  },
  "cannot-write": {
    severity: "error",
    message: (p: { path: string; reason: string }): string => `"${p.path}" cannot be written: ${p.reason}.`,
  },
  "no-source": {
    severity: "error",
    message: (p: { kind: string; form: "file" | "server" | "module" }): string =>
      `"hasp import ${p.kind}" must be told what to import.`,
    help: (p: { kind: string; form: "file" | "server" | "module" }): string =>
      p.form === "server"
        ? `Name the server: --command "npx some-server" or --url https://….`
        : `Name the ${p.form}: hasp import ${p.kind} <${p.form}>.`,
  },
  "bad-source": {
    severity: "error",
    message: (p: { problem: string }): string => `The source is not named rightly: ${p.problem}.`,
  },
  "none-matches": {
    severity: "error",
    message: (p: { only: readonly string[] }): string =>
      `The source has no tool that "--only ${p.only.join(" ")}" names.`,
  },
  "out-outside": {
    severity: "error",
    message: (p: { out: string }): string => `"--out ${p.out}" leads out of the project; hasp writes inside it only.`,
    help: (): string => `Name a folder inside the project, or the other project with "--cwd".`,
  },
  "out-in-foreign": {
    severity: "error",
    message: (p: { out: string; name: string; owner: string }): string =>
      `"--out ${p.out}" leads into ${p.name}/, which belongs to ${p.owner}: hasp puts nothing there.`,
    help: (): string => `Name a folder of the project's own, such as "--out specs".`,
  },
  "out-in-ledger": {
    severity: "error",
    message: (p: { out: string }): string =>
      `"--out ${p.out}" leads into hasp-ledger/, which holds approvals: nobody would look for specs there.`,
    help: (): string => `Name another folder, such as "--out specs".`,
  },
  "file-exists": {
    severity: "error",
    message: (p: { path: string; remedy: string }): string =>
      `"${p.path}" is there already and says something else; it was not touched.`,
    help: (p: { path: string; remedy: string }): string => p.remedy,
  },
  "file-kept": {
    severity: "info",
    message: (p: { path: string }): string => `"${p.path}" is there already and was not touched.`,
  },
  "cannot-watch": {
    severity: "error",
    message: (p: { folders: number }): string =>
      `The system lets nobody watch ${p.folders} more folders; nothing is watched.`,
    help: (): string =>
      `Name the folders of specs in "specs", so that no others are watched, or raise the limit (on Linux: sysctl fs.inotify.max_user_watches).`,
  },
  "edited-kept": {
    severity: "info",
    message: (p: { path: string }): string =>
      `"${p.path}" was edited by hand and stays; delete it yourself once you have saved what you need.`,
  },
  "unknown-tool": {
    severity: "error",
    message: (p: { name: string; hint: string }): string => `No spec is called "${p.name}".${p.hint}`,
  },
  "unknown-dialect": {
    severity: "error",
    message: (p: { name: string; hint: string; known: string }): string =>
      `There is no dialect "${p.name}".${p.hint} The dialects are ${p.known}.`,
  },
  "no-tokenizer": {
    severity: "error",
    message: (p: { name: string; reason: string }): string => `Tokens cannot be counted exactly: ${p.reason}.`,
    help: (p: { name: string; reason: string }): string =>
      `Install ${p.name} in the project, or go without --exact (budgets.exact): tokens are estimated then.`,
  },
  "config-above": {
    severity: "error",
    message: (p: { path: string; cwd: string }): string =>
      `This folder has no configuration and lies in a project that has one, "${p.path}".`,
    help: (p: { cwd: string }): string => `Work in the project's own folder: --cwd ${p.cwd}`,
  },
  "unknown-id": {
    severity: "error",
    message: (p: { id: string; hint: string }): string => `No rule or other finding is called "${p.id}".${p.hint}`,
    help: (): string => '"hasp explain" without an id lists the rules.',
  },
  "invalid-name": {
    severity: "error",
    message: (p: { name: string }): string =>
      `"${p.name}" is no valid tool name: a letter, then up to 63 letters, digits, "_" or "-"; "mcp__…" and "tool_search" are reserved.`,
  },
  "cannot-load": {
    severity: "error",
    message: (p: { path: string; reason: string }): string =>
      `The handler "${p.path}" could not be loaded (${p.reason}); what rests on its functions could not be tested.`,
    help: (): string =>
      `"hasp build" makes a handler that is not there; one that is must export its functions and be imported without an error.`,
  },
  "no-function": {
    severity: "error",
    message: (p: { path: string; name: string; what: string }): string =>
      `The handler "${p.path}" must export a function "${p.name}", and ${p.what}; what rests on it could not be tested.`,
  },
  "test-failed": {
    severity: "error",
    message: (p: { message: string; title: string }): string => `${p.message}\nin ${p.title}`,
  },
  "test-skipped": {
    severity: "info",
    message: (p: { message: string; title: string }): string => `Not tested: ${p.message}\nin ${p.title}`,
  },
  "unlocked-in-ci": {
    severity: "error",
    message: (): string => `"--unlocked" is refused where CI is set: a pipeline must not go on without approvals.`,
    help: (): string => `Run "hasp approve --reason …" on your own machine and commit hasp-ledger/.`,
  },
  "no-base": {
    severity: "error",
    message: (): string => "What to compare with is named by an empty text; perhaps a variable is not set.",
    help: (): string => "Name a git ref such as origin/main, or a folder.",
  },
  "no-ledger-selection": {
    severity: "error",
    message: (): string => `"--yes" approves nothing by itself: name the tools whose claims you approve.`,
  },
  "no-reason": {
    severity: "error",
    message: (): string => `An approval needs a reason that a reviewer can judge: --reason "…".`,
  },
  "approve-in-ci": {
    severity: "error",
    message: (): string =>
      `"hasp approve" is refused where CI is set: a person approves, and a reviewer reads the ledger.`,
  },
  "no-terminal": {
    severity: "error",
    message: (): string =>
      `"hasp approve" asks about each claim and needs a terminal; or name the tools and add --yes.`,
  },
} as const;

/** What the command line itself may find. */
export const cliDiagnostics: DiagnosticFactory<typeof definitions> = defineDiagnostics("cli", definitions);
