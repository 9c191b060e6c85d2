import { type JsonValue, readOwnMember } from "@hasp/base/json";
import { FIELD_ENTRIES, VARYING_FLAGS } from "@hasp/runtime/contract";
import {
  type LedgerEntry,
  type ApprovalState,
  type JudgedClaim,
  GUARDS,
  type ShownClaim,
  type ToolsetFlow,
} from "@hasp/compiler/claims";
import type { FlatTool } from "@hasp/compiler";
import { isAskedAnyway } from "@hasp/compiler/model";
import type { CompiledPredicate } from "@hasp/compiler/conditions";
import { printTable, type SummaryView } from "./table.js";
import { printVisibleLines, printVisibleText } from "@hasp/base/diagnostics";

interface ResolvedField {
  readonly path: string;
  readonly value: JsonValue;
  readonly source: "stated" | "entailed" | "default";
  /** The line that states it or the class that entails it. */
  readonly line?: number;
}

/** Returns every behavioural field; varying flags have their strict values. */
export function listResolvedFields(tool: FlatTool): readonly ResolvedField[] {
  return FIELD_ENTRIES.map(({ group, name, path }): ResolvedField => {
    const value = readOwnMember(tool.metadata[group], name) as JsonValue;
    const lineOf = (pointer: string): number => tool.locate(pointer).range.start.line;
    if (Object.hasOwn(tool.spec[group] ?? {}, name)) {
      return { path, value, source: "stated", line: lineOf(`/${group}/${name}`) };
    }
    if (tool.stated.has(path)) return { path, value, source: "entailed", line: lineOf("/concurrency/class") };
    return { path, value, source: "default" };
  });
}

export function printToolCard(tool: FlatTool, claims: readonly ShownClaim[], view: SummaryView): string {
  const { paint } = view;
  const { spec } = tool;
  const title = spec.title === undefined ? "" : `  ${printVisibleText(spec.title)}`;
  const lines = [
    paint("heading", printVisibleText(tool.name)) + title,
    paint("faint", printVisibleText(tool.document.uri)),
    "",
  ];
  lines.push(...printVisibleLines(spec.description.trim()).split("\n"), "");
  const about = [
    ["varies", spec.visibility?.describe && `by context: ${spec.visibility.describe.custom}() of the handler`],
    ["owner", spec.owner],
    ["tags", spec.tags?.join(", ")],
    ["aliases", spec.aliases?.join(", ")],
    ["feature gate", spec.visibility?.featureGate],
    ["needs", [...(spec.needs?.env ?? []), ...(spec.needs?.context ?? [])].join(", ") || undefined],
    ["isolation", isolationText(tool)],
  ].flatMap(([name = "", text]) => (text === undefined ? [] : [[name, printVisibleText(text)]]));
  if (about.length > 0) lines.push(...printTable(["", ""], about, view), "");
  const fields = listResolvedFields(tool).map(({ path, value, source, line }) => [
    path,
    valueText(value),
    reason(tool, path, source, line),
  ]);
  lines.push(...printTable(["field", "value", "because"], fields, view), "");
  lines.push(...classification(tool, view), "");
  lines.push(...loosenings(tool, claims, view));
  return `${lines.join("\n")}\n`;
}

function reason(tool: FlatTool, path: string, source: ResolvedField["source"], line: number | undefined): string {
  const varies = tool.flags.some(({ flag }) => `behavior.${flag}` === path) ? ", varies with the input" : "";
  const isIdle = path === "behavior.requiresPermission" && isAskedAnyway(tool);
  const idle = isIdle ? ", without effect: every call may destroy data, so somebody is asked" : "";
  if (source === "stated") return `line ${line}${varies}${idle}`;
  if (source === "entailed") return `entailed by ${tool.metadata.concurrency.class}, line ${line}`;
  return "fail-closed default";
}

