import { dropUndefined } from "@hasp/base/json";
import { readFile } from "node:fs/promises";
import { posix, resolve } from "node:path";
import { catalogue, CATALOGUE_MARK, type CatalogueAssets } from "../catalogue.js";
import { catalogueData, type CatalogueProject } from "../data/catalogue-data.js";
import { createChanges, listFindings } from "../data/finding.js";
import type { CatalogueData, Changes, Overview } from "../model.js";
import type { Review } from "../review.js";
import type { Diagnostic } from "@hasp/base/diagnostics";
import { leadsOutside, locateOwnFile } from "@hasp/project";
import { writeReport } from "@hasp/project/output";
import { readProjectName } from "@hasp/project/read";
import { type CompiledProject, listProjectClaims, sessionDiagnostics } from "@hasp/project/session";
import { catalogueDiagnostics } from "./diagnostics.js";

async function readCatalogueAssets(): Promise<CatalogueAssets> {
  const [script, style] = await Promise.all(
    ["page.js", "page.css"].map(async (name) => readFile(locateOwnFile(`dist/catalogue/${name}`), "utf8")),
  );
  return { script: script ?? "", style: style ?? "" };
}

/** Renders the page opened at a tool; `undefined` if the project has no such tool. */
export async function renderToolPage(input: CatalogueProject, tool: string): Promise<string | undefined> {
  const data = catalogueData(input);
  const { tools, unknown } = data.overview;
  if (![...tools, ...unknown].some(({ name }) => name === tool)) return undefined;
  return catalogue(data, await readCatalogueAssets(), { route: `#/tool/${encodeURIComponent(tool)}` })[0]?.text;
}

interface CatalogueTarget {
  readonly folder: string;
  readonly out: string;
  readonly changes?: Changes | undefined;
  readonly route?: string | undefined;
}

export async function writeCatalogue(
  project: CompiledProject,
  { folder, out, changes, route }: CatalogueTarget,
): Promise<{ readonly data: CatalogueData; readonly problems: readonly Diagnostic[] }> {
  const { root, plan, result, texts, diagnostics } = project;
  const data = catalogueData({
    name: readProjectName(root),
    plan,
    result,
    diagnostics,
    claims: await listProjectClaims(project),
    texts,
    ...dropUndefined({ changes }),
  });
  return { data, problems: await writePage(data, { folder, out, route }) };
}

/** Writes the review of several projects as a page that links to the catalogue of each, below it. */
export async function writeChangesPage(
  { base, findings, costs }: Review,
  { pages, ...target }: Pick<CatalogueTarget, "folder" | "out"> & { readonly pages: readonly string[] },
): Promise<readonly Diagnostic[]> {
  const overview: Overview = {
    project: "All projects",
    countsTokens: false,
    tools: [],
    unknown: [],
    lists: [],
    findings: listFindings([], 0),
    policies: [],
    flows: [],
    changes: createChanges(findings, costs, base),
    pages,
  };
  return writePage({ overview, tools: [], files: {} }, { ...target, route: "#/changes" });
}

async function writePage(
  data: CatalogueData,
  { folder, out, route }: Omit<CatalogueTarget, "changes">,
): Promise<readonly Diagnostic[]> {
  const problems: Diagnostic[] = [];
  const files = catalogue(data, await readCatalogueAssets(), dropUndefined({ route }));
  for (const { path, text } of files) {
    const outcome = leadsOutside(folder, resolve(folder, out))
      ? ({ state: "failed", reason: "links lead out of the folder" } as const)
      : await writeReport(resolve(folder, out, path), text, (start) => CATALOGUE_MARK.test(start));
    const shown = posix.join(out, path);
    if (outcome.state === "occupied") {
      problems.push(catalogueDiagnostics("catalogue-over-file", undefined, { path: shown }));
    }
    if (outcome.state === "failed") {
      problems.push(sessionDiagnostics("cannot-write", undefined, { path: shown, reason: outcome.reason }));
    }
  }
  return problems;
}
