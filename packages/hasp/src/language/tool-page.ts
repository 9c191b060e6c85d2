import { catalogue, type CatalogueAssets } from "../catalogue/catalogue.js";
import { catalogueData } from "../catalogue/data/catalogue-data.js";
import { loadSource } from "../phases/1-load/index.js";
import { shownClaims } from "../policies/index.js";
import type { LanguageProject } from "./model/language-project.js";

/** Returns the catalogue as a page that opens at a tool; `undefined` where nobody knows such a tool. */
export function toolPage(project: LanguageProject, tool: string, assets: CatalogueAssets): string | undefined {
  const { compiled, sources, cache, diagnostics } = project;
  if (compiled === undefined) return undefined;
  const { plan, result } = compiled;
  const ledgers = sources.flatMap((source) =>
    source.role === "ledger" ? (loadSource(source, cache).value ?? []) : [],
  );
  const data = catalogueData({
    name: project.name,
    plan,
    result,
    diagnostics,
    claims: shownClaims(result, ledgers, plan),
    texts: new Map(sources.map(({ uri, text }) => [uri, text])),
  });
  const { tools, unknown } = data.overview;
  if (![...tools, ...unknown].some(({ name }) => name === tool)) return undefined;
  return catalogue(data, assets, { route: `#/tool/${encodeURIComponent(tool)}` })[0]?.text;
}
