import type { readProjectPlan } from "@hasp/project/read";
import type { CommandResult, Invocation } from "../shell/command.js";
import { createSession } from "./project.js";

export type ReadPlan = NonNullable<Awaited<ReturnType<typeof readProjectPlan>>["value"]>;

/** Does `work` with the configuration of an invocation, or explains why it cannot be read. */
export async function withPlan<Options extends object>(
  invocation: Invocation<Options>,
  work: (plan: ReadPlan, invocation: Invocation<Options>) => Promise<CommandResult>,
): Promise<CommandResult> {
  const { root, config } = createSession(invocation);
  const { readProjectPlan: read } = await import("@hasp/project/read");
  const { value, diagnostics } = await read(root, config);
  if (value === undefined) return { diagnostics, root, state: "unchecked" };
  return { root, ...(await work(value, invocation)) };
}
