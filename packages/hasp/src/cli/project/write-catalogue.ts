import { readFile } from "node:fs/promises";
import { posix, resolve } from "node:path";
import { InvalidArgumentError } from "commander";
import {
  catalogue,
  CATALOGUE_MARK,
  type CatalogueAssets,
  catalogueData,
  type CatalogueData,
  type Changes,
} from "@hasp/catalogue";
import type { Diagnostic } from "@hasp/base/diagnostics";
import { listShownClaims } from "@hasp/compiler/claims";
import { type LanguageProject, readProjectApprovals } from "@hasp/language-server";
import { locateOwnFile } from "@hasp/project";
import { writeReport } from "@hasp/project/output";
import { readProjectName } from "@hasp/project/read";
import { type CompiledProject, listProjectClaims } from "@hasp/project/session";
import { cliDiagnostics } from "../shell/diagnostics.js";

async function readCatalogueAssets(): Promise<CatalogueAssets> {
  const [script, style] = await Promise.all(
    ["page.js", "page.css"].map(async (name) => readFile(locateOwnFile(`dist/catalogue/${name}`), "utf8")),
  );
  return { script: script ?? "", style: style ?? "" };
}

/** Takes the folder of a page from the command line; refuses an empty one, which would mean the project itself. */
export function parsePageFolder(text: string): string {
  if (text.trim() === "") throw new InvalidArgumentError("It is empty; perhaps a variable is not set.");
  return text;
}

export async function renderToolPage(project: LanguageProject, tool: string): Promise<string | undefined> {
  const { compiled, sources, diagnostics } = project;
  if (compiled === undefined) return undefined;
  const { plan, result } = compiled;
  const data = catalogueData({
    name: project.name,
    plan,
    result,
    diagnostics,
    claims: listShownClaims(result, readProjectApprovals(project, compiled)),
    texts: new Map(sources.map(({ uri, text }) => [uri, text])),
  });
  const { tools, unknown } = data.overview;
  if (![...tools, ...unknown].some(({ name }) => name === tool)) return undefined;
  return catalogue(data, await readCatalogueAssets(), { route: `#/tool/${encodeURIComponent(tool)}` })[0]?.text;
}

interface CatalogueTarget {
  readonly folder: string;
  readonly out: string;
  readonly changes?: Changes | undefined;
  readonly route?: string;
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
    ...(changes === undefined ? {} : { changes }),
  });
  const problems: Diagnostic[] = [];
  const files = catalogue(data, await readCatalogueAssets(), route === undefined ? {} : { route });
  for (const { path, text } of files) {
    const outcome = await writeReport(resolve(folder, out, path), text, (start) => CATALOGUE_MARK.test(start));
    const shown = posix.join(out, path);
    if (outcome.state === "occupied") problems.push(cliDiagnostics("catalogue-over-file", undefined, { path: shown }));
    if (outcome.state === "failed") {
      problems.push(cliDiagnostics("cannot-write", undefined, { path: shown, reason: outcome.reason }));
    }
  }
  return { data, problems };
}
