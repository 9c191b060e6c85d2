import { h } from "./dom.js";

/** Items added at once: more than the tallest screen shows. */
const STEP = 100;
/** The distance below the screen at which the next items are added. */
const AHEAD = "1500px";

/** A list that renders more items as people scroll. */
interface LongList {
  readonly element: HTMLElement;
  /** Shows other items; each function creates an element, or returns its earlier one. */
  show(items: readonly (() => HTMLElement)[]): void;
}

/** Creates an empty list, which prints in full. */
export function longList(className: string): LongList {
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
