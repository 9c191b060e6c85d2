import { type Approvals, readApprovals } from "../../../compiler/src/ledger/index.js";
import { loadSource } from "../../../compiler/src/phases/1-load/index.js";
import type { LanguageProject } from "./language-project.js";

export function projectApprovals(
  { sources, cache }: Pick<LanguageProject, "sources" | "cache">,
  { plan, result }: NonNullable<LanguageProject["compiled"]>,
): Approvals {
  const ledgers = sources
    .filter(({ role }) => role === "ledger")
    .flatMap((source) => loadSource(source, cache).value ?? []);
  return readApprovals(ledgers, result.tools, plan);
}
