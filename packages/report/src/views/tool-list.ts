import { FIELD_ENTRIES } from "@hasp/runtime/contract";
import { dropUndefined, type JsonObject, readOwnMember, sumBy } from "@hasp/base/json";
import type { FlatTool } from "@hasp/compiler";
import type { ShownClaim } from "@hasp/compiler/claims";
import { displayWidth } from "../reporters/display-width.js";
import { printVisibleText, pluralize } from "@hasp/base/diagnostics";
import { printTable, type SummaryView, wrapWords } from "./table.js";

export interface ToolListRow {
  readonly tool: FlatTool;
  readonly toolsets: readonly string[];
  readonly claims: readonly ShownClaim[];
  readonly tokens: number;
  readonly entry?: { readonly wireName: string; readonly strict: boolean };
}

type ToolApproval = "none" | "approved" | "waiting";

export function summarizeApproval(claims: readonly ShownClaim[]): ToolApproval {
  if (claims.length === 0) return "none";
  return claims.every(({ state }) => state === "approved") ? "approved" : "waiting";
}

const LISTED_FIELDS = FIELD_ENTRIES.filter(({ group }) => group === "behavior" || group === "visibility");

export const LISTED_FLAGS: readonly string[] = LISTED_FIELDS.map(({ name }) => name);

/** Returns the flags of a tool by name; varying ones have their worst value. */
export function readFlags({ metadata, worstCase }: FlatTool): Readonly<Record<string, boolean | string>> {
  const values = { ...metadata.behavior, ...metadata.visibility, ...worstCase };
  return Object.fromEntries(LISTED_FLAGS.map((name) => [name, readOwnMember(values, name) as boolean | string]));
}

/** The fewest columns for flags; with less, each tool has lines of its own. */
const LEAST_FLAG_COLUMNS = 18;

export function printToolList(tools: readonly ToolListRow[], { paint, columns }: SummaryView): string {
  const titles = ["tool", "class", "tokens", "approval", "flags"];
  const cells = tools.map((listed) => [
    printVisibleText(listed.tool.name) + (listed.entry?.strict === true ? " (strict)" : ""),
    listed.tool.worstCase.class,
    String(listed.tokens),
    approvalText(listed.claims),
  ]);
  const flags = tools.map(flagWords);
  const used = titles
    .slice(0, -1)
    .map((title, index) => Math.max(displayWidth(title), ...cells.map((row) => displayWidth(row[index] ?? ""))) + 2);
  const left = columns - sumBy(used, (width) => width);
  if (left < LEAST_FLAG_COLUMNS) {
    const blocks = cells.map(([name = "", ...facts], index) => {
      const about = wrapWords(joined([facts[0] ?? "", `${facts[1]} tokens`, facts[2] ?? ""]), columns - 2);
      return [
        paint("heading", name),
        ...[...about, ...wrapWords(flags[index] ?? [], columns - 2)].map((line) => `  ${line}`),
      ];
    });
    return `${blocks.flat().join("\n")}\n`;
  }
  const rows = cells.flatMap((row, index) => {
    const [first = "", ...rest] = wrapWords(flags[index] ?? [], left);
    return [[...row, first], ...rest.map((line) => ["", "", "", "", line])];
  });
  return `${printTable(titles, rows, { paint }).join("\n")}\n`;
}

export function printToolListTotals(tools: readonly ToolListRow[]): string {
  const open = tools.flatMap(({ claims }) => claims).filter(({ state }) => state !== "approved");
  // A policy's claim may reach many tools.
  const waiting = new Set(open.map((claim) => claim.grant ?? claim)).size;
  const tokens = sumBy(
    tools.filter(({ tool }) => tool.metadata.visibility.load !== "deferred"),
    (listed) => listed.tokens,
  );
  const verdict =
    waiting === 0 ? "no claim waits" : `${pluralize(waiting, "claim")} ${waiting === 1 ? "waits" : "wait"}`;
  return `${pluralize(tools.length, "tool")}, about ${tokens} tokens in every request; ${verdict} for an approval.\n`;
}

export function createToolListData(tools: readonly ToolListRow[]): readonly JsonObject[] {
  return tools.map(({ tool, toolsets, claims, tokens, entry }) => ({
    name: tool.name,
    uri: tool.document.uri,
    line: tool.locate("/name").range.start.line,
    class: tool.worstCase.class,
    flags: readFlags(tool),
    unaskedBy: policiesOf(claims),
    featureGate: tool.spec.visibility?.featureGate ?? null,
    tags: tool.spec.tags ?? [],
    toolsets,
    tokens,
    approval: summarizeApproval(claims),
    claims: claims.map(({ claim, state, entry }) => ({
      claim,
      state,
      ...dropUndefined({ by: entry?.by, on: entry?.on }),
    })),
    ...(entry && { wireName: entry.wireName, strict: entry.strict }),
  }));
}

function approvalText(claims: readonly ShownClaim[]): string {
  const waiting = claims.filter(({ state }) => state !== "approved").length;
  if (claims.length === 0) return "";
  return waiting === 0 ? `${claims.length} approved` : `${waiting} of ${claims.length} waiting`;
}

/** Lists flags that are on, and fields with another value than the strict one. */
function flagWords({ tool, claims }: ToolListRow): readonly string[] {
  const values = readFlags(tool);
  const words = LISTED_FIELDS.flatMap(({ name, field }) => {
    const value = values[name];
    if (value === true) return [name];
    return value === false || value === field.strict ? [] : [`${name}=${String(value)}`];
  });
  return joined([...words, ...policiesOf(claims).map((policy) => `unasked by ${policy}`)]);
}

function policiesOf(claims: readonly ShownClaim[]): readonly string[] {
  return [...new Set(claims.flatMap(({ grant }) => grant?.policy.name ?? []))];
}

function joined(words: readonly string[]): readonly string[] {
  const said = words.filter((word) => word !== "");
  return said.map((word, index) => (index === said.length - 1 ? word : `${word},`));
}
