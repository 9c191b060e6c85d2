import type { CompileResult } from "../../../compiler/src/compile.js";
import type { Diagnostic } from "../../../compiler/src/diagnostics/diagnostic.js";
import { isError } from "../../../compiler/src/diagnostics/severity.js";
import { groupBy } from "../../../compiler/src/model/group-by.js";
import { toolsetMembers } from "../../../compiler/src/model/toolset-members.js";
import type { ShownClaim } from "../../../compiler/src/policies/index.js";
import { sumTokens, tokensByTool } from "../../../compiler/src/tokens/prompt-tokens.js";
import type { CatalogueData, Changes, ListSummary, ToolPage, UnknownTool } from "../model.js";
import { findingList } from "./finding.js";
import { policySummary } from "./policy-data.js";
import { linesOf } from "./source-parts.js";
import { toolPage } from "./tool-page.js";
import { type RecordedProject, toolRecords } from "./tool-records.js";
import { toolSummary } from "./tool-summary.js";

interface CatalogueProject extends RecordedProject {
  readonly name: string;
  readonly result: Pick<CompileResult, "tools" | "toolsets" | "policies" | "each">;
  readonly diagnostics: readonly Diagnostic[];
  readonly claims: readonly ShownClaim[];
  readonly changes?: Changes;
}

const MOST_FINDINGS = 2000;

export function catalogueData({
  name,
  plan,
  result,
  diagnostics,
  claims,
  texts,
  changes,
}: CatalogueProject): CatalogueData {
  const { tools, toolsets, policies } = result;
  const claimsOf = groupBy(claims, ({ tool }) => tool.name);
  const findingsOf = groupBy(diagnostics, ({ tool }) => tool);
  const members = toolsetMembers(tools, plan.toolsets);
  const known = new Set(tools.map((tool) => tool.name));
  const costs = tokensByTool(result, plan);
  const shown = toolRecords({ plan, result, texts }).map(([tool, record]) => {
    const own = claimsOf.get(tool.name) ?? [];
    return {
      page: toolPage(tool, record, { claims: own, policies }),
      summary: toolSummary(tool, record, {
        tokens: costs.get(tool)?.prompt ?? 0,
        claims: own,
        findings: findingsOf.get(tool.name)?.length ?? 0,
        toolsets: members.filter((toolset) => toolset.tools.includes(tool)).map((toolset) => toolset.name),
      }),
    };
  });
  return {
    overview: {
      project: name,
      countsTokens: plan.budgets.exact === true,
      tools: shown.map(({ summary }) => summary),
      unknown: unknownTools(diagnostics, known),
      lists: toolsets.flatMap(({ name: toolset, lists }) =>
        lists.map((list): ListSummary => {
          const budget = plan.budgets.toolsetTokens;
          return {
            toolset,
            dialect: list.dialect,
            tools: list.tools.length,
            strict: list.tools.filter(({ strict }) => strict).length,
            losses: list.tools.reduce((sum, { lossCount }) => sum + lossCount, 0),
            tokens: sumTokens(list, costs),
            ...(budget === undefined ? {} : { budget }),
            excluded: list.excluded.map(({ tool, reason }) => ({ tool: tool.name, reason })),
          };
        }),
      ),
      findings: findingList(diagnostics, MOST_FINDINGS),
      policies: policies.map(policySummary),
      ...(changes === undefined ? {} : { changes }),
    },
    tools: shown.map(({ page }) => page),
    files: sharedFiles(
      shown.map(({ page }) => page),
      texts,
    ),
  };
}

/** Collects files that pages refer to beside the tools' own specs. */
function sharedFiles(pages: readonly ToolPage[], texts: ReadonlyMap<string, string>): CatalogueData["files"] {
  const uris = new Set(pages.flatMap(({ sources }) => sources.slice(1).map(({ uri }) => uri)));
  return Object.fromEntries([...uris].toSorted().map((uri) => [uri, linesOf(texts.get(uri) ?? "")]));
}

/** Lists tools that findings name and that did not compile. */
function unknownTools(diagnostics: readonly Diagnostic[], known: ReadonlySet<string>): readonly UnknownTool[] {
  const errors = groupBy(diagnostics.filter(isError), ({ tool }) => tool);
  return [...errors]
    .flatMap(([name, found]) => (name === undefined || known.has(name) ? [] : [{ name, errors: found.length }]))
    .toSorted((left, right) => (left.name < right.name ? -1 : 1));
}
