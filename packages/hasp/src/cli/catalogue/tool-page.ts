import { catalogue } from "../../../../catalogue/src/catalogue.js";
import { catalogueData } from "../../../../catalogue/src/data/catalogue-data.js";
import { shownClaims } from "../../../../compiler/src/policies/index.js";
import { readCatalogueAssets } from "./catalogue-assets.js";
import { type LanguageProject, readProjectApprovals } from "../../../../language-server/src/language-project.js";

/** Returns the catalogue, opened at a tool; `undefined` for an unknown tool. */
export async function toolPage(project: LanguageProject, tool: string): Promise<string | undefined> {
  const { compiled, sources, diagnostics } = project;
  if (compiled === undefined) return undefined;
  const { plan, result } = compiled;
  const data = catalogueData({
    name: project.name,
    plan,
    result,
    diagnostics,
    claims: shownClaims(result, readProjectApprovals(project, compiled)),
    texts: new Map(sources.map(({ uri, text }) => [uri, text])),
  });
  const { tools, unknown } = data.overview;
  if (![...tools, ...unknown].some(({ name }) => name === tool)) return undefined;
  return catalogue(data, await readCatalogueAssets(), { route: `#/tool/${encodeURIComponent(tool)}` })[0]?.text;
}
