import { h } from "./dom.js";

/** Items that are put on the page at once: more than the tallest screen shows. */
const STEP = 100;
/** The distance below the screen at which the next items are added to the page. */
const AHEAD = "1500px";

/** A list of which the page holds the beginning, and more once somebody scrolls there. */
interface LongList {
  readonly element: HTMLElement;
  /** Shows other items. Each is a function that makes one, or gives the one that it made before. */
  show(items: readonly (() => HTMLElement)[]): void;
}

/** Creates an empty list. What is printed is whole. */
export function longList(className: string): LongList {
  const list = h("ul", { class: className });
  const end = h("div", { class: "list-end", "aria-hidden": "true" });
  let items: readonly (() => HTMLElement)[] = [];
  let shown = 0;
  const add = (count: number): void => {
    list.append(...items.slice(shown, shown + count).map((make) => make()));
    shown = Math.min(items.length, shown + count);
    watcher.unobserve(end);
    // To observe it again tells at once whether its place is still near.
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
