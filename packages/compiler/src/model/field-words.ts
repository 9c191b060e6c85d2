import type { FieldPath } from "@hasp/runtime/contract";

export interface FieldWords {
  readonly description: string;
  /** The description of the field in a row of the rules; present if its value may vary from call to call. */
  readonly perCall?: string;
  /** Explanations of values that are not self-explanatory. */
  readonly meanings?: { readonly [value: string]: string };
  /** The rules that check a value which is a choice rather than a relaxation. */
  readonly lintedBy?: readonly string[];
}

export const FIELD_WORDS: { readonly [Path in FieldPath | "outputCheck"]: FieldWords } = {
  "concurrency.class": {
    description: "The class of a call that no rule matches, and of a call whose rules fail with an error.",
    perCall: "The class of a call that matches.",
    meanings: {
      UNSAFE: "alone, effects unbounded",
      WRITE_EXCLUSIVE: "alone, effects bounded",
      READ_ONLY: "changes nothing; runs in parallel with other READ_ONLY calls",
    },
  },
  "behavior.isReadOnly": {
    description: "Whether the tool changes nothing.",
    perCall: "Whether a call that matches changes nothing.",
  },
  "behavior.isDestructive": {
    description: "Whether the tool may destroy or overwrite something.",
    perCall: "Whether a call that matches may destroy or overwrite something.",
  },
  "behavior.isIdempotent": {
    description: "Whether the same call may safely be repeated.",
    perCall: "Whether a call that matches may safely be repeated.",
    meanings: { withKey: "safe to repeat as long as the idempotency key is the same" },
  },
  "behavior.isOpenWorld": {
    description: "Whether the tool interacts with anything outside your own system.",
    perCall: "Whether a call that matches interacts with anything outside your own system.",
  },
  "behavior.returnsUntrusted": {
    description: "Whether somebody outside your organisation may have written what the tool returns.",
    perCall: "Whether somebody outside your organisation may have written what a call that matches returns.",
  },
  "behavior.returnsPrivate": {
    description: "Whether the tool may return what not everybody may read.",
    perCall: "Whether a call that matches may return what not everybody may read.",
  },
  "behavior.requiresPermission": {
    description: "Whether somebody must allow each call.",
    perCall: "Whether somebody must allow a call that matches.",
  },
  "behavior.requiresUserInteraction": {
    description: "Whether the tool needs a user at the screen. If true, it is not listed without one.",
  },
  "behavior.interruptBehavior": {
    description: "What happens to a running call when the user interrupts.",
    meanings: { block: "the call finishes", cancel: "the call is stopped" },
    lintedBy: ["safety/undecided-interrupt"],
  },
  "behavior.abortsSiblingsOnError": {
    description: "Whether a failure of this tool stops the other calls of its batch.",
  },
  "visibility.load": {
    description: "When models read about the tool.",
    meanings: {
      normal: "in every request, unless the list grows too long",
      deferred: "after `tool_search` has found it",
      always: "in every request, which costs tokens in every turn",
    },
    lintedBy: ["size/deferred-without-hint", "size/always-loaded"],
  },
  "limits.maxResultSizeChars": {
    description: "Characters of one result that the model may see.",
  },
  "limits.timeoutSeconds": {
    description: "Seconds that one attempt may take; may be fractional.",
  },
  "limits.maxRetries": {
    description:
      "How many times a failed call is retried, if the failure is marked as retryable and the call is read-only or idempotent.",
  },
  outputCheck: {
    description: "What happens to an output that does not fit `output`.",
    meanings: {
      enforce: "the call fails",
      report: "the output is passed on, and the dispatcher emits a `problem` event with the code `output-mismatch`",
      off: "the output is passed on unchecked",
    },
  },
};
