import { defineDiagnostics, type DiagnosticFactory } from "../../diagnostics/define-diagnostics.js";

const definitions = {
  usage: {
    severity: "error",
    message: "The command line is wrong: {problem}",
    help: '"hasp --help" lists the commands, "hasp <command> --help" their words and options.',
  },
  bug: {
    severity: "error",
    message: "This is a bug in hasp, not in your specs: {reason}",
    help: "Please report it with what stands on standard error.",
  },
  "output-over-source": {
    severity: "error",
    message: '"--output" names "{path}", a file that hasp has just read; it was not touched.',
    help: "Name another file for the report.",
  },
  "output-over-file": {
    severity: "error",
    message: '"--output" names "{path}", and the file that is there is no earlier {format} report; it was not touched.',
    help: "Name another file for the report, or take that one away first.",
  },
  "dry-run-alone": {
    severity: "error",
    message: '"--dry-run" says what "--fix" would do, and "--fix" is not there; "hasp check" never writes by itself.',
  },
  "cannot-read": {
    severity: "error",
    message: '"{path}" cannot be read: {reason}.',
  },
  "cannot-write": {
    severity: "error",
    message: '"{path}" cannot be written: {reason}.',
  },
  "no-source": {
    severity: "error",
    message: '"hasp import {kind}" must be told what to import.',
    help: {
      server: 'Name the server: --command "npx some-server" or --url https://….',
      file: "Name the file: hasp import {kind} <file>.",
      module: "Name the module: hasp import {kind} <module>.",
    },
  },
  "bad-source": {
    severity: "error",
    message: "The source is not named rightly: {problem}.",
  },
  "none-matches": {
    severity: "error",
    message: 'The source has no tool that "--only {only}" names.',
  },
  "out-outside": {
    severity: "error",
    message: '"--out {out}" leads out of the project; hasp writes inside it only.',
    help: 'Name a folder inside the project, or the other project with "--cwd".',
  },
  "out-in-foreign": {
    severity: "error",
    message: '"--out {out}" leads into {name}/, which belongs to {owner}: hasp puts nothing there.',
    help: 'Name a folder of the project\'s own, such as "--out specs".',
  },
  "out-in-ledger": {
    severity: "error",
    message: '"--out {out}" leads into hasp-ledger/, which holds approvals: nobody would look for specs there.',
    help: 'Name another folder, such as "--out specs".',
  },
  "file-exists": {
    severity: "error",
    message: '"{path}" is there already and says something else; it was not touched.',
    help: "{remedy}",
  },
  "file-kept": {
    severity: "info",
    message: '"{path}" is there already and was not touched.',
  },
  "cannot-watch": {
    severity: "error",
    message: "The system lets nobody watch {folders} more folders; nothing is watched.",
    help: 'Name the folders of specs in "specs", so that no others are watched, or raise the limit (on Linux: sysctl fs.inotify.max_user_watches).',
  },
  "edited-kept": {
    severity: "info",
    message: '"{path}" was edited by hand and stays; delete it yourself once you have saved what you need.',
  },
  "unknown-tool": {
    severity: "error",
    message: 'No spec is called "{name}".{nearest:suggestion}',
  },
  "unknown-dialect": {
    severity: "error",
    message: 'There is no dialect "{name}".{nearest:suggestion} The dialects are {known}.',
  },
  "no-tokenizer": {
    severity: "error",
    message: "Tokens cannot be counted exactly: {reason}.",
    help: "Install {name} in the project, or go without --exact (budgets.exact): tokens are estimated then.",
  },
  "config-above": {
    severity: "error",
    message: 'This folder has no configuration and lies in a project that has one, "{path}".',
    help: "Work in the project's own folder: --cwd {cwd}",
  },
  "unknown-id": {
    severity: "error",
    message: 'No rule or other finding is called "{id}".{nearest:suggestion}',
    help: '"hasp explain" without an id lists the rules.',
  },
  "invalid-name": {
    severity: "error",
    message:
      '"{name}" is no valid tool name: a letter, then up to 63 letters, digits, "_" or "-"; "mcp__…" and "tool_search" are reserved.',
  },
  "cannot-load": {
    severity: "error",
    message: 'The handler "{path}" could not be loaded ({reason}); what rests on its functions could not be tested.',
    help: '"hasp build" makes a handler that is not there; one that is must export its functions and be imported without an error.',
  },
  "no-function": {
    severity: "error",
    message: 'The handler "{path}" must export a function "{name}", and {what}; what rests on it could not be tested.',
  },
  "test-failed": {
    severity: "error",
    message: "{message}\nin {title}",
  },
  "test-skipped": {
    severity: "info",
    message: "Not tested: {message}\nin {title}",
  },
  "unlocked-in-ci": {
    severity: "error",
    message: '"--unlocked" is refused where CI is set: a pipeline must not go on without approvals.',
    help: 'Run "hasp approve --reason …" on your own machine and commit hasp-ledger/.',
  },
  "no-base": {
    severity: "error",
    message: "What to compare with is named by an empty text; perhaps a variable is not set.",
    help: "Name a git ref such as origin/main, or a folder.",
  },
  "no-ledger-selection": {
    severity: "error",
    message: '"--yes" approves nothing by itself: name the tools whose claims you approve.',
  },
  "no-reason": {
    severity: "error",
    message: 'An approval needs a reason that a reviewer can judge: --reason "…".',
  },
  "approve-in-ci": {
    severity: "error",
    message: '"hasp approve" is refused where CI is set: a person approves, and a reviewer reads the ledger.',
  },
  "no-terminal": {
    severity: "error",
    message: '"hasp approve" asks about each claim and needs a terminal; or name the tools and add --yes.',
  },
} as const;

/** What the command line itself may find. */
export const cliDiagnostics: DiagnosticFactory<typeof definitions> = defineDiagnostics("cli", definitions);
