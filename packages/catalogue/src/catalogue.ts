import { dropUndefined } from "@hasp/base/json";
import { hash } from "node:crypto";
import type { CatalogueData } from "./model.js";
import { escapeUnits, INVISIBLE } from "@hasp/base/diagnostics";

export interface CatalogueAssets {
  readonly script: string;
  readonly style: string;
}

interface CatalogueFile {
  readonly path: string;
  readonly text: string;
}

interface PageOptions {
  /** The first view, such as `#/tool/find_orders`. Default: the overview. */
  readonly route?: string;
}

/** The start of every page, by which a later run recognises a page that it may replace. */
export const CATALOGUE_MARK: RegExp = /^<!doctype html>\n<!-- A catalogue of agent tools, written by hasp\. -->\n/u;

/**
 * Returns a catalogue's files: one page that works offline and from `file://`. It holds inert JSON data, and one script
 * and one style, which its content security policy admits by their hashes. The same data gives the same bytes.
 */
export function catalogue(
  { overview, tools, files }: CatalogueData,
  { script, style }: CatalogueAssets,
  { route }: PageOptions = {},
): readonly CatalogueFile[] {
  const policy = [
    "default-src 'none'",
    `script-src ${sourceOf(script)}`,
    `style-src ${sourceOf(style)}`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  const blocks = [dataBlock("files", files), ...tools.map((tool) => dataBlock(`tool:${tool.name}`, tool))];
  const text = `<!doctype html>
<!-- A catalogue of agent tools, written by hasp. -->
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Tool catalogue</title>
<style>${style}</style>
</head>
<body>
<noscript>This catalogue is drawn by a script. The command <code>hasp show</code> shows the same tools as text.</noscript>
${dataBlock("overview", { ...overview, ...dropUndefined({ route }) })}
<script>${script}</script>
${blocks.join("\n")}
</body>
</html>
`;
  return [{ path: "index.html", text }];
}

function sourceOf(text: string): string {
  return `'sha256-${hash("sha256", text, "base64")}'`;
}

/** Embeds JSON in the page. Ids are safe: tool names have only letters, digits, `_` and `-`. */
function dataBlock(id: string, value: object): string {
  return `<script type="application/json" id="${id}">${inertJson(value)}</script>`;
}

/** Prints JSON for an HTML page: escapes characters that are markup, invisible, or change the direction of text. */
export function inertJson(value: unknown): string {
  // Nearly all characters are plain and need no Unicode tables.
  return JSON.stringify(value).replaceAll(/[<>&]|[^\u0020-\u007e]+/gu, (part) =>
    part.length === 1 && "<>&".includes(part) ? escapeUnits(part) : part.replaceAll(INVISIBLE, escapeUnits),
  );
}
