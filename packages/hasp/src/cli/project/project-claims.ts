import type { ShownClaim } from "../../../../compiler/src/policies/index.js";
import type { CompiledProject } from "./project.js";

/** Lists everything that loosens each tool, with the state of its approval. */
export async function projectClaims({
  result,
  sources,
  plan,
}: Pick<CompiledProject, "result" | "sources" | "plan">): Promise<readonly ShownClaim[]> {
  const [{ readApprovals }, { shownClaims }, { parseSource }] = await Promise.all([
    import("../../../../compiler/src/ledger/index.js"),
    import("../../../../compiler/src/policies/index.js"),
    import("../../../../compiler/src/phases/1-load/index.js"),
  ]);
  const ledgers = sources.filter(({ role }) => role === "ledger").flatMap((source) => parseSource(source).value ?? []);
  return shownClaims(result, readApprovals(ledgers, result.tools, plan));
}
