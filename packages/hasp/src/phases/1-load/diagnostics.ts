import type { DiagnosticParameters } from "@hasp/schema/diagnostics";
import { defineDiagnostics, type DiagnosticFactory } from "../../diagnostics/define-diagnostics.js";
import type { Place } from "./place-map.js";

const definitions = {
  "yaml-syntax": {
    severity: "error",
    message: "This is not valid YAML: {reason}.",
  },
  "json-syntax": {
    severity: "error",
    message: "This is not valid JSON: {reason}.",
  },
  "unreadable-file": {
    severity: "error",
    message: '"{uri}" cannot be read: {reason}.',
  },
  "file-too-large": {
    severity: "error",
    message: "This file has {megabytes} MB; hasp reads files up to {limit} MB. Split it.",
  },
  "duplicate-key": {
    severity: "error",
    message: 'The key "{key}" stands here a second time; keep one of the two.',
  },
  "key-not-string": {
    severity: "error",
    message: {
      quotable: "A key must be a string, and this one is {what}. Write it in quotes: {quoted}.",
      other: "A key must be a string, and this one is {what}.",
    },
  },
  "unsafe-key": {
    severity: "error",
    message:
      '"{key}" cannot be a key: a program that copies this object would change the object\'s prototype. Rename it.',
  },
  "number-not-exact": {
    severity: "error",
    message: "The number {text} would be read as {read}: programs that read JSON cannot hold it exactly.",
    help: "Write a number of at most 15 digits, or a string in quotes.",
  },
  "number-not-json": {
    severity: "error",
    message: 'JSON has no number "{text}"; write it as JSON would, or in quotes if it is a text.',
  },
  tag: {
    severity: "error",
    message:
      'The YAML tag "{tag}" has no meaning in JSON. Remove it, and put the value in quotes if it is to be a string.',
  },
  "merge-key": {
    severity: "error",
    message: '"<<" is not part of YAML 1.2, and hasp does not merge: every tool states its own values.',
    help: "Share schemas with $ref; write out everything else.",
  },
  "unknown-alias": {
    severity: "error",
    message: 'No anchor "&{name}" stands before the alias "*{name}".',
  },
  "recursive-alias": {
    severity: "error",
    message: 'The alias "*{name}" stands inside its own anchor, so its value would never end. Use $ref for recursion.',
  },
  "too-many-aliases": {
    severity: "error",
    message: "Written out, the aliases of this file give more than {limit} values. Share schemas with $ref instead.",
  },
  "yaml-version": {
    severity: "error",
    message: 'hasp reads YAML 1.2, and "%YAML {version}" asks for another meaning. Remove the line.',
  },
  "too-deep": {
    severity: "error",
    message: "This is nested more than {limit} levels deep; hasp reads no deeper.",
  },
} as const;

/** What reading files may find. */
export const loadDiagnostics: DiagnosticFactory<typeof definitions> = defineDiagnostics("load", definitions);

/** How a parser tells what is wrong: parsers know offsets, not files. */
export type ReportProblem = <Name extends keyof typeof definitions>(
  name: Name,
  place: Place,
  parameters: DiagnosticParameters<(typeof definitions)[Name]>,
) => void;
