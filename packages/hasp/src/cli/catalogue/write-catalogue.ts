import { posix, resolve } from "node:path";
import { catalogue, CATALOGUE_MARK } from "../../../../catalogue/src/catalogue.js";
import { catalogueData } from "../../../../catalogue/src/data/catalogue-data.js";
import type { CatalogueData, Changes } from "../../../../catalogue/src/model.js";
import type { Diagnostic } from "../../../../compiler/src/diagnostics/diagnostic.js";
import { readCatalogueAssets } from "./catalogue-assets.js";
import { writeReport } from "../../../../project/src/output/write-report.js";
import { projectName } from "../../../../project/src/read/project-info.js";
import { projectClaims } from "../project/project-claims.js";
import type { CompiledProject } from "../project/project.js";
import { cliDiagnostics } from "../shell/diagnostics.js";

export interface CatalogueTarget {
  readonly folder: string;
  /** As named on the command line. */
  readonly out: string;
  readonly changes?: Changes | undefined;
  readonly route?: string;
}

/** Writes the catalogue. Returns its data and write failures. */
export async function writeCatalogue(
  project: CompiledProject,
  { folder, out, changes, route }: CatalogueTarget,
): Promise<{ readonly data: CatalogueData; readonly problems: readonly Diagnostic[] }> {
  const { root, plan, result, texts, diagnostics } = project;
  const data = catalogueData({
    name: projectName(root),
    plan,
    result,
    diagnostics,
    claims: await projectClaims(project),
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
