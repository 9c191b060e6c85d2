import { resolve } from "node:path";
import type { Diagnostic } from "../../diagnostics/diagnostic.js";
import { hasErrors } from "../../diagnostics/severity.js";
import { pluralize } from "../../reporters/words.js";
import { visibleText } from "../../reporters/visible-text.js";
import { projectName } from "../../host/project/project-name.js";
import type { Changes } from "../../catalogue/model.js";
import type { CommandModule, CommandResult, Invocation } from "../shell/command.js";
import { cliDiagnostics } from "../shell/diagnostics.js";
import { projectClaims } from "../project/project-claims.js";
import { type CompiledProject, compileProject, isCompiled } from "../project/project.js";
import { type CacheOption, declareCacheOption, openRunCache } from "../project/run-cache.js";

interface CatalogueOptions extends CacheOption {
  readonly out: string;
  readonly base?: string;
}

/** `hasp catalogue`: a page for people who decide about tools, which needs no network. */
export const catalogue: CommandModule = {
  configure(command) {
    command
      .option("--out <folder>", "write the page into this folder", "catalogue")
      .option("--base <base>", "also compare with this git ref, or with a folder (./…, ../… or an absolute path)");
    declareCacheOption(command);
  },
  run: async (invocation) => runCatalogue(invocation as Invocation<CatalogueOptions>),
};

async function runCatalogue(invocation: Invocation<CatalogueOptions>): Promise<CommandResult> {
  const { options, folder, terminal } = invocation;
  if (options.base?.trim() === "") {
    return { diagnostics: [cliDiagnostics("no-base", undefined, undefined)], couldNotCheck: true };
  }
  const cache = openRunCache(invocation, "catalogue");
  const project = await compileProject(invocation, { witnesses: true, host: cache.host, cache: cache.tools });
  if (!isCompiled(project)) return project;
  const compared = options.base === undefined ? undefined : await changesSince(options.base, project, invocation);
  const [{ catalogueData }, { catalogue: filesOf, CATALOGUE_MARK }, { readCatalogueAssets }, { writeReport }] =
    await Promise.all([
      import("../../catalogue/data/catalogue-data.js"),
      import("../../catalogue/catalogue.js"),
      import("../../host/installation/catalogue-assets.js"),
      import("../../host/output/write-report.js"),
    ]);
  const { root, plan, result, texts } = project;
  const data = catalogueData({
    name: projectName(root),
    plan,
    result,
    diagnostics: project.diagnostics,
    claims: await projectClaims(project),
    texts,
    ...(compared === undefined ? {} : { changes: compared.changes }),
  });
  const problems: Diagnostic[] = [];
  for (const { path, text } of filesOf(data, await readCatalogueAssets())) {
    const target = resolve(folder, options.out, path);
    const outcome = await writeReport(target, text, (start) => CATALOGUE_MARK.test(start));
    const shown = `${options.out}/${path}`;
    if (outcome.state === "occupied") problems.push(cliDiagnostics("catalogue-over-file", undefined, { path: shown }));
    if (outcome.state === "failed") {
      problems.push(cliDiagnostics("cannot-write", undefined, { path: shown, reason: outcome.reason }));
    }
  }
  cache.saveTools();
  const diagnostics = [...project.diagnostics, ...(compared?.diagnostics ?? []), ...problems];
  const unknown = data.overview.unknown.length;
  const good = terminal.paint(hasErrors(diagnostics) ? "error" : "good", hasErrors(diagnostics) ? "✗" : "✓");
  return {
    diagnostics,
    sources: texts,
    root,
    summary: { tools: data.tools.length, unknown },
    couldNotCheck: problems.length > 0,
    text:
      problems.length > 0
        ? ""
        : `${good} ${pluralize(data.tools.length, "tool")} in ${visibleText(options.out)}/index.html${unknown === 0 ? "" : `; ${pluralize(unknown, "tool")} with errors ${unknown === 1 ? "is" : "are"} named only`}.\n`,
  };
}

interface Compared {
  readonly changes: Changes;
  /** Why there is nothing to compare with. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Compares with another version; the page says so where that cannot be read. */
async function changesSince(base: string, project: CompiledProject, invocation: Invocation): Promise<Compared> {
  const [{ compareWith }, { changesOf }] = await Promise.all([
    import("../compare/compare-with.js"),
    import("../../catalogue/data/changes.js"),
  ]);
  const compared = await compareWith(base, project, project.plan.dialects, invocation);
  if ("refusal" in compared) {
    const { message, help } = compared.refusal;
    return {
      changes: { base, refusal: help === undefined ? message : `${message} ${help}` },
      diagnostics: [compared.refusal],
    };
  }
  if ("errors" in compared) {
    return { changes: { base, refusal: "The specs have errors, so that they cannot be compared." }, diagnostics: [] };
  }
  return { changes: changesOf(compared.diagnostics, compared.costs, base), diagnostics: [] };
}
