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
  "key-of-server": {
    message: 'The connection "{connection}" sends an API key in its {place}, where MCP servers do not read one.',
    help: "Write `in: header`. A server that reads its key elsewhere needs a client of your own: `{ context: <member> }`.",
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
  "public-not-needed": {
    message: 'The command does not see "{name}", so its value cannot be public.',
    help: "Add it to `needs.env`, or remove it from `publicEnv`.",
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
  "path-may-be-absent": {
    message: '"{reference}" may be absent, and a path needs every one of its values.',
    help: "Add it to `required`, or give it a default.",
  },
  "path-takes-text": {
    message: '"{reference}" may be a list or an object, which a path cannot contain as it is.',
    help: "Say in `parameters.path` how it is written, such as `style: simple`.",
  },
  "path-form": 'The path "{path}" cannot be sent: {why}.',
  "header-name": 'The header "{name}" cannot be set here: {why}.',
  "header-value": 'The header "{name}" cannot have this value: it contains a line break or another control character.',
  "body-of-method": "A {method} request has no body. Send the values in `query`, or use another method.",
  "body-not-object": "A {kind} body is an object of named values.",
  "method-in-body": {
    message: 'Services may read the field "{name}" as the method of the request.',
    help: "Write the method in `method`.",
  },
  "encoding-of-body": "Only form and multipart bodies have an `encoding`; this one is {kind}.",
  "unknown-parameter": 'No value of `{place}` is called "{name}".{nearest:suggestion}',
  "style-of-place": "A value of `{place}` cannot have the style {style}. It can have: {allowed:list}.",
  "sql-statement": {
    message: {
      syntax: "Postgres cannot parse the statement: {reason}.",
      numbered: "Write a name in place of {name}, such as $customerId.",
      several: "A handler runs one statement; this is a second one.",
      none: "There is no statement.",
      unclosed: "A string, a quoted name or a comment is not closed.",
      "no-text": "The statement contains a character that Postgres does not accept.",
      long: "The statement is longer than {limit} characters.",
    },
  },
  "program-from-value": "The program must be a fixed string: a value must not choose what is run.",
  shell: {
    message: '"{program}" with "{option}" is a shell that runs a script: a value in it can become another command.',
    help: "Write the program and each of its arguments as an item of `argv`.",
  },
  "program-text": {
    message: '"{program}" runs the text after "{option}", and "{reference}" would become part of a program.',
    help: "Put the program into a file, and pass the value as an argument of its own after it.",
  },
  "not-an-argument": {
    message: '"{reference}" may be {what}, which is not one argument.',
    help: "A list becomes one argument per item if its placeholder is the whole argument.",
  },
  "may-be-option": {
    severity: "warning",
    message:
      '"{reference}" may begin with "-". Such calls are refused, because the program could mistake the value for an option.',
    help: "Put an argument `--` before it if the program supports that, or exclude such values with a pattern or an enum.",
  },
} as const;

export const handlerDiagnostics: DiagnosticFactory<typeof definitions> = defineDiagnostics("handler", definitions);

export type HandlerFindings = typeof definitions;
