/** How a call shares the world with others: alone and unbounded, alone, or together with other readers. */
export type ConcurrencyClass = "UNSAFE" | "WRITE_EXCLUSIVE" | "READ_ONLY";

/** What may happen to a running call when the user interrupts. */
export type InterruptBehavior = "cancel" | "block";

/** `withKey`: safe to repeat as long as the idempotency key is the same. */
export type Idempotence = boolean | "withKey";

/** A limit that a spec may lift on purpose. */
export type Limit = number | "unlimited";

/**
 * Every behavioural fact about a tool, none left open. What a spec omits has its value from {@link
 * FAIL_CLOSED_DEFAULTS}.
 */
export interface ToolMetadata {
  readonly concurrency: { readonly class: ConcurrencyClass };
  readonly behavior: {
    readonly isReadOnly: boolean;
    readonly isDestructive: boolean;
    readonly isIdempotent: Idempotence;
    readonly isOpenWorld: boolean;
    readonly requiresPermission: boolean;
    readonly requiresUserInteraction: boolean;
    readonly interruptBehavior: InterruptBehavior;
    readonly abortsSiblingsOnError: boolean;
  };
  readonly visibility: { readonly shouldDefer: boolean; readonly alwaysLoad: boolean };
  readonly limits: {
    /** Characters of one result that the model may see. */
    readonly maxResultSizeChars: Limit;
    /** Per attempt; fractions are allowed. */
    readonly timeoutSeconds: Limit;
    readonly maxRetries: number;
  };
}
