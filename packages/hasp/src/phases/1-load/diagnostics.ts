import { defineDiagnostics, type DiagnosticFactory } from "../../diagnostics/define-diagnostics.js";
import type { Place } from "./place-map.js";

const definitions = {
  "yaml-syntax": {
    severity: "error",
    message: (p: { reason: string }): string => `This is not valid YAML: ${p.reason}.`,
  },
  "json-syntax": {
    severity: "error",
    message: (p: { reason: string }): string => `This is not valid JSON: ${p.reason}.`,
  },
  "unreadable-file": {
    severity: "error",
    message: (p: { uri: string; reason: string }): string => `"${p.uri}" cannot be read: ${p.reason}.`,
  },
  "file-too-large": {
    severity: "error",
    message: (p: { megabytes: number; limit: number }): string =>
      `This file has ${p.megabytes} MB; hasp reads files up to ${p.limit} MB. Split it.`,
  },
  "duplicate-key": {
    severity: "error",
    message: (p: { key: string }): string => `The key "${p.key}" stands here a second time; keep one of the two.`,
  },
  "key-not-string": {
    severity: "error",
    message: (p: { what: string; quoted: string | undefined }): string =>
      `A key must be a string, and this one is ${p.what}.` +
      (p.quoted === undefined ? "" : ` Write it in quotes: ${p.quoted}.`),
  },
  "unsafe-key": {
    severity: "error",
    message: (p: { key: string }): string =>
      `"${p.key}" cannot be a key: a program that copies this object would change the object's prototype. Rename it.`,
  },
  "number-not-exact": {
    severity: "error",
    message: (p: { text: string; read: string }): string =>
      `The number ${p.text} would be read as ${p.read}: programs that read JSON cannot hold it exactly.`,
    help: (): string => `Write a number of at most 15 digits, or a string in quotes.`,
  },
  "number-not-json": {
    severity: "error",
    message: (p: { text: string }): string =>
      `JSON has no number "${p.text}"; write it as JSON would, or in quotes if it is a text.`,
  },
  tag: {
    severity: "error",
    message: (p: { tag: string }): string =>
      `The YAML tag "${p.tag}" has no meaning in JSON. Remove it, and put the value in quotes if it is to be a string.`,
  },
  "merge-key": {
    severity: "error",
    message: (): string => `"<<" is not part of YAML 1.2, and hasp does not merge: every tool states its own values.`,
    help: (): string => `Share schemas with $ref; write out everything else.`,
  },
  "unknown-alias": {
    severity: "error",
    message: (p: { name: string }): string => `No anchor "&${p.name}" stands before the alias "*${p.name}".`,
  },
  "recursive-alias": {
    severity: "error",
    message: (p: { name: string }): string =>
      `The alias "*${p.name}" stands inside its own anchor, so its value would never end. Use $ref for recursion.`,
  },
  "too-many-aliases": {
    severity: "error",
    message: (p: { limit: number }): string =>
      `Written out, the aliases of this file give more than ${p.limit} values. Share schemas with $ref instead.`,
  },
  "yaml-version": {
    severity: "error",
    message: (p: { version: string }): string =>
      `hasp reads YAML 1.2, and "%YAML ${p.version}" asks for another meaning. Remove the line.`,
  },
  "too-deep": {
    severity: "error",
    message: (p: { limit: number }): string => `This is nested more than ${p.limit} levels deep; hasp reads no deeper.`,
  },
} as const;

/** What reading files may find. */
export const loadDiagnostics: DiagnosticFactory<typeof definitions> = defineDiagnostics("load", definitions);

/** How a parser tells what is wrong: parsers know offsets, not files. */
export type ReportProblem = <Name extends keyof typeof definitions>(
  name: Name,
  place: Place,
  parameters: Parameters<(typeof definitions)[Name]["message"]>[0],
) => void;
