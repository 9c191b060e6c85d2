import type { Command } from "commander";
import type { CallStore } from "@hasp/runtime/call-store";
import { callStoreSetting } from "@hasp/project/config";
import type { CallStoreSetting } from "@hasp/compiler";
import { type Damage, callsDiagnostics } from "@hasp/serve/calls";
import type { Diagnostic } from "@hasp/base/diagnostics";
import { withPlan } from "./with-plan.js";
import { type CommandResult, type Invocation, refuse } from "../shell/command.js";

export interface StoreOption {
  /** `"none"` for an unusable word: commander would turn `null` into an empty word. */
  readonly store?: CallStoreSetting | "none";
}

export function declareStoreOption(command: Command): Command {
  return command.option(
    "--store <kind=where>",
    "use this call store, not that of the configuration: files=<folder>, module=<file#export>, or postgres=<variable>, an environment variable with the address",
    // Commander's own refusal would repeat the word, which may be a connection string with its password.
    (word) => callStoreSetting(word) ?? "none",
  );
}

export async function useCallStore(
  invocation: Invocation<StoreOption>,
  use: (store: CallStore, damage: Damage) => Promise<CommandResult>,
): Promise<CommandResult> {
  const { options, folder, terminal } = invocation;
  const { root } = invocation;
  const { withCallStore } = await import("@hasp/serve/calls");
  const { environment } = terminal;
  if (options.store === "none") return outcomeOf({ finding: callsDiagnostics("bad-store") });
  if (options.store !== undefined) {
    return outcomeOf(await withCallStore({ setting: options.store, folder, root, environment }, use));
  }
  return withPlan(invocation, async ({ callStore: setting }) =>
    outcomeOf(
      setting === undefined
        ? { finding: callsDiagnostics("no-store-named") }
        : await withCallStore({ setting, folder: root, root, environment }, use),
    ),
  );
}

function outcomeOf(outcome: CommandResult | { readonly finding: Diagnostic }): CommandResult {
  return "finding" in outcome ? refuse(outcome.finding) : outcome;
}
