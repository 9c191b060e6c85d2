import type { Overview, ToolSummary } from "../../model.js";
import { once } from "@hasp/base/json";
import { type Child, h } from "../parts/dom.js";
import { heading, createRiskChips } from "../parts/blocks.js";
import { linkTo } from "../parts/page.js";
import { ASKING, count, EFFECTS, thousands } from "../parts/words.js";

export interface ToolsView {
  readonly nodes: readonly Child[];
  update(settings: URLSearchParams): void;
}

type Option = readonly [value: string, title: string];

/** Creates the list of tools. `onChange` receives the chosen settings. */
export function createToolsView(
  { tools }: Overview,
  onChange: (settings: Readonly<Record<string, string>>) => void,
): ToolsView {
  const byName = tools.map((tool) => ({ tool, text: searchText(tool), row: once(() => rowOf(tool)) }));
  const byTokens = once(() => byName.toSorted((left, right) => right.tool.tokens - left.tool.tokens));
  const list = longList("tool-list");
  const summary = h("p", { class: "soft", role: "status" });
  const values = (of: (tool: ToolSummary) => readonly string[]): readonly Option[] =>
    [...new Set(tools.flatMap(of))].toSorted().map((value) => [value, value]);
  const titles = (words: Readonly<Record<string, { readonly title: string }>>): readonly Option[] =>
    Object.entries(words).map(([value, { title }]) => [value, title]);
  const filters: readonly (readonly [name: string, label: string, options: readonly Option[]])[] = [
    ["effect", "Effect", titles(EFFECTS)],
    ["asking", "Asking", titles(ASKING)],
    [
      "approval",
      "Approval",
      [
        ["waiting", "Has claims not approved"],
        ["approved", "Has approved claims"],
        ["none", "Claims nothing"],
      ],
    ],
    ["toolset", "Toolset", values(({ toolsets }) => toolsets)],
    ["tag", "Tag", values(({ tags }) => tags)],
    ["owner", "Owner", values(({ owner }) => (owner === undefined ? [] : [owner]))],
    ["folder", "Folder", values(({ folder }) => [folder])],
    ["sort", "Order", [["tokens", "Most tokens first"]]],
  ];
  let current: Readonly<Record<string, string>> = {};
  const selects = filters
    .filter(([, , options]) => options.length > 0)
    .map(([name, label, options]) => {
      const select = h(
        "select",
        { name, change: () => onChange({ ...current, [name]: select.value }) },
        h("option", { value: "" }, name === "sort" ? "By name" : "All"),
        ...options.map(([value, title]) => h("option", { value }, title)),
      );
      return { name, select, label: h("label", {}, label, select) };
    });
  return {
    nodes: [
      h("div", { class: "head" }, heading("Tools"), summary),
      h("form", { class: "filters", submit: (event) => event.preventDefault() }, ...selects.map(({ label }) => label)),
      list.element,
    ],
    update(settings) {
      current = Object.fromEntries(settings);
      for (const { name, select } of selects) select.value = settings.get(name) ?? "";
      const words = (settings.get("q") ?? "").toLowerCase().split(/\s+/u).filter(Boolean);
      const rows = settings.get("sort") === "tokens" ? byTokens() : byName;
      const found = rows.filter(
        ({ tool, text }) => matches(tool, settings) && words.every((word) => text.includes(word)),
      );
      list.show(found.map(({ row }) => row));
      const shown = found.length;
      summary.textContent =
        shown === tools.length ? `${count(shown, "tool")}.` : `${thousands(shown)} of ${count(tools.length, "tool")}.`;
    },
  };
}

function matches(tool: ToolSummary, settings: URLSearchParams): boolean {
  const is = (name: string, test: (value: string) => boolean): boolean => {
    const value = settings.get(name);
    return value === null || value === "" || test(value);
  };
  return (
    is("effect", (value) => tool.effect === value) &&
    is("asking", (value) => tool.asking === value) &&
    is("toolset", (value) => tool.toolsets.includes(value)) &&
    is("tag", (value) => tool.tags.includes(value)) &&
    is("owner", (value) => tool.owner === value) &&
    is("folder", (value) => tool.folder === value) &&
    is("approval", (value) => value === approvalOf(tool))
  );
}

function approvalOf({ claims, waiting }: ToolSummary): string {
  if (claims === 0) return "none";
  return waiting > 0 ? "waiting" : "approved";
}

function searchText({ name, title = "", about, owner = "", tags, aliases }: ToolSummary): string {
  return [name, title, about, owner, ...tags, ...aliases].join("\n").toLowerCase();
}

function rowOf(tool: ToolSummary): HTMLElement {
  return h(
    "li",
    {},
    h(
      "a",
      { href: linkTo("tool", tool.name) },
      h("span", { class: "name" }, tool.name),
      h("span", { class: "about" }, tool.about),
      h("span", { class: "chips" }, ...createRiskChips(tool)),
      h("span", { class: "tokens" }, count(tool.tokens, "token")),
    ),
  );
}

/** Items added at once: more than the tallest screen shows. */
const STEP = 100;
/** The distance below the screen at which the next items are added. */
const AHEAD = "1500px";

interface LongList {
  readonly element: HTMLElement;
  show(items: readonly (() => HTMLElement)[]): void;
}

/** Creates an empty list that grows as the reader scrolls, and prints in full. */
function longList(className: string): LongList {
  const list = h("ul", { class: className });
  const end = h("div", { class: "list-end", "aria-hidden": "true" });
  let items: readonly (() => HTMLElement)[] = [];
  let shown = 0;
  const add = (count: number): void => {
    list.append(...items.slice(shown, shown + count).map((make) => make()));
    shown = Math.min(items.length, shown + count);
    watcher.unobserve(end);
    // Observing again reports at once if the end is still near.
    if (shown < items.length) watcher.observe(end);
  };
  const watcher = new IntersectionObserver(
    (entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) add(STEP);
    },
    { rootMargin: `0px 0px ${AHEAD} 0px` },
  );
  addEventListener("beforeprint", () => add(items.length));
  return {
    element: h("div", {}, list, end),
    show(wanted) {
      items = wanted;
      shown = 0;
      list.replaceChildren();
      add(STEP);
    },
  };
}
