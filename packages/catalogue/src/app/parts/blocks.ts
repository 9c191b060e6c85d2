import { sumBy } from "@hasp/base/json";
import type { Finding, Place, ToolSummary } from "../../model.js";
import { type Child, h } from "./dom.js";
import { linkTo } from "./page.js";
import { ASKING, count, EFFECTS, thousands, chooseTone, type Tone } from "./words.js";

export function block(id: string, title: string, ...children: readonly Child[]): HTMLElement {
  return h("section", { class: "block", "aria-labelledby": id }, h("h2", { id, tabindex: -1 }, title), ...children);
}

/** Creates a view's heading, which takes the focus when the view opens. */
export function heading(...children: readonly Child[]): HTMLElement {
  return h("h1", { tabindex: -1 }, ...children);
}

export function chip(text: string, tone?: Tone): HTMLElement {
  return h("span", { class: tone === undefined ? "chip" : `chip ${tone}` }, text);
}

export function createRiskChips(tool: ToolSummary): readonly Child[] {
  return [
    chip(`${EFFECTS[tool.effect].short}, ${ASKING[tool.asking].short}`, chooseTone(tool)),
    tool.isOpenWorld && chip("reaches outside"),
    tool.needsUser && chip("needs a user"),
    tool.isDeferred && chip("found by search"),
    tool.featureGate !== undefined && chip(`behind ${tool.featureGate}`),
    tool.waiting > 0 && chip(`${tool.waiting} not approved`, "danger"),
  ];
}

/** Creates a table that scrolls on its own if it is wider than the page. Numeric columns align right. */
export function table(label: string, titles: readonly string[], rows: readonly (readonly Child[])[]): HTMLElement {
  return h(
    "div",
    { class: "scroll", tabindex: 0, role: "region", "aria-label": label },
    h(
      "table",
      {},
      h("thead", {}, h("tr", {}, ...titles.map((title, index) => headOf(title, rows[0]?.[index])))),
      h("tbody", {}, ...rows.map((cells) => h("tr", {}, ...cells.map((cell) => cellOf(cell))))),
    ),
  );
}

function headOf(title: string, below: Child): HTMLElement {
  if (title === "") return h("td");
  const isNumber = typeof below === "number" || (below instanceof Element && below.classList.contains("number"));
  return h("th", { scope: "col", class: isNumber && "number" }, title);
}

function cellOf(cell: Child): HTMLElement {
  if (typeof cell === "number") return h("td", { class: "number" }, thousands(cell));
  return cell instanceof HTMLTableCellElement ? cell : h("td", {}, cell);
}

/** Creates a bar for a share, with a mark at another share. */
export function meter(share: number, mark?: number): HTMLElement {
  const fill = h("i");
  // The content security policy refuses inline styles, but not those that a script sets.
  fill.style.width = `${Math.min(1, share) * 100}%`;
  const bar = h(
    "div",
    { class: mark !== undefined && share > mark ? "meter over" : "meter", "aria-hidden": "true" },
    fill,
  );
  if (mark !== undefined) {
    const line = h("b");
    line.style.left = `calc(${Math.min(1, mark) * 100}% - 1px)`;
    bar.append(line);
  }
  return bar;
}

export function json(value: unknown): HTMLElement {
  return h("code", {}, JSON.stringify(value));
}

export function placeText({ uri, line }: Place): string {
  return `${uri}:${line}`;
}

const SEVERITIES: { readonly [severity in Finding["severity"]]: readonly [word: string, tone?: Tone] } = {
  error: ["error", "danger"],
  warning: ["warning", "caution"],
  info: ["note"],
};

interface FindingsEnd {
  /** The number of findings, including unlisted ones. */
  readonly total: number;
  readonly empty: string;
  readonly command: string;
}

export function createFindingList(
  findings: readonly Finding[],
  { total, empty, command }: FindingsEnd,
  known: ReadonlySet<string>,
): Child[] {
  const missing = total - sumBy(findings, ({ count: number = 1 }) => number);
  return [
    findings.length > 0 && findingItems(findings, known),
    missing > 0 &&
      h(
        "p",
        {},
        `${count(missing, "more finding")} ${missing === 1 ? "is" : "are"} not listed here. `,
        h("code", {}, command),
        " prints all.",
      ),
    total === 0 && h("p", { class: "soft" }, empty),
  ];
}

function findingItems(findings: readonly Finding[], known: ReadonlySet<string>): HTMLElement {
  return h(
    "ul",
    {},
    ...findings.map(({ severity, code, message, help, tool, place, may, tools = [], projects = [], by }) =>
      h(
        "li",
        { class: "finding" },
        h(
          "div",
          { class: "where" },
          chip(...SEVERITIES[severity]),
          may === true && chip("not proved"),
          tool !== undefined && createToolLink(tool, known),
          place !== undefined && h("span", { class: "code" }, placeText(place)),
          h("span", { class: "code" }, code),
        ),
        h("p", {}, message),
        help !== undefined && h("p", { class: "soft" }, help),
        by !== undefined && h("p", { class: "soft" }, `File last changed by ${by}, according to git.`),
        projects.length > 0 &&
          h("p", { class: "soft" }, `${count(projects.length, "project")}: ${projects.join(", ")}`),
        tools.length > 0 &&
          h(
            "details",
            {},
            h("summary", {}, `${count(tools.length, "tool")}, such as ${tools[0]}`),
            ...tools.flatMap((name) => [createToolLink(name, known), " "]),
          ),
      ),
    ),
  );
}

export function createToolLink(name: string, known: ReadonlySet<string>): HTMLElement {
  return known.has(name)
    ? h("a", { href: linkTo("tool", name), class: "code" }, name)
    : h("span", { class: "code" }, name);
}
