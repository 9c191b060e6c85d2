import { type Child, h, replace } from "./parts/dom.js";
import { linkTo, type PageData, readOverview, readRoute, readTool, type Route, type ViewName } from "./parts/page.js";
import { heading } from "./parts/blocks.js";
import { renderBench } from "./views/bench.js";
import { renderChanges, renderFindings } from "./views/findings.js";
import { renderOverview } from "./views/overview.js";
import { renderTool } from "./views/tool.js";
import { createToolsView, type ToolsView } from "./views/tools.js";
import { count } from "./parts/words.js";

type Theme = "system" | "light" | "dark";

const ORDER: readonly Theme[] = ["system", "light", "dark"];
const KEY = "hasp-catalogue-theme";

function nextTheme(theme: Theme): Theme {
  return ORDER[(ORDER.indexOf(theme) + 1) % ORDER.length] ?? "system";
}

/** Reads the stored theme; some browsers refuse storage to pages from files. */
function storedTheme(): Theme {
  try {
    return ORDER.find((theme) => theme === localStorage.getItem(KEY)) ?? "system";
  } catch {
    return "system";
  }
}

function applyTheme(theme: Theme): void {
  if (theme === "system") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = theme;
  try {
    localStorage.setItem(KEY, theme);
  } catch {
    // The choice holds for this page only.
  }
}

const TABS: readonly (readonly [view: ViewName, title: string])[] = [
  ["overview", "Overview"],
  ["tools", "Tools"],
  ["changes", "Changes"],
  ["findings", "Findings"],
];

start(readOverview());

function start(data: PageData): void {
  const main = h("main", { id: "main" });
  const views = TABS.filter(([view]) => data.pages === undefined || view === "changes");
  const project = h(
    "a",
    { class: "project", href: linkTo(data.pages === undefined ? "overview" : "changes") },
    data.project,
  );
  const tabs = views.map(([view, title]) => ({ view, link: h("a", { href: linkTo(view) }, title) }));
  const search = h("input", {
    type: "search",
    placeholder: "Search tools",
    "aria-label": "Search tools",
    "aria-keyshortcuts": "/",
    input: () => choose({ q: search.value }, "tools"),
  });
  let theme = storedTheme();
  const themeButton = h("button", { type: "button", class: "theme", click: () => setTheme(nextTheme(theme)) });
  const setTheme = (wanted: typeof theme): void => {
    theme = wanted;
    applyTheme(theme);
    replace(themeButton, `Theme: ${theme}`);
  };
  setTheme(theme);

  let tools: ToolsView | undefined;
  let shown: Route | undefined;
  let latest = 0;
  /** Stores choices in the address without adding an entry to the history. */
  const choose = (settings: Readonly<Record<string, string>>, view = shown?.view ?? "overview"): void => {
    const isSame = shown?.view === view;
    const before = isSame ? Object.fromEntries(shown?.settings ?? []) : {};
    const link = linkTo(view, isSame ? shown?.tool : undefined, { ...before, ...settings });
    if (!isSame) {
      location.hash = link;
      return;
    }
    history.replaceState(null, "", link);
    const route = readRoute(link);
    shown = route;
    if (view === "tools") tools?.update(route.settings);
  };
  const show = async (route: Route): Promise<void> => {
    const run = (latest += 1);
    const isFirst = shown === undefined;
    const keepsFocus = document.activeElement === search;
    shown = route;
    for (const { view, link } of tabs) {
      if (view === (route.view === "tool" || route.view === "bench" ? "tools" : route.view)) {
        link.setAttribute("aria-current", "page");
      } else link.removeAttribute("aria-current");
    }
    if (!keepsFocus) search.value = route.view === "tools" ? (route.settings.get("q") ?? "") : "";
    const nodes = await nodesOf(route);
    if (run !== latest) return;
    replace(main, ...nodes);
    const title = main.querySelector("h1");
    document.title = [...new Set([title?.textContent ?? "Tools", project.textContent])].join(" · ");
    if (isFirst || keepsFocus) return;
    scrollTo({ top: 0, behavior: "instant" });
    title?.focus({ preventScroll: true });
  };
  const nodesOf = async ({ view, tool, settings }: Route): Promise<readonly Child[]> => {
    switch (view) {
      case "overview":
        return renderOverview(data);
      case "changes":
        return renderChanges(data);
      case "findings":
        return renderFindings(data);
      case "tools":
        tools ??= createToolsView(data, choose);
        tools.update(settings);
        return tools.nodes;
      case "tool":
      case "bench": {
        const [page, summary] = [await readTool(tool ?? ""), data.tools.find(({ name }) => name === tool)];
        if (page === undefined || summary === undefined) return missing(tool ?? "", data);
        return view === "bench"
          ? renderBench(page, data, settings, choose)
          : renderTool(page, summary, data, settings, choose);
      }
    }
  };

  document.body.append(
    h(
      "a",
      {
        class: "skip",
        href: "#main",
        click: (event) => {
          event.preventDefault();
          main.querySelector("h1")?.focus();
        },
      },
      "Skip to the content",
    ),
    h(
      "header",
      { class: "bar" },
      h(
        "div",
        { class: "bar-inner" },
        project,
        h("nav", { "aria-label": "Views" }, ...tabs.map(({ link }) => link)),
        h("form", { class: "search", role: "search", submit: (event) => event.preventDefault() }, search),
        themeButton,
      ),
    ),
    main,
  );
  document.addEventListener("keydown", (event) => {
    const isTyping = event.target instanceof Element && event.target.matches("input, textarea, select");
    if (event.key === "/" && !isTyping && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      search.focus();
    }
    if (event.key === "Escape" && event.target === search && search.value !== "") {
      search.value = "";
      choose({ q: "" }, "tools");
    }
  });
  addEventListener("hashchange", () => void show(readRoute(location.hash)));
  void show(readRoute(location.hash === "" ? (data.route ?? "") : location.hash));
}

function missing(name: string, { unknown }: PageData): readonly Child[] {
  const errors = unknown.find((tool) => tool.name === name)?.errors;
  return [
    heading("Not shown"),
    h(
      "p",
      { class: "lead" },
      errors === undefined
        ? ["This catalogue has no tool ", h("code", {}, name), "."]
        : [
            h("code", {}, name),
            ` has ${count(errors, "error")}, so that nobody knows what it may do. `,
            h("a", { href: linkTo("findings") }, "Findings"),
          ],
    ),
  ];
}
