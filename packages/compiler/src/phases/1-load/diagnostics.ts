import { type DiagnosticParameters, defineDiagnostics, type DiagnosticFactory } from "@hasp/base/diagnostics";
import type { SourceSpan } from "./span-map.js";

const definitions = {
  "merge-conflict": {
    message: "A merge conflict starts here and has not been resolved.",
    help: 'Keep one side or combine both, and delete the lines that start with "<<<<<<<", "=======" and ">>>>>>>".',
  },
  "yaml-syntax": "This is not valid YAML: {reason}.",
  "json-syntax": "This is not valid JSON: {reason}.",
  "unreadable-file": '"{uri}" cannot be read: {reason}.',
  "file-too-large": "This file is {megabytes} MB; hasp reads files of up to {limit} MB. Split it.",
  "duplicate-key": 'Duplicate key "{key}". Remove one of them.',
  "key-not-string": {
    message: {
      quotable: "A key must be a string, but this one is {what}. Write it in quotes: {quoted}.",
      other: "A key must be a string, but this one is {what}.",
    },
  },
  "unsafe-key": '"{key}" cannot be a key: copying this object would change the prototype of the copy. Rename the key.',
  "number-not-exact": {
    message: "The number {text} would be read as {read}: JSON parsers cannot represent it exactly.",
    help: "Write a number with at most 15 digits, or a quoted string.",
  },
  "number-not-json": '"{text}" is not a JSON number; write it in JSON syntax, or quote it if it is a string.',
  tag: 'The YAML tag "{tag}" has no meaning in JSON. Remove it, and quote the value if it should be a string.',
  "merge-key": {
    message: '"<<" is not part of YAML 1.2, and hasp does not merge maps: every tool states its own values.',
    help: "Share schemas with $ref; write out everything else.",
  },
  "unknown-alias": 'There is no anchor "&{name}" before the alias "*{name}".',
  "recursive-alias":
    'The alias "*{name}" is inside its own anchor, so its value would be infinite. Use $ref for recursion.',
  "too-many-aliases": "The aliases in this file expand to more than {limit} values. Share schemas with $ref instead.",
  "yaml-version": 'hasp reads YAML 1.2, but "%YAML {version}" selects another version. Remove the line.',
  "too-deep": "This is nested more than {limit} levels deep, which is the most that hasp reads.",
} as const;

export const loadDiagnostics: DiagnosticFactory<typeof definitions> = defineDiagnostics("load", definitions);

export type ReportProblem = <Name extends keyof typeof definitions>(
  name: Name,
  span: SourceSpan,
  parameters: DiagnosticParameters<(typeof definitions)[Name]>,
) => void;
