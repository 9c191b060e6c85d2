import { defineDiagnostics, type DiagnosticFactory } from "@hasp/base/diagnostics";
import type { ReportHandler } from "@hasp/compiler/handlers";

const definitions = {
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
  "public-not-needed": {
    message: 'The command does not see "{name}", so its value cannot be public.',
    help: "Add it to `needs.env`, or remove it from `publicEnv`.",
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

/** The findings of the kinds. */
export const kindDiagnostics: DiagnosticFactory<typeof definitions> = defineDiagnostics("handler", definitions);

export type ReportKind = ReportHandler<typeof definitions>;
