import type { AgentContext } from "./context.js";
import { openWorkspace } from "./services/workspace.js";

/** The context that `hasp test` passes to the handlers' checks: the workspace is the folder of this toolset. */
export async function testContext(): Promise<Pick<AgentContext, "workspace">> {
  return { workspace: await openWorkspace(".") };
}
