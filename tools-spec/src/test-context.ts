import type { AgentContext } from "./context.js";
import { openWorkspace } from "./services/workspace.js";

/** What `hasp test` gives the handlers' own checks: the folder of this toolset as the workspace. */
export async function testContext(): Promise<Pick<AgentContext, "workspace">> {
  return { workspace: await openWorkspace(".") };
}
