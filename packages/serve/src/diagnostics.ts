import { defineDiagnostics, type Diagnostic, type DiagnosticFactory } from "@hasp/base/diagnostics";
import { formatFindings } from "@hasp/compiler/formats";

const ownDefinitions = {
  "no-registry": {
    message: 'The registry "{path}" does not exist, so no tools can run.',
    help: 'Run "hasp build" to generate it, or pass "--registry <file>" to use another one.',
  },
  "registry-fails": {
    message: 'The registry "{path}" cannot be imported: {reason}.',
    help: "The registry imports every handler, so each handler must exist and import without errors.",
  },
  "handler-fails": {
    message: 'The handler "{path}" cannot be used: {reason}.',
    help: "It must exist, load without errors and export the functions that its spec requires.",
  },
  "policy-fails": {
    message: 'The policy "{path}" cannot be used: {reason}.',
    help: "`hasp build` writes it beside the registry, which needs it there: deploy both.",
  },
  "which-policy": {
    message: "The toolsets {toolsets} have policies, but the toolset of all tools has none.",
    help: "Pass --toolset <name>, or --auth <file>, whose scopes name toolsets. To serve all tools, give the toolset `all` a policy.",
  },
  "no-tools-in-registry": {
    message: '"{path}" is not a hasp registry: {what}.',
    help: "Pass the module that `hasp build` generated, with an @hasp/runtime version that matches this hasp.",
  },
  unlocked: {
    severity: "warning",
    message: "The registry was built with --unlocked, so it may contain unapproved claims.",
    help: 'Approve them with "hasp approve", then build again.',
  },
  "unlocked-in-ci": {
    message: "The registry was built with --unlocked and CI is set, so its tools do not run without approvals.",
    help: 'Approve the claims with "hasp approve", then build again.',
  },
  "no-context": {
    message:
      'The handlers need a context, but "{file}" does not export "{name}" as a context or a function that creates one.',
    help: "Export it, for example `export async function createContext(): Promise<…>`, or select another export with --context <file#export>.",
  },
  "context-shared":
    "All callers share one context: no function creates it. What differs by user belongs in `createContext(caller)`, whose caller is { principal, toolsets }.",
  "context-fails": '"{name}" in "{file}" did not create a context: {reason}.',
  "context-not-closed": {
    severity: "warning",
    message: "The context could not be disposed: {reason}.",
    help: "Check its [Symbol.asyncDispose] or [Symbol.dispose] method; connections and files may still be open.",
  },
  "unknown-tool": 'There is no tool named "{name}".{nearest:suggestion}',
  "gate-shut": {
    message: '"{name}" is behind the feature gate "{gate}", which is off, so models cannot see it.',
    help: "Turn the gate on with --feature {gate}.",
  },
  "variables-unset": {
    message: '"{name}" needs {variables:list} in the environment.',
    help: "Set what is missing. --dry-run and --replay do without.",
  },
  "unknown-toolset": 'There is no toolset "{name}". Available: {known}.',
  "not-built": {
    message: "Nothing has been built yet.",
    help: "Run `hasp build`.",
  },
  "no-programs": {
    message: "Programs need the package @hasp/programs, which cannot be imported: {reason}.",
    help: "Install it beside hasp, in the same version.",
  },
  "no-output": {
    message: 'Somebody else executes the calls of "{name}", and there is no terminal to ask for the output.',
    help: "Pass --respond with JSON or a file.",
  },
  "output-of-own-handler": '--respond is for tools that somebody else executes, and "{name}" has a handler here.',
  "output-unreadable": "The output cannot be used: {reason}",
  "not-json": {
    message: "The input is not a JSON object: {reason}.",
    help: 'Quote it, for example \'{"id":"42"}\', name a file of it, or pass "-" to read it from standard input.',
  },
  "record-and-replay":
    "--record and --replay exclude each other: a call that a tape answers has nothing new to record.",
  "tape-unusable": "The tape cannot be used. {reason}",
  "tape-incomplete": "The call was run, and is not on the tape. {reason}",
  "not-an-address": {
    message: '"{address}" is not an address to listen on.',
    help: "Write [host:]port, for example 3000 or 127.0.0.1:3000.",
  },
  "open-to-all": {
    message: 'Anyone who can reach "{host}" could call the tools.',
    help: "Pass --auth <file>, which says whose tokens to accept, or listen on 127.0.0.1.",
  },
  "no-telemetry": "{variable} asks for OpenTelemetry, and {name} is not installed: npm install {name}.",
  "only-with-http":
    "--{option} works only with --http: standard input and output have one client, and carry no tokens.",
  "cannot-listen": 'The server cannot listen on "{address}": {reason}.',
  "auth-unreadable": 'The --auth file "{path}" cannot be read: {reason}.',
  "auth-no-address": {
    message: "`audience` is not an address, and clients must be told the address of this server.",
    help: "Add `resource: https://…/mcp`, the address as clients see it.",
  },
  "auth-no-keys": "The keys cannot be loaded: {reason}.",
  "nothing-served": "There are no tools to serve. {reasons}",
} as const;

type Definitions = typeof ownDefinitions & typeof formatFindings;

export const serveDiagnostics: DiagnosticFactory<Definitions> = defineDiagnostics<Definitions>("serve", {
  ...ownDefinitions,
  ...formatFindings,
});

/** Closes the context of handlers, and reports why that failed. */
export async function closeContext(context: { close(): Promise<string | undefined> }): Promise<readonly Diagnostic[]> {
  const reason = await context.close();
  return reason === undefined ? [] : [serveDiagnostics("context-not-closed", undefined, { reason })];
}
