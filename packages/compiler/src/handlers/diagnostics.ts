import { defineDiagnostics, type DiagnosticFactory } from "@hasp/base/diagnostics";

const definitions = {
  "answer-of-kind": 'A test of handler.{kind} cannot state "{name}" here.{nearest:suggestion}',
  "unknown-connection": {
    message: 'The configuration has no connection "{connection}".{nearest:suggestion}',
    help: "Add it to `connections` in hasp.config.yaml, such as {example}.",
  },
  "wrong-connection":
    '"{connection}" is a connection of the kind "{actual}"; this handler needs one of the kind "{expected}".',
  "base-url": 'The `{setting}` of the connection "{connection}" is not a URL: {url}.',
  "private-address": {
    message:
      'Every call would be refused: the connection "{connection}" points to {url}, which is not a public address.',
    help: "If calls may go there, set `allowPrivateAddresses: true` beside its `{setting}`.",
  },
  "missing-package": {
    severity: "warning",
    message: 'Calls through the connection "{connection}" import {name}, which is not installed.',
    help: "Run `npm install {package}`. Packages of hasp need the version of hasp.",
  },
  "unknown-kind": {
    message: 'No plugin of this project adds the handler kind "{name}".{nearest:suggestion}',
    help: "Name the plugin under `plugins` in hasp.config.yaml.",
  },
  declaration: "This is no declaration of {name}: {problem}",
  "missing-module": {
    severity: "warning",
    message: 'Calls of a "{name}" handler import {module}, which is not installed.',
    help: "Install the package.",
  },
  "unused-connection": {
    severity: "warning",
    message: 'No handler uses the connection "{connection}".',
    help: "Remove it, or name it in a handler.",
    needsAllSpecs: true,
  },
  "unknown-input": {
    message: '"{reference}" is neither bound nor a property of the input.{nearest:suggestion}',
    help: "Declare it under `input.properties`, or fill it in with `bind`.",
  },
  "unknown-context": 'The type of the context has no member "{member}".{nearest:suggestion}',
  "no-context": {
    message: '"{reference}" needs a context, and the configuration names no type for it.',
    help: "Set `context` in hasp.config.yaml, such as ./src/context.ts#AgentContext.",
  },
  "bind-without-declaration": {
    message:
      "`bind` fills in values of a declared handler, and this spec declares none. Your own handler reads the context itself.",
    help: "Remove `bind`, or declare one of {kinds:list} under `handler`.",
  },
  "unused-bind": 'Nothing in the handler uses "{name}".{nearest:suggestion}',
  "unused-input": {
    severity: "warning",
    message: 'The handler never uses "{name}": what a model sends there has no effect.',
    help: "Use it in the handler, or remove it from the input.",
  },
  "nothing-to-check": {
    severity: "warning",
    message: "`outputCheck` has no effect: the spec has no `output` to check results against.",
    help: "Remove it, or describe the results under `output`.",
  },
  "custom-function": {
    message: 'A declared handler exports no functions, so there is no "{name}".',
    help: "Write the condition in CEL, or run `hasp eject {tool}` and write the function.",
  },
} as const;

export const handlerDiagnostics: DiagnosticFactory<typeof definitions> = defineDiagnostics("handler", definitions);

export type HandlerFindings = typeof definitions;
