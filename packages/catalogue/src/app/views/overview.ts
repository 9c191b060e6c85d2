import { sumBy } from "@hasp/base/json";
import type { Asking, FlowSummary, ToolEffect, ListSummary, Overview, ToolSummary } from "../../model.js";
import { type Child, h } from "../parts/dom.js";
import { block, chip, createFindingList, heading, meter, table, createToolLink } from "../parts/blocks.js";
import { linkTo } from "../parts/page.js";
import { ASKING, count, EFFECTS, formatPercent, thousands, chooseTone } from "../parts/words.js";

/** The most tool names in a cell of the matrix; a link shows the others. */
const NAMED_TOOLS = 12;
const EXPENSIVE_TOOLS = 8;
const SHOWN_FINDINGS = 5;

/** Common context windows in tokens, to compare the cost of lists with. */
const CONTEXTS = [32_000, 128_000, 200_000, 1_000_000];

export function renderOverview(data: Overview): readonly Child[] {
  const known = new Set(data.tools.map(({ name }) => name));
  return [
    h("div", { class: "head" }, heading(data.project), h("p", { class: "lead" }, sentence(data))),
    unknownNote(data),
    numbers(data.tools),
    block("risk", "What may happen, and who is asked", matrix(data.tools), matrixNote(data)),
    flows(data, known),
    costs(data),
    changes(data),
    findings(data, known),
  ];
}

function sentence({ tools }: Overview): string {
  if (tools.length === 0) return "No tool of this project compiles yet.";
  const readers = tools.filter(({ effect }) => effect === "reads").length;
  const destroyers = tools.filter(({ effect }) => effect === "destroys").length;
  const unasked = tools.filter(({ asking }) => asking === "never").length;
  const verb = (number: number, one: string, many: string): string => `${number} ${number === 1 ? one : many}`;
  return [
    `This agent has ${count(tools.length, "tool")}.`,
    `${verb(readers, "only reads", "only read")}, ${verb(destroyers, "may destroy", "may destroy")} or overwrite something,`,
    `and ${verb(unasked, "runs", "run")} without asking anybody.`,
  ].join(" ");
}

function unknownNote({ unknown }: Overview): Child {
  if (unknown.length === 0) return undefined;
  return h(
    "div",
    { class: "verdict danger" },
    h("strong", {}, `${count(unknown.length, "tool")} ${unknown.length === 1 ? "is" : "are"} not shown`),
    h(
      "p",
      {},
      "They have errors, so that nobody knows what they may do: ",
      ...unknown.map(({ name, errors }, index) => [
        index > 0 && ", ",
        h("code", {}, name),
        ` (${count(errors, "error")})`,
      ]),
      ".",
    ),
  );
}

function numbers(tools: readonly ToolSummary[]): HTMLElement {
  const entry = (label: string, settings: Readonly<Record<string, string>>, number: number): HTMLElement =>
    h("a", { href: linkTo("tools", undefined, settings) }, h("b", {}, thousands(number)), h("span", {}, label));
  const having = (test: (tool: ToolSummary) => boolean): number => tools.filter(test).length;
  return h(
    "div",
    { class: "numbers" },
    entry("tools", {}, tools.length),
    entry(
      "only read",
      { effect: "reads" },
      having(({ effect }) => effect === "reads"),
    ),
    entry(
      "write",
      { effect: "writes" },
      having(({ effect }) => effect === "writes"),
    ),
    entry(
      "may destroy",
      { effect: "destroys" },
      having(({ effect }) => effect === "destroys"),
    ),
    entry(
      "run unasked",
      { asking: "never" },
      having(({ asking }) => asking === "never"),
    ),
    entry(
      "claims not approved",
      { approval: "waiting" },
      sumBy(tools, ({ waiting }) => waiting),
    ),
  );
}

function matrix(tools: readonly ToolSummary[]): HTMLElement {
  const askings = Object.keys(ASKING) as readonly Asking[];
  const effects = Object.keys(EFFECTS) as readonly ToolEffect[];
  return h(
    "div",
    { class: "scroll matrix", tabindex: 0, role: "region", "aria-label": "Risk matrix" },
    h(
      "table",
      {},
      h("thead", {}, h("tr", {}, h("td"), ...askings.map((asking) => h("th", { scope: "col" }, ASKING[asking].title)))),
      h(
        "tbody",
        {},
        ...effects.map((effect) =>
          h(
            "tr",
            {},
            h("th", { scope: "row" }, EFFECTS[effect].title),
            ...askings.map((asking) =>
              matrixCell(
                tools.filter((tool) => tool.effect === effect && tool.asking === asking),
                effect,
                asking,
              ),
            ),
          ),
        ),
      ),
    ),
  );
}

function matrixCell(tools: readonly ToolSummary[], effect: ToolEffect, asking: Asking): HTMLElement {
  const title = ASKING[asking].title;
  if (tools.length === 0) return h("td", { class: "none", "data-asking": title }, "none");
  const hidden = tools.length - NAMED_TOOLS;
  return h(
    "td",
    { class: chooseTone({ effect, asking }), "data-asking": title },
    h("b", {}, thousands(tools.length)),
    h(
      "span",
      { class: "names" },
      ...tools.slice(0, NAMED_TOOLS).map(({ name }) => h("a", { href: linkTo("tool", name) }, name)),
      hidden > 0 && h("a", { href: linkTo("tools", undefined, { effect, asking }) }, `and ${thousands(hidden)} more`),
    ),
  );
}

