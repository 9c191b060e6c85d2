import { didYouMean } from "../../diagnostics/closest.js";
import { defineDiagnostics, type DiagnosticFactory } from "../../diagnostics/define-diagnostics.js";

const definitions = {
  "rule-crashed": {
    severity: "error",
    fixed: true,
    message: (p: { rule: string; reason: string }): string =>
      `The rule "${p.rule}" crashed: ${p.reason}. This is a bug in hasp; the other rules ran.`,
    help: (): string => "Report it with the spec that causes it.",
  },
  "silence-without-reason": {
    severity: "error",
    fixed: true,
    message: (p: { rule: string }): string =>
      `Nothing says why "${p.rule}" is silenced; write "# hasp-ignore ${p.rule} -- reason".`,
  },
  "silence-of-unknown-rule": {
    severity: "error",
    fixed: true,
    message: (p: { rule: string; known: readonly string[] }): string =>
      `There is no rule "${p.rule}".${didYouMean(p.rule, p.known)}`,
  },
  "silence-of-fixed-rule": {
    severity: "error",
    fixed: true,
    message: (p: { rule: string }): string =>
      `"${p.rule}" cannot be silenced: it holds what hasp promises. Remove the comment and mend the cause.`,
  },
  "unused-silence": {
    severity: "error",
    fixed: true,
    message: (p: { rule: string }): string => `"${p.rule}" finds nothing here any more; remove the comment.`,
  },
  "unused-ignore": {
    severity: "error",
    fixed: true,
    message: (p: { rule: string; path: string }): string =>
      `The configuration ignores "${p.rule}" in "${p.path}", where it finds nothing; remove the entry.`,
  },
  "ignore-without-reason": {
    severity: "error",
    fixed: true,
    message: (p: { rule: string; path: string }): string =>
      `The configuration ignores "${p.rule}" in "${p.path}" and does not say why; give the entry a reason.`,
  },
  "ignore-of-fixed-rule": {
    severity: "error",
    fixed: true,
    message: (p: { rule: string; path: string }): string =>
      `The configuration ignores "${p.rule}" in "${p.path}", and that rule cannot be ignored; remove the entry and mend the cause.`,
  },
  "fixed-severity": {
    severity: "error",
    fixed: true,
    message: (p: { rule: string }): string =>
      `The severity of "${p.rule}" cannot be changed: it holds what hasp promises. Remove it from "rules".`,
  },
  "unknown-rule": {
    severity: "error",
    fixed: true,
    message: (p: { rule: string; known: readonly string[] }): string =>
      `The configuration names a rule "${p.rule}", and there is none.${didYouMean(p.rule, p.known)}`,
  },
} as const;

/** What checking may find beside the findings of rules and ledger, which bring their own codes. */
export const checkDiagnostics: DiagnosticFactory<typeof definitions> = defineDiagnostics("check", definitions);
