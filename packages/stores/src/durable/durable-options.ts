import type { CallStore, Question } from "@hasp/runtime/call-store";

/** Settings of `durableCalls`; only `store` is required. */
export interface DurableOptions {
  /** Keeps the turns of `run`, and the labels of conversations. */
  readonly store: CallStore;
  /** The principal of turns that name none: the turns and their questions are bound to it. */
  readonly principal?: string | undefined;
  /**
   * Decides if somebody may answer a question. Only `true` accepts; a throw, a timeout and any other answer do not.
   * Default: a question with a principal accepts only that principal's answer.
   */
  readonly mayAnswer?: ((question: Question, by: string | undefined) => boolean | Promise<boolean>) | undefined;
  /**
   * Lets `answer` allow a question that does not show the whole input. Default `false`: a destructive call whose
   * question hides part of the input (`x-secret`, `writeOnly`, `format: password`) can only be refused, and so can one
   * with an input longer than 50 000 characters or deeper than 64 levels, which hasp's own pages and forms never show.
   */
  readonly allowUnseenInput?: boolean | undefined;
  /** Seconds for which a question accepts an answer. Default 604 800, seven days. */
  readonly questionTtlSeconds?: number | undefined;
  /** Seconds for which a call waits for somebody else to execute it; then it has timed out. Default 604 800. */
  readonly externalTtlSeconds?: number | undefined;
  /**
   * A secret text that all processes share and the store does not hold. The store keeps a digest of a turn's calls after
   * their inputs are gone: without a key, anybody who reads the store can guess a short secret input by trial.
   */
  readonly digestKey?: string | undefined;
  /**
   * Seconds after which a process that renews no lease counts as dead. Default 15; clocks must agree well within it.
   */
  readonly leaseSeconds?: number | undefined;
}