/** Formats the decision table, one line per row, with the flags that some row decides; the first match decides. */
function classification(tool: FlatTool, view: SummaryView): readonly string[] {
  const own = tool.metadata.behavior;
  const flags = VARYING_FLAGS.filter((flag) => tool.rules.some((rule) => rule[flag] !== undefined));
  const rows = tool.rules.map((rule) => [
    predicateText(rule.when),
    rule.class,
    ...flags.map((flag) => valueText(rule[flag] ?? own[flag])),
  ]);
  const otherwise = [
    rows.length === 0 ? "every input" : "otherwise, and on any error",
    tool.metadata.concurrency.class,
  ];
  rows.push([...otherwise, ...flags.map((flag) => valueText(own[flag]))]);
  const varying = tool.flags.map(
    ({ flag, polarity, predicate }) => `${flag} varies: ${polarity} ${predicateText(predicate)}`,
  );
  return [...printTable(["when", "class", ...flags], rows, view), ...varying];
}

function loosenings(tool: FlatTool, claims: readonly ShownClaim[], { paint, columns }: SummaryView): readonly string[] {
  if (claims.length === 0) return ["Nothing here loosens a fail-closed default."];
  const rows = claims.map(({ claim, location, grant, state, entry }) => [
    printVisibleText(grant === undefined ? claim : `runs unasked by ${claim}`),
    `${location.uri === tool.document.uri ? "line " : `${printVisibleText(location.uri)}:`}${location.range.start.line}`,
    printApproval({ state, entry }),
  ]);
  return [paint("heading", "Loosens a default:"), ...printTable(["", "", ""], rows, { columns })];
}

/** Describes a claim's approval: why, and whom and when its entry names, or what it waits for. */
export function printApproval({ state, entry }: Pick<JudgedClaim, "state" | "entry">): string {
  return state === "approved" ? `approved${origin(entry)}: ${printVisibleText(entry?.reason ?? "")}` : WAITING[state];
}

/** Names what the entry says of itself: `by` is what git said of its writer, and no proof. */
function origin({ by, on }: Pick<LedgerEntry, "by" | "on"> = {}): string {
  return `${by === undefined ? "" : ` by ${printVisibleText(by)} (as git says)`}${on === undefined ? "" : ` on ${on}`}`;
}

const WAITING: { readonly [state in Exclude<ApprovalState, "approved">]: string } = {
  new: "not approved yet",
  stale: "what it covers has changed since the approval; needs a new one",
  expired: "the approval has expired; needs a new one",
  contradicted: "approved, but what the handler does contradicts it; needs a new approval",
  uncoverable: "no approval can cover it",
};

function predicateText(predicate: CompiledPredicate): string {
  return predicate.kind === "custom" ? `${predicate.name}() of the handler` : printVisibleText(predicate.source);
}

const valueText = (value: JsonValue): string =>
  typeof value === "string" ? printVisibleText(value) : JSON.stringify(value);

/** Describes the limits of the handler's process; `undefined` if it runs in the host's. */
function isolationText({ spec }: FlatTool): string | undefined {
  if (spec.handler?.isolation === undefined) return undefined;
  const limits = Object.entries(spec.handler.isolation).map(([limit, value]) => `${limit}: ${value}`);
  return ["a process of its own", ...limits].join(", ");
}

/** Draws how a toolset can leak: sources on the left, and sinks with their guards on the right. */
export function printFlow(flow: ToolsetFlow, view: SummaryView): string {
  const { toolset, setting, untrusted, private: secret, sinks } = flow;
  const left = [
    ...untrusted.map(({ name }) => `untrusted  ${name}`),
    ...secret.map(({ name }) => `private    ${name}`),
  ];
  const right = sinks.map(({ tool, guard, waivers }) => {
    const rules = waivers.map(({ index }) => `rules.${index}`).join(", ");
    return [tool.name, rules === "" ? GUARDS[guard] : `${GUARDS[guard]} (${rules})`];
  });
  const rows = Array.from({ length: Math.max(left.length, right.length) }, (_, index) => [
    left[index] ?? "",
    index === 0 ? "→" : "",
    ...(right[index] ?? ["", ""]),
  ]);
  const head = view.paint("heading", `What may leave through the toolset ${toolset}, flow: ${setting}`);
  const titles = ["results of", "", "may reach the outside", "guard"];
  return `${[head, ...printTable(titles, rows, view)].join("\n")}\n`;
}
