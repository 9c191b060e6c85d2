import type { CommandModule } from "./command.js";

/** A command that does nothing itself: each of its jobs has a word of its own. */
export interface CommandGroup {
  readonly verbs: { readonly [name: string]: Verb };
}

export interface Verb extends CommandModule {
  readonly summary: string;
  /** Runs where no verb is named. */
  readonly isDefault?: true;
}
