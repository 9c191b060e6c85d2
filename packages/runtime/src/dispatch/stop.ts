/** Why calls are stopped: by the session's signal, by the user, by a sibling that failed, or with the handler they belong to. */
export interface StopCause {
  readonly code:
    "aborted" | "interrupted" | "sibling-failed" | "handler-settled" | "nested-too-deep" | "dispatched-around";
  readonly message: string;
}

/** How long a call may take to stop once it was told to, in milliseconds. */
export const GRACE_MS = 1000;
