import { h } from "../parts/dom.js";

export type Line = { readonly text: string; readonly at?: number; readonly key?: string } | { readonly file: string };

interface LinesPane {
  readonly element: HTMLElement;
  /** Highlights the lines of a place. With `scrolls`, scrolls to the first. */
  light(key: string | undefined, scrolls: boolean): void;
  choose(key: string): void;
  /** Reports the place of the line under the pointer, or of the chosen one. */
  listen(listener: (key: string | undefined, isChosen: boolean) => void): void;
}

/** Creates a pane. The arrow keys move from one linked line to the next. */
export function renderLines(label: string, lines: readonly Line[]): LinesPane {
  const element = h("div", { class: "lines", role: "listbox", tabindex: 0, "aria-label": label });
  const prefix = `line-${label.replaceAll(/\W/gu, "-")}`;
  const options: { readonly key: string | undefined; readonly row: HTMLElement }[] = [];
  for (const [index, line] of lines.entries()) {
    if ("file" in line) {
      element.append(h("div", { class: "file", role: "presentation" }, line.file));
      continue;
    }
    const { text, at, key } = line;
    const row = h(
      "div",
      {
        role: "option",
        id: `${prefix}-${index}`,
        "aria-selected": "false",
        class: key === undefined ? "" : "is-linked",
      },
      h("span", { class: "at" }, at),
      h("span", { class: "text" }, text === "" ? " " : text),
    );
    options.push({ key, row });
    element.append(row);
  }
  const linked = options.filter(({ key }) => key !== undefined);
  let chosen: (typeof options)[number] | undefined;
  let tell: (key: string | undefined, isChosen: boolean) => void = () => undefined;
  const light = (key: string | undefined, scrolls: boolean): void => {
    let first: HTMLElement | undefined;
    for (const option of linked) {
      const isLit = key !== undefined && option.key === key;
      option.row.classList.toggle("is-lit", isLit);
      if (isLit) first ??= option.row;
    }
    if (scrolls && first !== undefined) scrollInside(element, first);
  };
  const select = (option: (typeof options)[number] | undefined): void => {
    chosen?.row.setAttribute("aria-selected", "false");
    chosen = option;
    if (option === undefined) return;
    option.row.setAttribute("aria-selected", "true");
    element.setAttribute("aria-activedescendant", option.row.id);
    scrollInside(element, option.row);
    tell(option.key, true);
  };
  element.addEventListener("mouseover", (event) => tell(optionAt(event)?.key ?? chosen?.key, false));
  element.addEventListener("mouseleave", () => tell(chosen?.key, false));
  element.addEventListener("click", (event) => {
    const option = optionAt(event);
    if (option?.key !== undefined) select(option);
  });
  element.addEventListener("keydown", (event) => {
    const index = chosen === undefined ? -1 : linked.indexOf(chosen);
    const next = { ArrowDown: index + 1, ArrowUp: index - 1, Home: 0, End: linked.length - 1 }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    const option = linked[Math.max(0, Math.min(linked.length - 1, next))];
    if (option !== undefined) select(option);
  });
  const optionAt = ({ target }: Event): (typeof options)[number] | undefined => {
    const row = target instanceof Element ? target.closest('[role="option"]') : null;
    return options.find((option) => option.row === row);
  };
  return {
    element,
    light,
    choose: (key) => select(linked.find((option) => option.key === key)),
    listen: (listener) => void (tell = listener),
  };
}

export function linkPanes(left: LinesPane, right: LinesPane, onChosen: (key: string) => void): void {
  const follow = (from: LinesPane, to: LinesPane): void =>
    from.listen((key, isChosen) => {
      from.light(key, false);
      to.light(key, isChosen);
      if (isChosen && key !== undefined) onChosen(key);
    });
  follow(left, right);
  follow(right, left);
}

/** Scrolls a pane, but not the page around it. */
function scrollInside(pane: HTMLElement, row: HTMLElement): void {
  const top = row.offsetTop - pane.offsetTop;
  if (top < pane.scrollTop) pane.scrollTop = top - row.offsetHeight;
  else if (top + row.offsetHeight > pane.scrollTop + pane.clientHeight) {
    pane.scrollTop = top - pane.clientHeight + row.offsetHeight * 2;
  }
}
