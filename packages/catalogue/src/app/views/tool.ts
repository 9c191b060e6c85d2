import { indexBy } from "@hasp/base/json";
import { FIELD_ENTRIES, VARYING_FLAGS } from "@hasp/runtime/contract";
import type { ClaimRow, FieldRow, Overview, TableRow, ToolPage, ToolSummary } from "../../model.js";
import { type Child, h } from "../parts/dom.js";
import { block, chip, createFindingList, heading, json, placeText, createRiskChips, table } from "../parts/blocks.js";
import { linkTo } from "../parts/page.js";
import type { Tone } from "../parts/words.js";
import { renderEntries } from "./entries.js";

export function renderTool(
  page: ToolPage,
  summary: ToolSummary,
  data: Overview,
  settings: URLSearchParams,
  onChoice: (settings: Readonly<Record<string, string>>) => void,
): readonly Child[] {
  const known = new Set(data.tools.map(({ name }) => name));
  const findings = data.findings.listed.filter(({ tool }) => tool === page.name);
  const end = {
    total: summary.findings,
    empty: "The spec has no finding.",
    command: `hasp check ${page.name} --format json`,
  };
  const parts = [
    block("reads", "What models read", ...renderEntries(page, settings, onChoice)),
    block("decisions", "How calls are decided", ...decisions(page)),
    block("claims", "What it claims", ...claims(page)),
    block("policies", "Policies that touch it", ...policies(page, data)),
    block("handler", "What runs", ...handler(page)),
    block("values", "Every value", values(page.fields)),
    block("tool-findings", "Findings", ...createFindingList(findings, end, known)),
  ];
  return [
    h(
      "div",
      { class: "head" },
      heading(h("span", { class: "code" }, page.name)),
      summary.title !== undefined && h("p", { class: "soft" }, summary.title),
      h("p", { class: "chips" }, ...createRiskChips(summary)),
      h(
        "div",
        { class: "about-tool" },
        h(
          "div",
          { class: "block" },
          h("p", { class: "prose" }, page.description),
          h("p", {}, h("a", { class: "button", href: linkTo("bench", page.name) }, "Try arguments on the bench")),
        ),
        facts(page, summary),
      ),
    ),
    contents(parts),
    ...parts,
  ];
}

/** Links to the parts of the page without changing the address. */
function contents(parts: readonly HTMLElement[]): HTMLElement {
  const headings = parts.flatMap((part) => part.querySelector("h2") ?? []);
  const jump = (target: HTMLElement) => (event: Event) => {
    event.preventDefault();
    target.scrollIntoView();
    target.focus({ preventScroll: true });
  };
  return h(
    "nav",
    { class: "contents", "aria-label": "Parts of this page" },
    ...headings.map((target) => h("a", { href: `#${target.id}`, click: jump(target) }, target.textContent)),
  );
}

function facts(page: ToolPage, summary: ToolSummary): HTMLElement {
  const rows: readonly (readonly [string, Child])[] = [
    ["spec", h("code", {}, placeText(page.place))],
    ["class", h("code", {}, summary.class)],
    ["owner", summary.owner],
    ["tags", summary.tags.join(", ") || undefined],
    ["toolsets", summary.toolsets.join(", ") || "none"],
    ["other names", summary.aliases.join(", ") || undefined],
  ];
  return h(
    "dl",
    { class: "facts" },
    ...rows.flatMap(([name, value]) => (value === undefined ? [] : [h("dt", {}, name), h("dd", {}, value)])),
  );
}

function decisions({ table: rows, varying, checks, name }: ToolPage): readonly Child[] {
  const tryLink = (example: TableRow["example"]): Child =>
    example === undefined
      ? "none found"
      : h("td", {}, h("a", { href: linkTo("bench", name, { input: JSON.stringify(example) }) }, json(example)));
  const decided = VARYING_FLAGS.map((_, at) => rows.some(({ flags }) => flags[at] !== rows[0]?.flags[at]));
  return [
    table(
      "Decision table",
      ["when", "class", ...VARYING_FLAGS.filter((_, at) => decided[at]), "an input that it decides"],
      rows.map(({ condition, isCustom, line, class: className, flags, example }) => [
        h(
          "th",
          { scope: "row" },
          condition === undefined
            ? rows.length === 1
              ? "every input"
              : "otherwise, and on any error"
            : h("code", {}, condition),
          line !== undefined && h("span", { class: "soft" }, ` line ${line}`),
          isCustom === true && h("span", { class: "soft" }, ", a function of the handler"),
        ),
        h("td", { class: "whole" }, h("code", {}, className)),
        ...flags.filter((_, at) => decided[at]).map((value) => String(value)),
        rows.length === 1 ? "every valid one" : tryLink(example),
      ]),
    ),
    rows.length > 1 &&
      h(
        "p",
        { class: "note" },
        "The first row whose condition holds decides. The inputs were found by hasp and are decided by these very rows.",
      ),
    ...varying.map(({ flag, polarity, condition }) =>
      h("p", {}, h("code", {}, flag), ` varies by itself: ${polarity} `, h("code", {}, condition)),
    ),
    checks.length > 0 && h("h3", {}, "What a call must also satisfy"),
    checks.length > 0 &&
      table(
        "Table of checks",
        ["condition", "otherwise the model reads"],
        checks.map(({ condition, message }) => [h("code", {}, condition), message ?? "the message of the handler"]),
      ),
  ];
}

