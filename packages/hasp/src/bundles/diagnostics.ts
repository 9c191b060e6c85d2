import { defineDiagnostics, type DiagnosticFactory } from "../diagnostics/define-diagnostics.js";

const definitions = {
  "no-package": {
    severity: "error",
    message: "The project has no package.json that can be read: {reason}.",
    help: "An export takes the name, the version and the description from it.",
  },
  field: {
    severity: "error",
    message: 'package.json: "{field}" {problem}.',
    help: "{help}",
  },
  "no-way-to-run": {
    severity: "error",
    message: "Nothing says how a client runs this server.",
    help: 'Give package.json a "bin" that starts it and publish the package, or pass --bundle <url> (where the file of `hasp export mcpb` will be) or --remote <url> (where `hasp serve --http` runs).',
  },
  "not-an-address": {
    severity: "error",
    message: '"{url}" is no https address.',
  },
  "not-javascript": {
    severity: "error",
    message: 'The module "{path}" {problem}, and a bundle runs JavaScript.',
    help: 'Compile the project, for example with "npx tsc", and pass the compiled file: --registry dist/generated/registry.js.',
  },
  "at-the-top": {
    severity: "error",
    message: '"{path}" is not in a folder of its own: the bundle would hold the whole project.',
    help: "Compile into a folder such as dist/, which a bundle holds as a whole.",
  },
  outside: {
    severity: "error",
    message: '"{path}" is not inside the project.',
  },
  oddity: {
    severity: "error",
    message: '"{path}" is {what}; a bundle holds regular files only.',
  },
  "not-installed": {
    severity: "error",
    message: '"{name}", on which {dependent} depends, is not installed.',
    help: "Install the dependencies first: a bundle holds them.",
  },
  "too-large": {
    severity: "error",
    message: "The bundle would hold more than {megabytes} MB.",
    help: "Move what only development needs from dependencies to devDependencies.",
  },
  "unknown-toolset": {
    severity: "error",
    message: 'There is no toolset "{name}".{nearest:suggestion}',
  },
  "which-policy": {
    severity: "error",
    message: "Toolsets have policies, and the tools of several of them would be exported.",
    help: "Choose one with --toolset, or give the toolset `all` a policy.",
  },
  "over-file": {
    severity: "error",
    message: '"{path}" is an existing file that is no earlier export; it is unchanged.',
    help: "Name another file with --out, or remove the file first.",
  },
} as const;

/** What can be wrong with a project that is to be exported. */
export const exportDiagnostics: DiagnosticFactory<typeof definitions> = defineDiagnostics("export", definitions);
