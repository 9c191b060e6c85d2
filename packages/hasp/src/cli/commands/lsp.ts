import { pathToFileURL } from "node:url";
import { isOfPhase } from "@hasp/compiler/model";
import { CompileCache } from "@hasp/compiler";
import { isSet, today, type Environment, locateOwnFile, readOwnVersion } from "@hasp/project";
import { readGitUser, readProjectName, findAllConfigs, findConfigs, isProjectRoot } from "@hasp/project/read";
import type { ProjectPlace, SessionCache, LanguageProject } from "@hasp/language-server";
import { openCache } from "@hasp/project/cache";
import { compileProject, findConfiguredFolder } from "@hasp/project/session";
import { createSession } from "../project/project.js";
import type { CommandModule, ExitCode, Invocation } from "../shell/command.js";

export const lsp: CommandModule = {
  configure(command) {
    command.option("--stdio", "use standard input and output, as it always does");
  },
  run: runServer,
};

async function runServer(invocation: Invocation): Promise<ExitCode> {
  const [{ serveLanguage }, { builtInPlugins }] = await Promise.all([
    import("@hasp/language-server"),
    import("@hasp/project/built-in"),
  ]);
  const ids = new Set(builtInPlugins.rules.map(({ id }) => id));
  const { terminal } = invocation;
  const { config: named, ...session } = createSession(invocation);
  const wasAsked = await serveLanguage({
    ...(terminal.streams ?? { input: process.stdin, output: process.stdout }),
    version: readOwnVersion(),
    findProjects: (folder) => projectsOf(folder, named),
    openCache: (place) => sessionCache(place, terminal.environment),
    configOf: configIn,
    pageOf: (code) => (ids.has(code) ? rulePage(code) : isOfPhase(code, []) ? phasePage(code) : pluginsPage),
    toolPage: renderPage,
    compile: async (place, host, cache): Promise<LanguageProject> => {
      const { root } = place;
      const { value: compiled, diagnostics } = await compileProject({ ...session, ...place }, { host, cache });
      const config = configIn(place) ?? "";
      const isData = /\.(?:ya?ml|json)$/u.test(config);
      return {
        root,
        name: readProjectName(root),
        cache,
        diagnostics,
        config: isData ? await host.ask("text", { uri: config, role: "config" }) : undefined,
        sources: compiled?.sources ?? [],
        compiled,
        reviewer: () => (isSet(terminal.environment["CI"]) ? undefined : { by: readGitUser(root), on: today() }),
        read: (uri) => host.ask("text", { uri, role: "shared" }),
      };
    },
  });
  return wasAsked ? 0 : 1;
}

async function renderPage(project: LanguageProject, tool: string): Promise<string | undefined> {
  const { compiled, sources, diagnostics, name } = project;
  if (compiled === undefined) return undefined;
  const [{ renderToolPage }, { readProjectApprovals }, { listShownClaims }] = await Promise.all([
    import("@hasp/catalogue"),
    import("@hasp/language-server"),
    import("@hasp/compiler/claims"),
  ]);
  const { plan, result } = compiled;
  const claims = listShownClaims(result, readProjectApprovals(project, compiled));
  const texts = new Map(sources.map(({ uri, text }) => [uri, text]));
  return renderToolPage({ name, plan, result, diagnostics, claims, texts }, tool);
}

/** Finds the configurations of the nearest folder upwards that has one. Prefers the named one, alone, if it exists. */
function projectsOf(folder: string, named: string | undefined): readonly ProjectPlace[] {
  const root = findConfiguredFolder(folder);
  if (root === undefined) return [];
  const all = findAllConfigs(root);
  const sides = all.filter((name) => !findConfigs(root).includes(name));
  if (named !== undefined && all.includes(named)) return [{ root, config: named }];
  return [
    ...(sides.length === 0 || isProjectRoot(root) ? [{ root }] : []),
    ...sides.map((config) => ({ root, config })),
  ];
}

function configIn({ root, config }: ProjectPlace): string | undefined {
  return config ?? findConfigs(root)[0];
}

function sessionCache(place: ProjectPlace, environment: Environment): SessionCache {
  const stored = openCache(place.root, environment, place.config);
  return {
    tools: stored?.tools ?? new CompileCache(),
    store: () => (stored?.saveTools() === true ? sessionCache(place, environment) : undefined),
  };
}

function rulePage(id: string): string {
  return `${pathToFileURL(locateOwnFile("docs/reference/rules.md")).href}#${id.replace("/", "")}`;
}

const pluginsPage = pathToFileURL(locateOwnFile("docs/plugins.md")).href;

function phasePage(code: string): string {
  return pathToFileURL(locateOwnFile(`docs/reference/diagnostics/${code.split("/")[0] ?? ""}.md`)).href;
}