const STATES: { readonly [state in ClaimRow["state"]]: readonly [word: string, tone: Tone] } = {
  approved: ["approved", "calm"],
  new: ["not approved", "danger"],
  stale: ["changed since the approval", "danger"],
  expired: ["approval has expired", "danger"],
  contradicted: ["contradicts the handler", "danger"],
  uncoverable: ["cannot be approved", "danger"],
};

function claims({ claims: rows }: ToolPage): readonly Child[] {
  if (rows.length === 0) return [h("p", { class: "soft" }, "Nothing here loosens a fail-closed default.")];
  const hasExamples = rows.some(({ example }) => example !== undefined);
  return [
    table(
      "Table of claims",
      ["claim", "approval", "reason", "by, as git says", "on", ...(hasExamples ? ["an input that it loosens"] : [])],
      rows.map(({ claim, place, state, reason, by, on, expires, example }) => [
        h("td", {}, h("code", {}, claim), h("div", { class: "soft code" }, placeText(place))),
        h("td", { class: "whole" }, chip(...STATES[state])),
        h("td", { class: "wide" }, reason),
        by ?? (state === "new" ? "" : "not recorded"),
        h(
          "td",
          { class: "whole" },
          on ?? (state === "new" ? "" : "not recorded"),
          expires !== undefined && h("div", { class: "soft" }, `until ${expires}`),
        ),
        ...(hasExamples ? [example === undefined ? "" : json(example)] : []),
      ]),
    ),
  ];
}

function policies({ policies: matches }: ToolPage, data: Overview): readonly Child[] {
  if (matches.length === 0) {
    return [
      h(
        "p",
        { class: "soft" },
        data.policies.length === 0
          ? "The project has no policy."
          : "No policy names it; the mode of a policy may still apply.",
      ),
    ];
  }
  return matches.map(({ toolset, uri, denied, rules }) => {
    const policy = data.policies.find((each) => each.toolset === toolset);
    const rows = rules.flatMap((index) => policy?.rules[index] ?? []);
    return h(
      "div",
      { class: "block" },
      h("h3", {}, `Toolset ${toolset}`),
      h("p", { class: "soft" }, h("code", {}, uri), policy?.mode !== undefined && `, mode ${policy.mode}`),
      denied !== undefined &&
        h("p", {}, chip("denied", "danger"), " It is not listed and never runs: ", h("code", {}, denied), "."),
      rows.length > 0 &&
        table(
          `Rules of toolset ${toolset}`,
          ["rule for", "when", "decision", "reason"],
          rows.map(({ tool, when, decision, reason }) => [
            h("code", {}, tool),
            when === undefined ? "always" : h("code", {}, when),
            decision,
            reason ?? "",
          ]),
        ),
    );
  });
}

const KINDS: { readonly [kind: string]: string } = {
  http: "An HTTP request, which the spec declares.",
  sql: "An SQL statement, which the spec declares.",
  command: "A command, which the spec declares and no shell reads.",
  mcp: "A tool of another MCP server.",
  external: "Somebody else executes the calls: nothing here proves what that does.",
  plugin: "Code of a plugin: nothing here proves what it does.",
  code: "Code of the project: nothing here proves what it does.",
};

function handler({ handler: { kind, declaration, bind, connection } }: ToolPage): readonly Child[] {
  return [
    h("p", {}, KINDS[kind] ?? `A handler of the kind ${kind}, which the spec declares.`),
    h("pre", {}, JSON.stringify(declaration, undefined, 2)),
    connection !== undefined && h("h3", {}, `Connection ${connection.name}`),
    connection !== undefined && h("pre", {}, JSON.stringify(connection.settings, undefined, 2)),
    bind !== undefined && h("h3", {}, "Filled in by the host, hidden from models"),
    bind !== undefined && h("pre", {}, JSON.stringify(bind, undefined, 2)),
  ];
}

const SOURCES: { readonly [source in FieldRow["source"]]: string } = {
  stated: "stated",
  entailed: "entailed by the class",
};

function values(fields: readonly FieldRow[]): HTMLElement {
  const known = indexBy(fields, ({ path }) => path);
  return table(
    "Table of values",
    ["field", "value", "because"],
    FIELD_ENTRIES.map(({ path, field: { strict } }) => {
      const { value, source, line } = known.get(path) ?? { value: strict, source: undefined, line: undefined };
      const because = source === undefined ? "fail-closed default" : SOURCES[source];
      return [h("code", {}, path), json(value), line === undefined ? because : `${because}, line ${line}`];
    }),
  );
}
