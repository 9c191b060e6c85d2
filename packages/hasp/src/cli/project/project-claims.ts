import type { ClaimState } from "../../ledger/index.js";
import type { CompiledProject } from "./project.js";

/** Lists every claim of a project with the state of its approval. */
export async function projectClaims({
  result,
  sources,
  plan,
}: Pick<CompiledProject, "result" | "sources" | "plan">): Promise<readonly ClaimState[]> {
  const [{ claimStates }, { parseSource }] = await Promise.all([
    import("../../ledger/index.js"),
    import("../../phases/1-load/index.js"),
  ]);
  const ledgers = sources.filter(({ role }) => role === "ledger").flatMap((source) => parseSource(source).value ?? []);
  return claimStates(result.tools, ledgers, plan);
}
