import { defineDiagnostics, type DiagnosticFactory } from "@hasp/base/diagnostics";

const definitions = {
  "no-package": {
    message: "The project's package.json cannot be read: {reason}.",
    help: "An export takes the server's name, version and description from it.",
  },
  "missing-field": {
    message: 'package.json: "{field}" is missing.',
    help: {
      version: 'Add an exact version, for example "version": "1.0.0".',
      description: "Say in one line what the server is for.",
      mcpName: 'Add, for example, "mcpName": "io.github.you/your-server": a domain of yours, reversed, and a name.',
      author: 'Add, for example, "author": "Your Name"; clients show it beside the bundle.',
    },
  },
  "invalid-field": {
    message: {
      name: 'package.json: "name" must be a package name.',
      version: 'package.json: "version" must be one exact version.',
      description: 'package.json: "description" must be one line of at most 100 characters.',
      mcpName: 'package.json: "mcpName" must be a name of the MCP registry.',
      author: 'package.json: "author" must be a name, or an object with a name.',
      icon: 'package.json: "icon" must be the path of a PNG file in the project.',
      icons:
        'package.json: "icons" must be a list of { "src", "mimeType"?, "sizes"? }, where each src is an https URL.',
    },
    help: {
      name: "Use lower-case letters and digits, separated by -, . or _.",
      version: "For example 1.0.0.",
      description: "The MCP registry refuses longer descriptions.",
      mcpName: "Write a domain of yours, reversed, a slash and a name: io.github.you/your-server.",
    },
  },
  "no-way-to-run": {
    message: "A client has no way to run this server.",
    help: 'Give package.json a "bin" that starts it and publish the package, or pass --url <url> (where `hasp serve --http` runs).',
  },
  "not-an-address": '"{url}" is not an https URL, or contains credentials.',
  "not-javascript": {
    message: {
      missing: 'The module "{path}" does not exist.',
      other: '"{path}" is not a JavaScript module, and a bundle runs JavaScript only.',
    },
    help: 'Compile the project, for example with "npx tsc", and pass the compiled file: --registry dist/generated/registry.js.',
  },
  "without-hasp": {
    message:
      'package.json lists "hasp" under "devDependencies" only, so the bundle would lack the program that starts its server.',
    help: 'Run "npm install hasp", which lists it under "dependencies".',
  },
  outside: '"{path}" is not inside the project, so it would not be packed.',
  "which-policy": {
    message: "The export would contain the tools of several toolsets, and some of these have policies.",
    help: "Choose one toolset with --toolset, or give the toolset `all` a policy.",
  },
  "over-file": {
    message: '"{path}" already exists and is not an export, so it was left unchanged.',
    help: "Name another file with --out, or remove the file first.",
  },
} as const;

export const exportDiagnostics: DiagnosticFactory<typeof definitions> = defineDiagnostics("export", definitions);
