import type { ToolMetadata } from "./metadata.js";

/**
 * The single table of fail-closed defaults: what a spec does not say is true of its tool. The compiler, the generated
 * files and the runtime read this one object, and each is proved against it.
 */
export const FAIL_CLOSED_DEFAULTS: ToolMetadata = Object.freeze({
  concurrency: Object.freeze({ class: "UNSAFE" }),
  behavior: Object.freeze({
    isReadOnly: false,
    isDestructive: true,
    isIdempotent: false,
    isOpenWorld: true,
    requiresPermission: true,
    requiresUserInteraction: false,
    interruptBehavior: "block",
    abortsSiblingsOnError: false,
  }),
  visibility: Object.freeze({ shouldDefer: false, alwaysLoad: false }),
  limits: Object.freeze({ maxResultSizeChars: 100_000, timeoutSeconds: 60, maxRetries: 0 }),
} satisfies ToolMetadata);

/** What the class `READ_ONLY` says of a call: one claim, three flags. */
export const READ_ONLY_ENTAILS: {
  readonly isReadOnly: true;
  readonly isDestructive: false;
  readonly isIdempotent: true;
} = /* @__PURE__ */ Object.freeze({ isReadOnly: true, isDestructive: false, isIdempotent: true });
