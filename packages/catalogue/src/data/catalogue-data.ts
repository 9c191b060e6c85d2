import { posix } from "node:path";
import type { CompileResult, FlatTool } from "@hasp/compiler";
import { type Diagnostic, isError } from "@hasp/base/diagnostics";
import { findExampleInput, hasPath, type ShownClaim, findToolsetFlows } from "@hasp/compiler/claims";
import { sortBy, dropUndefined, groupBy, sumBy, toRecord } from "@hasp/base/json";
import { listToolsetMembers, type PolicyModel } from "@hasp/compiler/model";
import { sumTokens, countTokensByTool } from "@hasp/compiler/tokens";
import type {
  Asking,
  CatalogueData,
  Changes,
  ClaimRow,
  ListSummary,
  ToolEffect,
  ToolPage,
  ToolRecord,
  ToolSummary,
  UnknownTool,
} from "../model.js";
import { createPlace, listFindings } from "./finding.js";
import { summarizeFlow, findPolicyMatches, summarizePolicy } from "./policy-data.js";
import { splitLines } from "./dialect-entries.js";
import { type RecordedProject, createToolRecords } from "./tool-record.js";
import { cut, shortenValue } from "./cut.js";

export interface CatalogueProject extends RecordedProject {
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
  const members = listToolsetMembers(tools, plan.toolsets);
  const known = new Set(tools.map((tool) => tool.name));
  const costs = countTokensByTool(result, plan);
  const shown = createToolRecords({ plan, result, texts }).map(([tool, record]) => {
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
            losses: sumBy(list.tools, ({ lossCount }) => lossCount),
            tokens: sumTokens(list, costs),
            ...dropUndefined({ budget }),
            excluded: list.excluded.map(({ tool, reason }) => ({ tool: tool.name, reason })),
          };
        }),
      ),
      findings: listFindings(diagnostics, MOST_FINDINGS),
      policies: policies.map(summarizePolicy),
      flows: findToolsetFlows(tools, plan, policies).filter(hasPath).map(summarizeFlow),
      ...dropUndefined({ changes }),
    },
    tools: shown.map(({ page }) => page),
    files: sharedFiles(
      shown.map(({ page }) => page),
      texts,
    ),
  };
}

function sharedFiles(pages: readonly ToolPage[], texts: ReadonlyMap<string, string>): CatalogueData["files"] {
  const uris = new Set(pages.flatMap(({ sources }) => sources.slice(1).map(({ uri }) => uri)));
  return toRecord([...uris].toSorted(), (uri) => splitLines(texts.get(uri) ?? ""));
}

/** Lists the tools that findings name but that did not compile. */
function unknownTools(diagnostics: readonly Diagnostic[], known: ReadonlySet<string>): readonly UnknownTool[] {
  const errors = groupBy(diagnostics.filter(isError), ({ tool }) => tool);
  return sortBy(
    [...errors].flatMap(([name, found]) =>
      name === undefined || known.has(name) ? [] : [{ name, errors: found.length }],
    ),
    ({ name }) => name,
  );
}

interface PageContext {
  readonly claims: readonly ShownClaim[];
  readonly policies: readonly PolicyModel[];
}

function toolPage(tool: FlatTool, record: ToolRecord, { claims, policies }: PageContext): ToolPage {
  return {
    ...record,
    claims: claims.map((claim) => claimRow(tool, claim)),
    policies: findPolicyMatches(tool, policies),
  };
}

function claimRow(tool: FlatTool, { claim, location, relaxation, state, entry }: ShownClaim): ClaimRow {
  const example = relaxation?.covers.kind === "rule" ? shortenValue(findExampleInput(tool, relaxation)) : undefined;
  const { reason, by, on, expires } = entry ?? {};
  return {
    claim,
    place: createPlace(location),
    state,
    ...dropUndefined({ reason, by, on, expires, example }),
  };
}

interface SummaryContext {
  readonly tokens: number;
  readonly claims: readonly ShownClaim[];
  readonly findings: number;
  readonly toolsets: readonly string[];
}

const LONGEST_SENTENCE = 200;

/** Summarizes a tool for lists, with the strictest answers that any call may get. */
function toolSummary(
  tool: FlatTool,
  record: ToolRecord,
  { tokens, claims, findings, toolsets }: SummaryContext,
): ToolSummary {
  const { spec, metadata, worstCase } = tool;
  return dropUndefined({
    name: tool.name,
    title: spec.title === undefined ? undefined : cut(spec.title, LONGEST_SENTENCE),
    about: cut(firstSentence(spec.description), LONGEST_SENTENCE),
    owner: spec.owner,
    folder: posix.dirname(tool.document.uri),
    tags: spec.tags ?? [],
    aliases: spec.aliases ?? [],
    toolsets,
    effect: effectOf(tool),
    asking: askingOf(tool, record, claims),
    class: worstCase.class,
    isOpenWorld: worstCase.isOpenWorld,
    needsUser: metadata.behavior.requiresUserInteraction,
    isDeferred: metadata.visibility.load === "deferred",
    featureGate: spec.visibility?.featureGate,
    tokens,
    claims: claims.length,
    waiting: claims.filter(({ state }) => state !== "approved").length,
    findings,
  });
}

function effectOf({ worstCase }: FlatTool): ToolEffect {
  if (worstCase.isReadOnly) return "reads";
  return worstCase.isDestructive ? "destroys" : "writes";
}

/** Decides from the record, because the tool's own conditions would need flattening. */
function askingOf(
  { worstCase }: FlatTool,
  { runnable: { rules, flags } }: ToolRecord,
  claims: readonly ShownClaim[],
): Asking {
  if (!worstCase.requiresPermission) return "never";
  const isMilder =
    claims.some(({ grant }) => grant !== undefined) ||
    rules.some(({ requiresPermission }) => requiresPermission === false) ||
    flags.some(({ flag }) => flag === "requiresPermission");
  return isMilder ? "sometimes" : "always";
}

function firstSentence(description: string): string {
  const [sentence = ""] = description
    .trim()
    .slice(0, 1000)
    .split(/(?<=[.!?])\s/u, 1);
  return sentence;
}
