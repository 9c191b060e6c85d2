import type { CatalogueData, Overview, ToolPage } from "../../model.js";

/** Data that the page has at the start, and the view with which it opens. */
export interface PageData extends Overview {
  readonly route?: string;
}

/** Reads the data of the whole project. */
export function readOverview(): PageData {
  return readBlock("overview") as PageData;
}

/** Reads the data of a tool, once the page has loaded as far as that; `undefined` if there is no such tool. */
export async function readTool(name: string): Promise<ToolPage | undefined> {
  const found = readBlock(`tool:${name}`);
  if (found !== undefined || document.readyState !== "loading") return found as ToolPage | undefined;
  await new Promise((resolve) => document.addEventListener("DOMContentLoaded", resolve, { once: true }));
  return readBlock(`tool:${name}`) as ToolPage | undefined;
}

/** Reads the lines of the files that specs share; they come before all tools. */
export function readFiles(): CatalogueData["files"] {
  return readBlock("files") as CatalogueData["files"];
}

/** The blocks are written by hasp, so that they are what their names say. */
function readBlock(id: string): unknown {
  const text = document.getElementById(id)?.textContent;
  return text === undefined || text === null ? undefined : (JSON.parse(text) as unknown);
}
