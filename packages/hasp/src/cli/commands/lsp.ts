import { pathToFileURL } from "node:url";
import { isOfPhase } from "../../../../compiler/src/diagnostics/finding-ids.js";
import { today } from "../../../../project/src/fs/today.js";
import { gitUser } from "../../../../project/src/read/read-git.js";
import type { Environment } from "../../../../project/src/private-folder.js";
import type { SessionCache } from "../../../../language-server/src/server/project-session.js";
import { openCache } from "../../../../project/src/cache.js";
import { ownFile, ownVersion } from "../../../../project/src/installation/own-package.js";
import { projectName } from "../../../../project/src/read/project-info.js";
import { configsIn, isProjectRoot } from "../../../../project/src/read/file-names.js";
import type { LanguageProject } from "../../../../language-server/src/language-project.js";
import { CompileCache } from "../../../../compiler/src/context/compile-cache.js";
import { findProjectRoot } from "../project/find-root.js";
import { compileProject, isCompiled } from "../project/project.js";
import type { CommandModule, CommandResult, Invocation } from "../shell/command.js";

export const lsp: CommandModule = {
  configure(command) {
    command.option("--stdio", "use standard input and output, as it always does");
  },
  run: runServer,
};

async function runServer(invocation: Invocation): Promise<CommandResult> {
  const [{ serveLanguage }, { rules }] = await Promise.all([
    import("../../../../language-server/src/server/serve-language.js"),
    import("../../../../compiler/src/builtin/rules/index.js"),
  ]);
  const ids = new Set(rules.map(({ id }) => id));
  const { terminal } = invocation;
  const wasAsked = await serveLanguage({
    input: process.stdin,
    output: process.stdout,
    version: ownVersion(),
    findRoot: rootOf,
    openCache: (root) => sessionCache(root, terminal.environment),
    configOf: (root) => configsIn(root)[0],
    pageOf: (code) => (ids.has(code) ? rulePage(code) : isOfPhase(code, []) ? phasePage(code) : pluginsPage),
    toolPage: async (project, tool) => (await import("../project/write-catalogue.js")).toolPage(project, tool),
    compile: async (root, host, cache): Promise<LanguageProject> => {
      const project = await compileProject({ ...invocation, root }, { host, cache });
      const [config = ""] = configsIn(root);
      const isData = /\.(?:ya?ml|json)$/u.test(config);
      return {
        root,
        name: projectName(root),
        cache,
        diagnostics: project.diagnostics,
        config: isData ? await host.ask("text", { uri: config, role: "config" }) : undefined,
        ...(isCompiled(project)
          ? { sources: project.sources, compiled: project }
          : { sources: [], compiled: undefined }),
        reviewer: () => ({ by: gitUser(root), on: today() }),
        read: (uri) => host.ask("text", { uri, role: "shared" }),
      };
    },
  });
  return { diagnostics: [], isShown: true, isFailed: !wasAsked };
}

function rootOf(folder: string): string | undefined {
  const found = findProjectRoot(folder);
  return "root" in found && isProjectRoot(found.root) ? found.root : undefined;
}

function sessionCache(root: string, environment: Environment): SessionCache {
  const stored = openCache(root, environment);
  return {
    tools: stored?.tools ?? new CompileCache(),
    store: () => (stored?.saveTools() === true ? sessionCache(root, environment) : undefined),
  };
}

function rulePage(id: string): string {
  return `${pathToFileURL(ownFile("docs/reference/rules.md")).href}#${id.replace("/", "")}`;
}

const pluginsPage = pathToFileURL(ownFile("docs/plugins.md")).href;

function phasePage(code: string): string {
  return pathToFileURL(ownFile(`docs/reference/diagnostics/${code.split("/")[0] ?? ""}.md`)).href;
}
