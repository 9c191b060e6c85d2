/**
 * Why calls are stopped: by the session's signal, by the user, by a sibling that failed, or with the handler they
 * belong to.
 */
export interface StopCause {
  readonly code:
    "aborted" | "interrupted" | "sibling-failed" | "handler-settled" | "nested-too-deep" | "dispatched-around";
  readonly message: string;
}

/** How long a call may take to stop once it was told to, in milliseconds. */
export const GRACE_MS = 1000;

/** The longest wait that a timer of the platform can hold, 24 days; a longer one would fire at once. */
export const LONGEST_TIMER: number = 2 ** 31 - 1;
