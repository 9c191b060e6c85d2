import { hash } from "node:crypto";
import type { CatalogueData } from "./model.js";
import { inertJson } from "./inert-json.js";

/** The program and the style of the pages, as hasp's own build bundled them. */
export interface CatalogueAssets {
  readonly script: string;
  readonly style: string;
}

/** One file of a catalogue. */
interface CatalogueFile {
  /** Its path inside the folder of the catalogue. */
  readonly path: string;
  readonly text: string;
}

/** Settings of {@link catalogue}; all optional. */
interface CatalogueOptions {
  /** The view that is shown first, such as `#/tool/find_orders`. Default: the overview. */
  readonly route?: string;
}

/** The start of every page, by which a later run recognises a page that it may replace. */
export const CATALOGUE_MARK: RegExp = /^<!doctype html>\n<!-- A catalogue of agent tools, written by hasp\. -->\n/u;

/**
 * Returns the files of a catalogue: one page that needs no network and works from `file://`. It holds the data as JSON,
 * which no browser runs, and one script and one style, which are the same for every project. Its content security
 * policy admits these two by their hashes and nothing else. The same data gives the same bytes.
 */
export function catalogue(
  { overview, tools, files }: CatalogueData,
  { script, style }: CatalogueAssets,
  { route }: CatalogueOptions = {},
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
<noscript>This catalogue is drawn by a script. The command <code>hasp list</code> shows the same tools as text.</noscript>
${dataBlock("overview", { ...overview, ...(route === undefined ? {} : { route }) })}
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

/** JSON for the page's own script. The name of a tool is made of letters, digits, `_` and `-`. */
function dataBlock(id: string, value: object): string {
  return `<script type="application/json" id="${id}">${inertJson(value)}</script>`;
}
