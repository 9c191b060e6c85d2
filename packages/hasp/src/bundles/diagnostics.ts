import { defineDiagnostics, type DiagnosticFactory } from "../diagnostics/define-diagnostics.js";

const definitions = {
  "no-package": {
    severity: "error",
    message: "The project's package.json cannot be read: {reason}.",
    help: "An export takes the server's name, version and description from it.",
  },
  field: {
    severity: "error",
    message: 'package.json: "{field}" {problem}.',
    help: "{help}",
  },
  "no-way-to-run": {
    severity: "error",
    message: "A client has no way to run this server.",
    help: 'Give package.json a "bin" that starts it and publish the package, or pass --bundle <url> (where you will publish the file that `hasp export mcpb` writes) or --remote <url> (where `hasp serve --http` runs).',
  },
  "not-an-address": {
    severity: "error",
    message: '"{url}" is not an https address.',
  },
  "not-javascript": {
    severity: "error",
    message: 'The module "{path}" {problem}; a bundle runs JavaScript only.',
    help: 'Compile the project, for example with "npx tsc", and pass the compiled file: --registry dist/generated/registry.js.',
  },
  "at-the-top": {
    severity: "error",
    message: '"{path}" is not in a folder of its own, so the bundle would contain the whole project.',
    help: "Compile into a folder such as dist/; the bundle contains all of that folder.",
  },
  outside: {
    severity: "error",
    message: '"{path}" is not inside the project.',
  },
  "not-a-regular-file": {
    severity: "error",
    message: '"{path}" is {what}; a bundle contains regular files only.',
  },
  "not-installed": {
    severity: "error",
    message: '{dependent} depends on "{name}", which is not installed.',
    help: "Install the dependencies first; the bundle contains them.",
  },
  "too-large": {
    severity: "error",
    message: "The bundle would be larger than {megabytes} MB.",
    help: "Move packages that only development needs from dependencies to devDependencies.",
  },
  "unknown-toolset": {
    severity: "error",
    message: 'There is no toolset "{name}".{nearest:suggestion}',
  },
  "which-policy": {
    severity: "error",
    message: "The export would contain the tools of several toolsets, and some of these have policies.",
    help: "Choose one toolset with --toolset, or give the toolset `all` a policy.",
  },
  "over-file": {
    severity: "error",
    message: '"{path}" already exists and is not an export, so it was left unchanged.',
    help: "Name another file with --out, or remove the file first.",
  },
} as const;

/** Diagnostics of `hasp export`. */
export const exportDiagnostics: DiagnosticFactory<typeof definitions> = defineDiagnostics("export", definitions);
