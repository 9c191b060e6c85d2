import { defineDiagnostics, type DiagnosticFactory } from "@hasp/base/diagnostics";
import { sourceFindings } from "@hasp/import";
import { catalogueFindings } from "@hasp/catalogue";
import { sessionFindings } from "@hasp/project/session";
import { handlerFindings } from "@hasp/serve/tests";

/** The findings of the commands themselves; the packages behind them declare theirs. */
export const commandFindings = {
  usage: {
    message: "Invalid command line: {problem}",
    help: '"hasp --help" lists the commands, "hasp <command> --help" the arguments and options of one.',
  },
  bug: {
    message: "This is a bug in hasp, not in your specs: {reason}",
    help: "Please report it together with the output on standard error.",
  },
  "no-configuration": {
    message: '"--all" found no configuration in this folder or below it.',
    help: "Configurations are named hasp.config.yaml, or hasp.<name>.yaml beside others.",
  },
  "env-file-unreadable": {
    message: 'The file "{path}" of "--env-file" cannot be read: {reason}.',
    help: "Name an existing file of NAME=value lines, or leave the option out.",
  },
  "env-file-line": {
    message: "This line of the variables file is not NAME=value.",
    help: "Write NAME=value, with quotes around a value of several lines; # begins a comment.",
  },
  "output-over-source": {
    message: '"--output" names "{path}", a file that hasp has just read; the file is unchanged.',
    help: "Name another file for the report.",
  },
  "output-over-file": {
    message:
      '"--output" names "{path}", an existing file that is not an earlier {format} report; the file is unchanged.',
    help: "Name another file for the report, or remove this one first.",
  },
  "no-comment": {
    severity: "warning",
    message: "The review was not posted on the pull request: {reason}.",
    help: "The job needs the permission pull-requests: write and the variable GITHUB_TOKEN. Workflows that run for a fork do not get that permission; the review is in the job summary.",
  },
  "comment-unreachable": {
    severity: "warning",
    message: "The review was not posted on the pull request: {reason}.",
    help: "Run the job again. If it keeps failing, see whether the runner may reach that host: GITHUB_API_URL names it, and a runner of your own may need a way through its firewall or a proxy (HTTPS_PROXY with NODE_USE_ENV_PROXY=1). The review is in the job summary.",
  },
  "fix-of-some": '"--fix" works on the whole project; leave out the tool names.',
  "dry-run-alone": '"--dry-run" shows what "--fix" would do, but "--fix" is missing; "hasp check" alone never writes.',
  "cannot-pin": '"{address}" was not stored: {reason}.',
  "unknown-connection": 'There is no connection "{name}" that uses OAuth.{nearest:suggestion}',
  "no-login-needed": {
    message: 'The connection "{name}" needs no login: it does not act for a person.',
    help: "Set the environment variables that the configuration names for it, and call a tool.",
  },
  "package-missing": {
    message: '"hasp {command}" needs the package {name}, which is not installed in the project.',
    help: "Install it, for example with: npm install {name}",
  },
  "login-failed": "{reason}",
  "file-kept": {
    severity: "info",
    message: '"{path}" already exists and is unchanged.',
  },
  "edited-kept": {
    severity: "info",
    message: '"{path}" was edited by hand and is kept; delete it yourself once you have saved what you need.',
  },
  "cannot-eject": 'The handler of "{tool}" cannot be ejected: {problem}.',
  "several-things": {
    message: '"{name}" is the name of more than one thing.',
    help: "Say which you mean: {exact:list}.",
  },
  "only-for-tools": '"--for" shows what a provider receives of tools; leave it out for anything else.',
  "unknown-thing": {
    message: 'There is no tool, policy, toolset or finding "{name}".{nearest:suggestion}',
    help: '"hasp show" lists the tools, "hasp show rule:" the rules.',
  },
  "unknown-tool": 'There is no tool "{name}".{nearest:suggestion}',
  "unknown-filter": 'There is no {kind} "{name}".{nearest:suggestion}',
  "unknown-dialect": 'There is no dialect "{name}".{nearest:suggestion} The dialects are {known}.',
  "unknown-client": 'There is no client "{name}".{nearest:suggestion} "hasp show client:" lists them.',
  "unknown-reader":
    'There is no dialect or client "{name}".{nearest:suggestion} The dialects are {known}; "hasp show client:" lists the clients.',
  "file-to-check": {
    message: '"{file}" is a file, and "hasp check" takes names of tools.',
    help: "To check the tools of a list, a module or a document: hasp check --from {file}",
  },
  "from-of-some": '"--from" checks all tools of a file; leave out the tool names.',
  "only-with-from":
    '"--for" and "--start" need "--from"; a project names its dialects and clients in its configuration.',
  "probe-lacks": {
    message: '"hasp probe {dialect}" needs {what}.',
    help: '"hasp probe --help" lists what it takes; --dry-run prints the requests and sends nothing.',
  },
  "probe-failed": {
    message: "No fact about {dialect} can be judged: {reason}.",
    help: "Check the key, the model and the address, and run it again.",
  },
  "fact-changed": {
    message: '{dialect} {at}: "{says}" does not hold: {reason}.',
    help: "Read the provider's documentation, then apply the patch that was printed.",
  },
  "project-above": {
    severity: "info",
    message: '"{path}" configures a project that contains this folder, and this folder is now a project of its own.',
    help: 'Make sure that its "specs" leaves this folder out.',
  },
  "invalid-name":
    '"{name}" is not a valid tool name: a letter, then up to 63 letters, digits, "_" or "-"; "mcp__…", "tool_search" and "read_result" are reserved.',
  "test-failed": "{message}\nin {title}",
  "test-skipped": {
    severity: "info",
    message: "Not tested: {message}\nin {title}",
  },
  "no-tests": {
    message: 'Nothing was tested: no spec has "tests" or "examples", and no policy has tests.',
    help: 'Add one to a spec, for example tests: [{ input: { … }, expect: { class: UNSAFE } }], and run "hasp test".',
  },
  "no-ledger-selection": {
    message: '"--yes" needs a selection: it approves only claims of tools that you name.',
    help: "Name tools or policies (* stands for any characters), or select with --only.",
  },
  "no-reason": 'An approval needs a reason for the reviewer: --reason "…".',
  "approve-in-ci": '"hasp approve" does not run where CI is set: only a person can approve a claim.',
  "no-terminal": '"hasp approve" asks about each claim, so it needs a terminal. Otherwise, select tools and add --yes.',
} as const;

type CliDefinitions = typeof commandFindings &
  typeof sessionFindings &
  typeof handlerFindings &
  typeof sourceFindings &
  typeof catalogueFindings;

export const cliDiagnostics: DiagnosticFactory<CliDefinitions> = defineDiagnostics<CliDefinitions>("cli", {
  ...commandFindings,
  ...sessionFindings,
  ...handlerFindings,
  ...sourceFindings,
  ...catalogueFindings,
});
