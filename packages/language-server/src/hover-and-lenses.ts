import { type FeaturePlace, findTool, listTools, type PlaceSyntax, readPlace } from "./place.js";
import { type FileSpan, type LanguageProject, readProjectApprovals } from "./language-project.js";
import { countEntryTokens, countPromptTokens } from "@hasp/compiler/tokens";
import { findFieldHelp } from "@hasp/compiler/formats";
import { groupFormsByTool } from "@hasp/compiler/model";
import { findSymbol, namesTool } from "./symbols.js";
import { hasWildcard, findMatchingTools, listToolClaims } from "@hasp/compiler/claims";
import { findDescription, findRole } from "./document-format.js";
import { readString } from "./syntax.js";
import { printApproval, listResolvedFields } from "@hasp/report";
import { isKeyword } from "@hasp/schema/vocabulary";
import { printVisibleText, pluralize } from "@hasp/base/diagnostics";
import type { SourceText } from "@hasp/compiler";

interface Hover {
  readonly markdown: string;
  readonly span: FileSpan;
}

/** Returns Markdown about a place; `undefined` if there is nothing to say. */
type Describe = (place: FeaturePlace, syntax: PlaceSyntax) => string | undefined;

/** Describes a tool: its worst case, and its cost in the list of each dialect. */
const describeTool: Describe = (place) => {
  const symbol = findSymbol(place);
  const compiled = place.project.compiled;
  if (symbol?.kind !== "tool" || compiled === undefined) return undefined;
  const { plan, result } = compiled;
  const tool = result.tools.find(({ name }) => name === symbol.name);
  if (tool === undefined) return `${inCode(symbol.name)} has errors.`;
  const { class: worst, ...flags } = tool.worstCase;
  const held = Object.entries(flags).flatMap(([flag, holds]) => (holds ? [inCode(flag)] : []));
  const forms = groupFormsByTool(result.toolsets).get(tool.name) ?? [];
  const costs = forms.map((form) =>
    form.kind === "listed"
      ? `- ${form.dialect}: ${countEntryTokens(form.lowered, plan)} tokens, ${form.lowered.lossCount} constraints not expressed`
      : `- ${form.dialect}: not listed, ${inert(form.reason)}`,
  );
  return [
    `${inCode(tool.name)}: ${inCode(worst)}${held.length === 0 ? "" : `, ${held.join(", ")}`}`,
    "",
    `About ${countPromptTokens(tool, plan)} tokens in every request that lists it.`,
    ...costs,
  ].join("\n");
};

const SHOWN = 20;

const describePermissionRule: Describe = ({ project, document }, { part, path, node }) => {
  const pattern = readString(node);
  const role = findRole(document.uri, project);
  if (part !== "value" || role !== "policy" || pattern === undefined || !namesTool(role, path)) return undefined;
  const matched = findMatchingTools(project.compiled?.result.tools ?? [], pattern);
  const names = matched.slice(0, SHOWN).map(({ name }) => inCode(name));
  const more = matched.length - names.length;
  const lines = [
    matched.length === 0
      ? "Matches no tool of this project."
      : `Matches ${names.join(", ")}${more > 0 ? ` and ${more} more` : ""}.`,
  ];
  const destructive = matched.filter(({ worstCase }) => worstCase.isDestructive);
  if (hasWildcard(pattern) && destructive.length > 0) {
    lines.push(
      `Of these, ${destructive.length} may destroy something: an \`allow\` with a wildcard does not cover such calls.`,
    );
  }
  return lines.join("\n\n");
};

const describePlace: Describe = (_place, { part, schemas }) =>
  // The format's own words are Markdown.
  part === "key" ? findDescription(schemas) : undefined;

/** Describes a behavioural field: its default, its meaning, and the approval of a claim about it. */
const describeField: Describe = (place, { part, pointer, path }) => {
  const [group, name] = path.slice(-2);
  const help = findFieldHelp(group, name);
  const found = part === "key" ? findTool(place, pointer) : undefined;
  if (help === undefined) return undefined;
  const lines = [`Strict default: ${inCode(JSON.stringify(help.strict))}.`];
  // The format's description of a key contains the meanings of its values.
  const meanings = part === "value" ? help.meanings : undefined;
  for (const [value, meaning] of Object.entries(meanings ?? {})) lines.push(`- ${inCode(value)}: ${meaning}`);
  const compiled = place.project.compiled;
  if (found === undefined || compiled === undefined) return lines.join("\n");
  const resolved = listResolvedFields(found.tool).find((each) => each.path === help.path);
  if (resolved !== undefined) {
    lines.push("", `Here: ${inCode(JSON.stringify(resolved.value))}, ${inert(resolved.source)}.`);
  }
  const claims = listToolClaims([found.tool], readProjectApprovals(place.project, compiled));
  for (const claim of claims.filter(({ relaxation }) => relaxation.pointer === found.inside)) {
    lines.push("", `Claim ${inCode(claim.relaxation.claim)}: ${inert(printApproval(claim))}`);
  }
  return lines.join("\n");
};

