import type { DialectEntry, ToolPage } from "../../model.js";
import { readFiles } from "../parts/data.js";
import { type Child, h, replace } from "../parts/dom.js";
import { chip, json, placeText, table } from "../parts/blocks.js";
import { thousands } from "../parts/words.js";
import { linkPanes, type Line, linesPane } from "./linked-lines.js";

/**
 * Shows the lines of the spec beside what the model of a dialect reads, linked both ways. `onChoice` is called with the
 * dialect and the line that somebody has chosen.
 */
export function entriesPart(
  page: ToolPage,
  settings: URLSearchParams,
  onChoice: (settings: Readonly<Record<string, string>>) => void,
): readonly Child[] {
  const { entries } = page;
  const [first] = entries;
  if (first === undefined) return [h("p", { class: "soft" }, "No toolset lists the tool, so no model reads it.")];
  const holder = h("div", { class: "block" });
  const buttons = entries.map((entry) =>
    h(
      "button",
      {
        type: "button",
        click: () => {
          show(entry);
          onChoice({ dialect: entry.dialect });
        },
      },
      entry.dialect,
    ),
  );
  const show = (entry: DialectEntry): void => {
    for (const [index, button] of buttons.entries()) {
      button.setAttribute("aria-pressed", String(entries[index] === entry));
    }
    replace(
      holder,
      ...entryParts(entry, page, settings.get("line"), (line) => onChoice({ dialect: entry.dialect, line })),
    );
  };
  show(entries.find(({ dialect }) => dialect === settings.get("dialect")) ?? first);
  return [h("div", { class: "tabs", role: "group", "aria-label": "Dialect" }, ...buttons), holder];
}

function entryParts(
  entry: DialectEntry,
  page: ToolPage,
  chosen: string | null,
  onLine: (line: string) => void,
): readonly Child[] {
  if (entry.excluded !== undefined) {
    return [
      h("p", { class: "verdict caution" }, `The list for ${entry.dialect} does not have this tool: ${entry.excluded}`),
    ];
  }
  const { sources, lines: allLines } = page;
  const files = readFiles();
  const ownLines = entry.runs.flatMap(([from, count]) => allLines.slice(from, from + count));
  const keyOf = (source: number | undefined, line: number | undefined): string | undefined =>
    source === undefined || line === undefined ? undefined : `${source}:${line}`;
  const linked = new Set(ownLines.map(([, source, line]) => keyOf(source, line)));
  const specLines = sources.flatMap(({ uri, first, last, lines }, source): readonly Line[] => [
    ...(source === 0 ? [] : [{ file: uri }]),
    ...(lines ?? files[uri]?.slice(first - 1, last) ?? []).map((text, index) => {
      const key = `${source}:${first + index}`;
      return { text, at: first + index, ...(linked.has(key) ? { key } : {}) };
    }),
  ]);
  const entryLines = ownLines.map(([text, source, line]): Line => {
    const key = keyOf(source, line);
    return { text, ...(key === undefined ? {} : { key }) };
  });
  const left = linesPane("Lines of the spec", specLines);
  const right = linesPane(`Lines of the entry for ${entry.dialect}`, entryLines);
  linkPanes(left, right, onLine);
  // The panes scroll to the line, which takes that they are on the page.
  if (chosen !== null) requestAnimationFrame(() => left.choose(chosen));
  return [
    h(
      "div",
      { class: "panes" },
      h(
        "div",
        { class: "pane" },
        h("div", { class: "pane-head" }, h("h3", {}, sources[0]?.uri ?? "The spec")),
        left.element,
      ),
      h(
        "div",
        { class: "pane" },
        h(
          "div",
          { class: "pane-head" },
          h("h3", {}, "What the model reads"),
          h(
            "span",
            { class: "chips" },
            chip(`${thousands(entry.tokens)} tokens`),
            entry.strict && chip("strict"),
            entry.wireName !== "" && chip(entry.wireName),
          ),
        ),
        right.element,
      ),
    ),
    h(
      "p",
      { class: "note" },
      "Point at a line, or move through a column with the arrow keys, to see where it comes from and where it goes.",
    ),
    h("h3", {}, `What ${entry.dialect} cannot express`),
    losses(entry, page),
  ];
}

function losses({ dialect, losses: indexes }: DialectEntry, page: ToolPage): HTMLElement {
  const found = indexes.flatMap((index) => page.losses.slice(index, index + 1));
  if (found.length === 0) return h("p", { class: "soft" }, "Nothing is lost.");
  return table(
    `Losses for ${dialect}`,
    ["at", "keyword", "where", "held by", "in words", "differs on"],
    found.map(({ pointer, keyword, uri, line, direction, enforcedBy, words, witness }) => [
      h("code", {}, pointer === "" ? "(the input)" : pointer),
      h("code", {}, keyword),
      h("code", {}, placeText({ uri, line })),
      enforcedBy === "runtime" ? "the runtime" : h("td", {}, chip(`nobody: ${direction}`, "caution")),
      words ?? "",
      witness === undefined ? "" : json(witness),
    ]),
  );
}
