import type { CatalogueData, Overview, ToolPage } from "../../model.js";

export interface PageData extends Overview {
  readonly route?: string;
}

export function readOverview(): PageData {
  return readBlock("overview") as PageData;
}

/** Reads a tool's data once the page has loaded it; `undefined` for an unknown tool. */
export async function readTool(name: string): Promise<ToolPage | undefined> {
  const found = readBlock(`tool:${name}`);
  if (found !== undefined || document.readyState !== "loading") return found as ToolPage | undefined;
  await new Promise((resolve) => document.addEventListener("DOMContentLoaded", resolve, { once: true }));
  return readBlock(`tool:${name}`) as ToolPage | undefined;
}

/** Reads the lines of shared files, which precede all tools in the page. */
export function readFiles(): CatalogueData["files"] {
  return readBlock("files") as CatalogueData["files"];
}

/** Reads a block of the page. Trusts its type, because hasp wrote it. */
function readBlock(id: string): unknown {
  const text = document.getElementById(id)?.textContent;
  return text === undefined || text === null ? undefined : (JSON.parse(text) as unknown);
}

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
