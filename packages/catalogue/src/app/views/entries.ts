import { dropUndefined } from "@hasp/base/json";
import type { JsonObject, JsonValue } from "@hasp/schema";
import { printEntryLines } from "@hasp/report";
import type { DialectEntry, LineRef, ListedEntry, ToolPage } from "../../model.js";
import { readFiles } from "../parts/page.js";
import { type Child, h, replace } from "../parts/dom.js";
import { chip, json, placeText, table } from "../parts/blocks.js";
import { count, thousands } from "../parts/words.js";
import { linkPanes, type Line, renderLines } from "./linked-lines.js";

const MOST_LINES = 2000;

interface ReadLine {
  readonly text: string;
  readonly key?: string;
}

/** Shows the spec's lines beside a dialect's, linked both ways. `onChoice` receives the dialect and the chosen line. */
export function renderEntries(
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
  if ("excluded" in entry) {
    return [
      h("p", { class: "verdict caution" }, `The list for ${entry.dialect} does not have this tool: ${entry.excluded}`),
    ];
  }
  const { sources } = page;
  const files = readFiles();
  const read = readLines(entry, page);
  const linked = new Set(read.map(({ key }) => key));
  const specLines = sources.flatMap(({ uri, first, last, lines }, source): readonly Line[] => [
    ...(source === 0 ? [] : [{ file: uri }]),
    ...(lines ?? files[uri]?.slice(first - 1, last) ?? []).map((text, index) => {
      const key = `${source}:${first + index}`;
      return { text, at: first + index, ...(linked.has(key) ? { key } : {}) };
    }),
  ]);
  const left = renderLines("Lines of the spec", specLines);
  const right = renderLines(`Lines of the entry for ${entry.dialect}`, read.slice(0, MOST_LINES));
  linkPanes(left, right, onLine);
  // The panes must be on the page before they scroll.
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
          h("h3", {}, `What the model of ${entry.dialect} reads`),
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
    read.length > MOST_LINES &&
      h("p", { class: "note" }, `${count(read.length - MOST_LINES, "more line")} of the entry are not shown.`),
    h(
      "p",
      { class: "note hint" },
      "Point at a line, or move through a column with the arrow keys, to see where it comes from and where it goes.",
    ),
    h("h3", {}, `What ${entry.dialect} cannot express`),
    losses(entry, page),
  ];
}

function readLines({ frame, schemas }: ListedEntry, page: ToolPage): readonly ReadLine[] {
  const inside = schemas.map(([path, index]) => ({ path, ...page.schemas[index] }));
  let definition: JsonValue = frame;
  for (const { path, schema = null } of inside) definition = withValueAt(definition, path, schema as JsonValue);
  const lines = printEntryLines(
    definition as JsonObject,
    inside.flatMap(({ schema }) => (typeof schema === "object" ? [schema] : [])),
  );
  return lines.map(({ text, origin }) => {
    const ref =
      origin === undefined
        ? undefined
        : origin.kind === "text"
          ? page.textLines[origin.key]
          : inside[origin.schema]?.lines?.[origin.line];
    const key = keyOf(ref);
    return { text, ...dropUndefined({ key }) };
  });
}

function withValueAt(value: JsonValue, [key, ...rest]: readonly string[], inner: JsonValue): JsonValue {
  if (key === undefined) return inner;
  const outer = value as JsonObject;
  return { ...outer, [key]: withValueAt(outer[key] ?? null, rest, inner) };
}

function keyOf(ref: LineRef = 0): string | undefined {
  if (typeof ref === "number") return ref === 0 ? undefined : `0:${ref}`;
  return ref.join(":");
}

function placeOf(ref: LineRef, { sources }: ToolPage): string {
  const [source, line] = typeof ref === "number" ? [0, ref] : ref;
  return placeText({ uri: sources[source]?.uri ?? "", line });
}

function losses({ dialect, losses: indexes }: ListedEntry, page: ToolPage): HTMLElement {
  const found = indexes.flatMap((index) => page.losses.slice(index, index + 1));
  if (found.length === 0) return h("p", { class: "soft" }, "Nothing is lost.");
  const hasWitnesses = found.some(({ witness }) => witness !== undefined);
  return table(
    `Losses for ${dialect}`,
    ["at", "keyword", "where", "held by", "in words", ...(hasWitnesses ? ["differs on"] : [])],
    found.map(({ pointer, keyword, line, direction, enforcedBy, words, witness }) => [
      h("code", {}, pointer === "" ? "(the input)" : pointer),
      h("code", {}, keyword),
      h("code", {}, placeOf(line, page)),
      enforcedBy === "runtime" ? "the runtime" : h("td", {}, chip(`nobody: ${direction}`, "caution")),
      words ?? "",
      ...(hasWitnesses ? [witness === undefined ? "none found" : json(witness)] : []),
    ]),
  );
}
