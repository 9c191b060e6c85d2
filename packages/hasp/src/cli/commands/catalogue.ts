import { posix } from "node:path";
import { hasErrors, pluralize, printVisibleText } from "@hasp/base/diagnostics";
import { type CommandModule, type CommandResult, type Invocation } from "../shell/command.js";
import { compileProject, createSession, isCompiled } from "../project/project.js";
import { type CacheOption, declareCacheOption, openCommandCache } from "../project/cache-option.js";
import { parseWord } from "../shell/options.js";

interface CatalogueCommandOptions extends CacheOption {
  readonly out: string;
  readonly base?: string;
}

export const catalogue: CommandModule = {
  configure(command) {
    command
      .option("--out <folder>", "write the page into this folder", parseWord, "catalogue")
      .option(
        "--base <base>",
        "also compare with this git ref, or with a folder (./…, ../… or an absolute path)",
        parseWord,
      );
    declareCacheOption(command);
  },
  run: runCatalogue,
};

async function runCatalogue(invocation: Invocation<CatalogueCommandOptions>): Promise<CommandResult> {
  const { options, folder, terminal } = invocation;
  const { out, base } = options;
  const cache = openCommandCache(invocation, "catalogue");
  const project = await compileProject(invocation, { host: cache.host, cache: cache.tools });
  if (!isCompiled(project)) return project;
  const { findChangesSince, writeCatalogue } = await import("@hasp/catalogue");
  const compared =
    base === undefined
      ? undefined
      : await findChangesSince(base, project, {
          session: createSession(invocation),
          folder,
        });
  const { data, problems } = await writeCatalogue(project, {
    folder,
    out,
    changes: compared?.changes,
  });
  cache.saveTools();
  // The findings already say why specs could not be compared.
  const refusals = (compared?.problems ?? []).filter(({ code }) => code.startsWith("diff/"));
  const diagnostics = [...project.diagnostics, ...refusals, ...problems];
  const unknown = data.overview.unknown.length;
  const named = `; ${pluralize(unknown, "tool")} with errors ${unknown === 1 ? "is" : "are"} only named`;
  const sign = hasErrors(diagnostics) ? terminal.paint("error", "✗") : terminal.paint("good", "✓");
  const written = `${sign} ${pluralize(data.tools.length, "tool")} in ${printVisibleText(posix.join(out, "index.html"))}${unknown === 0 ? "" : named}.\n`;
  return {
    diagnostics,
    sources: project.texts,
    root: project.root,
    summary: { tools: data.tools.length, unknown },
    state: problems.length > 0 ? "unchecked" : undefined,
    text: problems.length > 0 ? "" : written,
  };
}
