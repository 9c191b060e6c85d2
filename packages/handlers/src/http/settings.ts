import type { Redactor, SecretPatterns } from "@hasp/runtime";
import type { HttpAuth } from "./auth.js";
import type { Transport } from "./network/transport.js";

/** A connection's options, checked and complete. */
export interface ConnectionSettings<Context> {
  readonly origin: URL;
  /** The path of the base URL, without a slash at its end. */
  readonly prefix: string;
  readonly auth: HttpAuth<Context> | undefined;
  readonly allowedHosts: readonly string[];
  readonly timeoutSeconds: number;
  readonly maxBytes: number;
  readonly transport: Transport;
  readonly patterns: SecretPatterns;
  /** Whether secrets may be absent. */
  readonly isLenient: boolean;
}

/** What must be known about a call when it fails, however far it got. */
export interface CallProgress {
  /** Takes each secret that is read. */
  readonly secrets: Redactor;
  /** A request was answered as one that took effect; what follows only fetches the answer. */
  mayHaveLanded: boolean;
}

/** Whether a URL is for one of the two protocols. */
export function isHttp(url: URL): boolean {
  return url.protocol === "http:" || url.protocol === "https:";
}
