import type { CallStore } from "@hasp/runtime/call-store";
import { type Damage, callsDiagnostics, withCallStore } from "@hasp/serve/calls";
import type { Diagnostic } from "@hasp/base/diagnostics";
import type { StoreOption } from "../project/store-option.js";
import { withPlan } from "../project/with-plan.js";
import { type CommandResult, type Invocation, refuse } from "../shell/command.js";

export async function useCallStore(
  invocation: Invocation<StoreOption>,
  use: (store: CallStore, damage: Damage) => Promise<CommandResult>,
): Promise<CommandResult> {
  const { options, folder, root } = invocation;
  const { environment } = invocation.terminal;
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
