import type { Redactor, SecretPatterns } from "@hasp/runtime";
import type { HttpAuth } from "./auth.js";
import type { Transport } from "./network/transport.js";

/** The checked and completed options of a connection. */
export interface HttpSettings<Context> {
  readonly origin: URL;
  /** The path of the base URL, without a trailing slash. */
  readonly prefix: string;
  readonly auth: HttpAuth<Context> | undefined;
  readonly allowedHosts: readonly string[];
  readonly timeoutSeconds: number;
  readonly maxBytes: number;
  readonly transport: Transport;
  readonly patterns: SecretPatterns;
  /** True if secrets may be absent. */
  readonly isLenient: boolean;
}

/** The state of a call that its errors need. */
export interface HttpCallState {
  readonly secrets: Redactor;
  /** A request was answered as done; any further request only fetches the answer. */
  mayHaveLanded: boolean;
}

export function isHttp(url: URL): boolean {
  return url.protocol === "http:" || url.protocol === "https:";
}