function flows({ flows: found }: Overview, known: ReadonlySet<string>): Child {
  if (found.length === 0) return undefined;
  const about =
    "A text that an outsider wrote may make a model read private data and send it outside. Left: what brings the two together. Right: what may reach the outside, with what guards it. A host may waive a guard in its own code, which is not shown.";
  return block(
    "flows",
    "What may leave, and what guards it",
    h("p", { class: "soft" }, about),
    ...found.map((flow) => flowPicture(flow, known)),
  );
}

function flowPicture({ toolset, untrusted, private: secret, sinks }: FlowSummary, known: ReadonlySet<string>): Child {
  const names = (label: string, tools: readonly string[]): Child => {
    const hidden = tools.length - NAMED_TOOLS;
    return h(
      "ul",
      { class: "names", "aria-label": label },
      ...tools.slice(0, NAMED_TOOLS).map((name) => h("li", {}, createToolLink(name, known))),
      hidden > 0 && h("li", {}, `and ${thousands(hidden)} more`),
    );
  };
  const source = (title: string, tools: readonly string[]): HTMLElement =>
    h("div", { class: "source" }, h("strong", {}, title), names(title, tools));
  return h(
    "figure",
    { class: "flow" },
    h("figcaption", {}, "Toolset ", h("code", {}, toolset)),
    h("div", {}, source("An outsider may have written it", untrusted), source("Not everybody may read it", secret)),
    h(
      "div",
      {},
      ...sinks.map(({ guard, isWaived, tools }) =>
        h(
          "div",
          { class: isWaived ? "sink danger" : "sink" },
          h("strong", {}, h("span", { "aria-hidden": "true" }, "→ "), guard),
          names(`Tools that may reach the outside; ${guard}`, tools),
        ),
      ),
    ),
  );
}

function matrixNote({ policies }: Overview): HTMLElement {
  const text =
    "Each tool stands where the strictest answer puts it that any of its calls may get. What a spec does not say counts as destructive and as asking.";
  const named = policies.map(({ toolset }) => toolset).join(", ");
  return h(
    "p",
    { class: "note" },
    policies.length === 0 ? text : `${text} Policies may allow or deny more; there is one for ${named}.`,
  );
}

function costs({ lists, tools, countsTokens }: Overview): Child {
  const most = Math.max(1, ...lists.flatMap(({ tokens, budget = 0 }) => [tokens, budget]));
  const expensive = tools.toSorted((left, right) => right.tokens - left.tokens).slice(0, EXPENSIVE_TOOLS);
  const dearest = Math.max(1, ...expensive.map(({ tokens }) => tokens));
  return block(
    "tokens",
    "What the lists cost in every request",
    lists.length === 0
      ? h("p", { class: "soft" }, "The project builds no list for a provider.")
      : table(
          "Table of lists",
          ["toolset", "dialect", "tools", "tokens", "", ...CONTEXTS.map((size) => `of ${contextName(size)}`)],
          lists.map((list) => [
            list.toolset,
            dialectCell(list),
            list.tools,
            list.tokens,
            h(
              "td",
              { class: "wide" },
              meter(list.tokens / most, list.budget === undefined ? undefined : list.budget / most),
            ),
            ...CONTEXTS.map((size) => h("td", { class: "number" }, formatPercent(list.tokens / size))),
          ]),
        ),
    h(
      "p",
      { class: "note" },
      `${countsTokens ? "Tokens are counted with o200k" : "Tokens are estimated"} over the JSON of each list; providers add their own framing. `,
      lists.some(({ budget }) => budget !== undefined) && "The mark on a bar is the budget of the configuration.",
    ),
    expensive.length > 1 && h("h3", {}, "The most expensive tools"),
    expensive.length > 1 &&
      table(
        "Table of expensive tools",
        ["tool", "tokens", ""],
        expensive.map(({ name, tokens }) => [
          h("a", { href: linkTo("tool", name), class: "code" }, name),
          tokens,
          h("td", { class: "wide" }, meter(tokens / dearest)),
        ]),
      ),
  );
}

function dialectCell({ dialect, strict, tools, losses, excluded }: ListSummary): HTMLElement {
  return h(
    "td",
    {},
    h("span", { class: "code" }, dialect),
    h(
      "div",
      { class: "chips" },
      strict > 0 && chip(strict === tools ? "strict" : `${strict} strict`),
      losses > 0 && chip(count(losses, "loss", "losses")),
      excluded.length > 0 && chip(`${excluded.length} left out`, "caution"),
    ),
  );
}

function contextName(size: number): string {
  return size >= 1_000_000 ? `${size / 1_000_000} M` : `${size / 1000} k`;
}

function changes({ changes: found }: Overview): Child {
  if (found === undefined) return undefined;
  const link = h("a", { href: linkTo("changes") }, "All changes");
  if ("refusal" in found) {
    return block("since", `Changes since ${found.base}`, h("p", { class: "verdict caution" }, found.refusal));
  }
  const list = found.lists.map(({ title, findings: changed }) =>
    h("li", {}, `${title}: ${changed.total === 0 ? "nothing" : count(changed.total, "change")}`),
  );
  return block("since", `Changes since ${found.base}`, h("ul", {}, ...list), h("p", {}, link));
}

function findings({ findings: all }: Overview, known: ReadonlySet<string>): HTMLElement {
  const { error, warning, info } = all.counts;
  const shown = all.listed.slice(0, SHOWN_FINDINGS);
  const end = { total: shown.length, empty: "The specs have no finding.", command: "hasp check --format json" };
  return block(
    "findings",
    "Findings",
    h("p", { class: "soft" }, `${count(error, "error")}, ${count(warning, "warning")}, ${count(info, "note")}.`),
    ...createFindingList(shown, end, known),
    all.total > shown.length &&
      h("p", {}, h("a", { href: linkTo("findings") }, `All ${thousands(all.total)} findings`)),
  );
}
