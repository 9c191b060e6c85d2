import type { CatalogueData, Overview, ToolPage } from "../../model.js";

/** The page's initial data and view. */
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

/** Reads the lines of shared files, which come before all tools. */
export function readFiles(): CatalogueData["files"] {
  return readBlock("files") as CatalogueData["files"];
}

/** Trusts the type of a block: hasp wrote it. */
function readBlock(id: string): unknown {
  const text = document.getElementById(id)?.textContent;
  return text === undefined || text === null ? undefined : (JSON.parse(text) as unknown);
}
