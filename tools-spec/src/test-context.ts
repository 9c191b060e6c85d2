import type { AgentContext } from "./context.js";
import { openNetwork } from "./services/network.js";
import { openWorkspace } from "./services/workspace.js";

/** Creates the context that `hasp test` passes to the handlers' checks. The workspace is the folder of this toolset. */
export async function testContext(): Promise<Pick<AgentContext, "workspace" | "network">> {
  return { workspace: await openWorkspace("."), network: openNetwork() };
}
