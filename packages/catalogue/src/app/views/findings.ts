import type { Changes, CostChange, Finding, Overview } from "../../model.js";
import { type Child, h, replace } from "../parts/dom.js";
import { block, createFindingList, heading, table } from "../parts/blocks.js";
import { count, thousands } from "../parts/words.js";

export function renderFindings({ findings, tools, unknown }: Overview): readonly Child[] {
  const known = new Set(tools.map(({ name }) => name));
  const end = { total: findings.total, empty: "The specs have no finding.", command: "hasp check --format json" };
  return [
    h(
      "div",
      { class: "head" },
      heading("Findings"),
      h("p", { class: "soft" }, `${count(end.total, "finding")} of `, h("code", {}, "hasp check"), "."),
      unknown.length > 0 &&
        h(
          "p",
          {},
          `Of ${count(unknown.length, "tool")}, only the errors are known: ${unknown.map(({ name }) => name).join(", ")}.`,
        ),
    ),
    ...filteredFindings(findings.listed, end, known),
  ];
}

/** Lists findings below filters for severity, rule and tool. */
function filteredFindings(
  listed: readonly Finding[],
  end: Parameters<typeof createFindingList>[1],
  known: ReadonlySet<string>,
): readonly Child[] {
  const list = h("div");
  const filters = (["severity", "code", "tool"] as const).flatMap((key) => {
    const values = [...new Set(listed.flatMap((finding) => finding[key] ?? []))].toSorted();
    const options = ["", ...values].map((value) => h("option", { value }, value || "All"));
    const select = h("select", { name: key, change: () => show() }, ...options);
    return values.length < 2 ? [] : [{ key, select }];
  });
  const show = (): void => {
    const shown = listed.filter((each) => filters.every(({ key, select }) => ["", each[key]].includes(select.value)));
    replace(list, ...createFindingList(shown, { ...end, total: end.total - listed.length + shown.length }, known));
  };
  show();
  const titles = { severity: "Severity", code: "Rule", tool: "Tool" };
  return [
    filters.length > 0 &&
      h(
        "form",
        { class: "filters", submit: (event) => event.preventDefault() },
        ...filters.map(({ key, select }) => h("label", {}, titles[key], select)),
      ),
    list,
  ];
}

export function renderChanges({ changes, tools, pages }: Overview): readonly Child[] {
  if (changes === undefined) {
    return [
      heading("Changes"),
      h(
        "p",
        { class: "lead" },
        "This catalogue was not compared with another version. ",
        h("code", {}, "hasp catalogue --base origin/main"),
        " compares it.",
      ),
    ];
  }
  const known = new Set(tools.map(({ name }) => name));
  const title = heading(`Changes since ${changes.base}`);
  if ("refusal" in changes) return [title, h("p", { class: "verdict caution" }, changes.refusal)];
  const costs = changes.costs.filter(({ isOther }) => isOther);
  return [
    h("div", { class: "head" }, title, h("p", { class: "lead" }, verdict(changes))),
    ...changes.lists.map(({ kind, title: name, empty, findings }) =>
      block(
        `list-${kind}`,
        `${name}: ${findings.total === 0 ? "nothing" : thousands(findings.total)}`,
        ...createFindingList(
          findings.listed,
          { total: findings.total, empty, command: `hasp diff ${changes.base} --format json` },
          known,
        ),
      ),
    ),
    block(
      "cost",
      "What requests cost",
      costs.length === 0
        ? h("p", { class: "soft" }, "Every list has the same bytes as before.")
        : table("Table of costs", ["toolset", "dialect", "before", "after", "change"], costs.map(costRow)),
    ),
    pages !== undefined && block("projects", "Projects", h("ul", {}, ...pages.map(linkToPage))),
  ];
}

function linkToPage(path: string): Child {
  const href = [...path.split("/").map(encodeURIComponent), "index.html"].join("/");
  return h("li", {}, h("a", { href, class: "code" }, path));
}

function costRow({ toolset, dialect, before, after }: CostChange): readonly Child[] {
  const difference = after - before;
  const sign = difference > 0 ? "+" : "−";
  return [
    toolset,
    h("code", {}, dialect),
    before,
    after,
    h("td", { class: "number" }, difference === 0 ? "none" : `${sign}${thousands(Math.abs(difference))}`),
  ];
}

function verdict(changes: Extract<Changes, { readonly lists: unknown }>): string {
  const counts = changes.lists.map(({ findings }) => findings.total);
  if (counts.every((number) => number === 0)) return "Nothing that affects callers, safety or the prompt has changed.";
  const words = { breaks: "may break callers", loosens: "may loosen safety", prompt: "only affect what a model reads" };
  const parts = changes.lists
    .filter(({ findings }) => findings.total > 0)
    .map(({ kind, findings }) => `${count(findings.total, "change")} ${words[kind]}`);
  return `${parts.join(", ")}.`;
}
