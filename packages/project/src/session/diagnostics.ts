import { defineDiagnostics, type DiagnosticFactory } from "@hasp/base/diagnostics";

/** The findings about a project that a command line names; they count as those of the command line. */
export const sessionFindings = {
  "which-configuration": {
    message: "There is no hasp.config.yaml, but there are other configurations: {names:list}.",
    help: 'Name one with --config, or run "hasp check --all" or "hasp ci --all" for all of them.',
  },
  "foreign-config": {
    message:
      'The configuration above this folder, "{path}", belongs to another user, and a configuration can run code.',
    help: "If you trust it, pass --config {path}.",
  },
  "unlocked-in-ci": {
    message: '"--unlocked" is not allowed where CI is set: a pipeline must not continue without approvals.',
    help: 'Run "hasp approve --reason …" on your own machine and commit hasp-ledger/.',
  },
  "no-tokenizer": {
    message: "Tokens cannot be counted exactly: {reason}.",
    help: "Install {name} in the project, or leave out --exact (budgets.exact) to estimate tokens.",
  },
  "cannot-read": '"{path}" cannot be read: {reason}.',
  "cannot-write": '"{path}" cannot be written: {reason}.',
  "file-exists": { message: '"{path}" already exists with different content; it is unchanged.', help: "{remedy}" },
  "no-such-part": {
    message: {
      read: 'No plugin of the project has an importer "{name}".{nearest:suggestion}',
      print: 'No plugin of the project has a reporter "{name}".{nearest:suggestion}',
    },
    help: "Name its plugin under `plugins` in the configuration.",
  },
  "cannot-watch": {
    message: "The system does not allow watching {folders} more folders; nothing is watched.",
    help: 'List the spec folders under "specs", so that hasp watches no others, or raise the limit (on Linux: sysctl fs.inotify.max_user_watches).',
  },
  "out-outside": {
    message: '"--out {out}" points outside the project; hasp writes only inside it.',
    help: 'Name a folder inside the project, or the other project with "--cwd".',
  },
  "out-in-foreign": {
    message: '"--out {out}" points into {name}/, which belongs to {owner}; hasp writes nothing there.',
    help: 'Name a folder of your own, such as "--out specs".',
  },
  "out-in-ledger": {
    message: '"--out {out}" points into hasp-ledger/, which contains approvals, not specs.',
    help: 'Name another folder, such as "--out specs".',
  },
} as const;

export const sessionDiagnostics: DiagnosticFactory<typeof sessionFindings> = defineDiagnostics("cli", sessionFindings);