/** Describes an input keyword's fate in each dialect: expressed, or lost and enforced by the runtime. */
const describeKeywordFate: Describe = (place, { part, pointer, path }) => {
  const keyword = path.at(-1) ?? "";
  const found = part === "key" && isKeyword(keyword) ? findTool(place, pointer) : undefined;
  if (found === undefined || !found.inside.startsWith("/input/")) return undefined;
  const { tool } = found;
  const holder = pointer.slice(0, pointer.lastIndexOf("/"));
  const isHere = (flat: string): boolean => {
    const location = tool.input.locate(flat);
    return location.uri === place.document.uri && (location.pointer === holder || location.pointer === pointer);
  };
  const forms = groupFormsByTool(place.project.compiled?.result.toolsets ?? []).get(tool.name) ?? [];
  const lines = forms.map((form) => {
    if (form.kind === "excluded") return `- ${form.dialect}: the tool is not listed, ${inert(form.reason)}`;
    const loss = form.lowered.lowering.losses.find((each) => each.keyword === keyword && isHere(each.pointer));
    if (loss === undefined) return `- ${form.dialect}: expressed`;
    const told = loss.words === undefined ? "" : ` The model reads: ${inert(loss.words)}`;
    return `- ${form.dialect}: not expressed, enforced by ${loss.enforcedBy}.${told}`;
  });
  return lines.length === 0 ? undefined : lines.join("\n");
};

/** Escapes a text so that nothing in it links, formats or loads anything. */
function inert(text: string): string {
  return printVisibleText(text).replaceAll(/[\\`*_{}[\]()<>#+.!|~&-]/gu, String.raw`\$&`);
}

function inCode(text: string): string {
  const shown = printVisibleText(text);
  const longest = Math.max(0, ...Array.from(shown.matchAll(/`+/gu), ([ticks]) => ticks.length));
  const fence = "`".repeat(longest + 1);
  const pad = /^`|`$/u.test(shown) || shown === "" ? " " : "";
  return `${fence}${pad}${shown}${pad}${fence}`;
}

/** In the order in which they are shown. */
const DESCRIPTIONS: readonly Describe[] = [
  describeTool,
  describePermissionRule,
  describePlace,
  describeField,
  describeKeywordFate,
];

export function hover(place: FeaturePlace): Hover | undefined {
  const syntax = readPlace(place);
  if (syntax.part === "value" && syntax.node.kind !== "scalar") return undefined;
  const paragraphs = DESCRIPTIONS.flatMap((describe) => describe(place, syntax) ?? []);
  if (paragraphs.length === 0) return undefined;
  return { markdown: paragraphs.join("\n\n"), span: { uri: place.document.uri, ...syntax.span } };
}

interface CodeLens {
  readonly span: FileSpan;
  readonly title: string;
  readonly tool: string;
}

export function listCodeLenses(project: LanguageProject, document: SourceText): readonly CodeLens[] {
  const { compiled } = project;
  if (compiled === undefined) return [];
  const approvals = readProjectApprovals(project, compiled);
  const forms = groupFormsByTool(compiled.result.toolsets);
  return listTools(document, project).flatMap((tool) => {
    const { uri, range } = tool.locate("/name", "key");
    const open = listToolClaims([tool], approvals).filter(({ state }) => state !== "approved").length;
    const facts = [
      tool.worstCase.class,
      `${countPromptTokens(tool, compiled.plan)} tokens`,
      pluralize(tool.spec.tests?.length ?? 0, "test"),
      ...(tool.relaxations.length === 0 ? [] : [pluralize(tool.relaxations.length, "claim")]),
      ...(open === 0 ? [] : [`${open} not approved`]),
    ];
    const costs = (forms.get(tool.name) ?? []).map((form) =>
      form.kind === "listed"
        ? `${form.dialect} ${countEntryTokens(form.lowered, compiled.plan)}`
        : `${form.dialect} not listed`,
    );
    const about = project.diagnostics.filter(({ code, tool: name }) => code === CLIENT_RULE && name === tool.name);
    const effects = about.map(({ data }) => `${String(data?.["client"])} ${String(data?.["effect"])}`);
    const span = { uri, start: range.start.offset, end: range.end.offset };
    return [facts, [...new Set([...costs, ...effects])]]
      .filter((words) => words.length > 0)
      .map((words) => ({ span, title: words.join(" · "), tool: tool.name }));
  });
}

/** The rule about clients of MCP servers that cut or refuse what a list holds. */
const CLIENT_RULE = "providers/mcp-client";
