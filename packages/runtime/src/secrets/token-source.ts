/** Gives access tokens, and renews them. */
export interface TokenSource {
  /** A token that is valid now. Rejects with `NotExecuted` if there is none, with a message that says what to do. */
  token(signal: AbortSignal): Promise<string>;
  /** Says that the service has refused a token: the next one must be another. */
  refused(token: string): void;
  /** Further secrets that it has read or received, such as the client's: no result may hold one. */
  readonly secrets?: readonly string[];
}
