import { defineDiagnostics, type DiagnosticFactory } from "@hasp/base/diagnostics";

const definitions = {
  "rule-crashed": {
    fixed: true,
    message: 'The rule "{rule}" crashed: {reason}. This is a bug in hasp. The other rules ran.',
    help: "Report it with the spec that causes it.",
  },
  "silence-without-reason": {
    fixed: true,
    message: 'The comment does not say why "{rule}" is suppressed. Write "# hasp-ignore {rule} -- reason".',
  },
  "silence-of-unknown-rule": {
    fixed: true,
    message: {
      rule: 'There is no rule "{rule}".{nearest:suggestion}',
      finding:
        '"{rule}" cannot be suppressed: it is not a style rule but decides what is built. Remove the comment and do what the finding says, or see "hasp show {rule}".',
    },
  },
  "silence-of-fixed-rule": {
    fixed: true,
    message:
      '"{rule}" cannot be suppressed, because a guarantee of hasp depends on it. Remove the comment and fix the cause.',
  },
  "unused-silence": { fixed: true, needsAllSpecs: true, message: '"{rule}" reports nothing here. Remove the comment.' },
  "unused-ignore": {
    fixed: true,
    needsAllSpecs: true,
    message: 'The configuration ignores "{rule}" in "{path}", where it reports nothing. Remove the entry.',
  },
  "ignore-without-reason": {
    fixed: true,
    message: 'The configuration ignores "{rule}" in "{path}" without a reason. Add one to the entry.',
  },
  "ignore-of-fixed-rule": {
    fixed: true,
    message:
      'The configuration ignores "{rule}" in "{path}", but a guarantee of hasp depends on that rule. Remove the entry and fix the cause.',
  },
  "fixed-severity": {
    fixed: true,
    message:
      'The severity of "{rule}" cannot be changed, because a guarantee of hasp depends on it. Remove it from "rules".',
  },
  "rows-not-proved": {
    severity: "warning",
    message:
      "Row {row} of the table and those after it may never decide: a proof would take more than a million tries.",
    help: "Divide the tool, or join rows: input.key in ['a', 'b'].",
  },
  "long-instructions": {
    severity: "warning",
    message:
      "`serve.instructions` has {length} characters. Clients add it to every prompt, and some read only the first {most}.",
    help: "Keep what concerns several tools; move the rest to their descriptions.",
  },
  "unknown-rule": { fixed: true, message: 'The configuration names an unknown rule "{rule}".{nearest:suggestion}' },
} as const;

export const checkDiagnostics: DiagnosticFactory<typeof definitions> = defineDiagnostics("check", definitions);
