/** The view, tool and settings in a permanent link. */
export interface Route {
  readonly view: ViewName;
  readonly tool?: string;
  readonly settings: URLSearchParams;
}

export type ViewName = "overview" | "tools" | "tool" | "bench" | "changes" | "findings";

const VIEWS: ReadonlySet<string> = new Set<ViewName>(["overview", "tools", "tool", "bench", "changes", "findings"]);

/** Reads a route from an address after `#`; defaults to the overview. */
export function readRoute(hash: string): Route {
  const [path = "", query = ""] = hash.replace(/^#\/?/u, "").split(/\?(.*)/su);
  const [name = "", tool] = path.split("/");
  const settings = new URLSearchParams(query);
  const view = VIEWS.has(name) ? (name as ViewName) : "overview";
  return tool === undefined || tool === "" ? { view, settings } : { view, tool, settings };
}

export function linkTo(view: ViewName, tool?: string, settings: Readonly<Record<string, string>> = {}): string {
  const query = new URLSearchParams(Object.entries(settings).filter(([, value]) => value !== "")).toString();
  const path = view === "overview" ? "" : tool === undefined ? view : `${view}/${tool}`;
  return `#/${path}${query === "" ? "" : `?${query}`}`;
}
