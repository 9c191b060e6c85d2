import { defineDiagnostics, type DiagnosticFactory } from "../../diagnostics/define-diagnostics.js";

const definitions = {
  "rule-crashed": {
    severity: "error",
    fixed: true,
    message: 'The rule "{rule}" crashed: {reason}. This is a bug in hasp; the other rules ran.',
    help: "Report it with the spec that causes it.",
  },
  "silence-without-reason": {
    severity: "error",
    fixed: true,
    message: 'Nothing says why "{rule}" is silenced; write "# hasp-ignore {rule} -- reason".',
  },
  "silence-of-unknown-rule": {
    severity: "error",
    fixed: true,
    message: 'There is no rule "{rule}".{nearest:suggestion}',
  },
  "silence-of-fixed-rule": {
    severity: "error",
    fixed: true,
    message: '"{rule}" cannot be silenced: it holds what hasp promises. Remove the comment and mend the cause.',
  },
  "unused-silence": {
    severity: "error",
    fixed: true,
    message: '"{rule}" finds nothing here any more; remove the comment.',
  },
  "unused-ignore": {
    severity: "error",
    fixed: true,
    message: 'The configuration ignores "{rule}" in "{path}", where it finds nothing; remove the entry.',
  },
  "ignore-without-reason": {
    severity: "error",
    fixed: true,
    message: 'The configuration ignores "{rule}" in "{path}" and does not say why; give the entry a reason.',
  },
  "ignore-of-fixed-rule": {
    severity: "error",
    fixed: true,
    message:
      'The configuration ignores "{rule}" in "{path}", and that rule cannot be ignored; remove the entry and mend the cause.',
  },
  "fixed-severity": {
    severity: "error",
    fixed: true,
    message: 'The severity of "{rule}" cannot be changed: it holds what hasp promises. Remove it from "rules".',
  },
  "unknown-rule": {
    severity: "error",
    fixed: true,
    message: 'The configuration names a rule "{rule}", and there is none.{nearest:suggestion}',
  },
} as const;

/** What checking may find beside the findings of rules and ledger, which bring their own codes. */
export const checkDiagnostics: DiagnosticFactory<typeof definitions> = defineDiagnostics("check", definitions);
