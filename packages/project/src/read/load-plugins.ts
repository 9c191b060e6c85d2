import { dropUndefined } from "@hasp/base/json";
import { isBuiltin } from "node:module";
import { pathToFileURL } from "node:url";
import { join } from "node:path";
import { type NamedPlugin, normalisePath, type PluginPlan, nameDialect } from "@hasp/compiler/model";
import type { Diagnostic, Found } from "@hasp/base/diagnostics";
import type { CompilePlan } from "@hasp/compiler";
import { pluginDiagnostics, type ForeignPlugins, readPluginShape } from "@hasp/compiler/plugins";
import type { PluginPackage } from "../modules/installed-packages.js";
import type { CompilerHost } from "./host-questions.js";
import { digestModules } from "./digest-modules.js";
import { createForeignPlugins, openPlugin, type PluginLimits, type PluginWorker } from "../plugins/plugin-host.js";

export interface LoadedPlugins {
  readonly plans: readonly PluginPlan[];
  readonly foreign: ForeignPlugins;
}

/** Loads the plugins that a configuration names, each in a worker, and checks what they add. All or none are used. */
export async function loadPlugins(
  root: string,
  host: CompilerHost,
  { plugins, plan }: { readonly plugins: readonly NamedPlugin[]; readonly plan: CompilePlan },
  limits?: PluginLimits,
): Promise<Found<LoadedPlugins>> {
  const workers = new Map<string, PluginWorker>();
  const loaded = await Promise.all(plugins.map(async (named) => loadPlugin(root, host, named, plan, limits)));
  const plans: PluginPlan[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const each of loaded) {
    if ("finding" in each) {
      diagnostics.push(each.finding);
      continue;
    }
    const { worker, plan: found } = each;
    const problem = problemBeside(found, plans, plan);
    if (problem !== undefined) {
      diagnostics.push(
        pluginDiagnostics("invalid", found.location, { module: found.module, problem, remedy: undefined }),
      );
    }
    plans.push(found);
    worker.setParts(found.rules.map(({ id }) => id));
    workers.set(found.name, worker);
  }
  if (diagnostics.length > 0) for (const each of loaded) if ("worker" in each) each.worker.close();
  return { value: { plans, foreign: createForeignPlugins(workers) }, diagnostics };
}

/** Reports a name that a plugin shares with another plugin, a toolset or a rule of the configuration. */
function problemBeside(
  { name, rules, dialects, handlerKinds }: PluginPlan,
  others: readonly PluginPlan[],
  { toolsets, customRules = {} }: CompilePlan,
): string | undefined {
  const other = others.find((each) => each.name === name);
  if (other !== undefined) return `"${other.module}" is named "${name}", too.`;
  if (toolsets.some((toolset) => toolset.name === name)) {
    return `a toolset is named "${name}", too, and its files are in the same folder.`;
  }
  const taken = others.flatMap((each) => each.dialects);
  const twins = dialects.flatMap(({ id }) => taken.filter((each) => nameDialect(each.id) === nameDialect(id)));
  if (twins[0] !== undefined) return `a dialect of it reads like "${twins[0].id}" of another plugin.`;
  const own = handlerKinds.find(({ module }) => isBuiltin(module));
  if (own !== undefined) return `the handler kind "${own.name}" imports "${own.module}", which is a part of Node.`;
  const rule = rules.find(({ id }) => Object.hasOwn(customRules, id));
  return rule && `a file of rules declares "${rule.id}", too.`;
}

async function loadPlugin(
  root: string,
  host: CompilerHost,
  { module, location }: NamedPlugin,
  { outDir }: CompilePlan,
  limits: PluginLimits | undefined,
): Promise<{ readonly finding: Diagnostic } | { readonly plan: PluginPlan; readonly worker: PluginWorker }> {
  const found = await findPlugin(root, host, module, outDir);
  if ("reason" in found) return { finding: pluginDiagnostics("not-found", location, { module, reason: found.reason }) };
  const worker = openPlugin(found.url, found.digest, limits);
  const described = await worker.ask("describe", undefined);
  const shape = "reason" in described ? { problem: `${described.reason}.` } : readPluginShape(described.value ?? null);
  if ("problem" in shape) {
    worker.close();
    const remedy = 'The page "plugins" of the documentation shows the form of a plugin.';
    return { finding: pluginDiagnostics("invalid", location, { module, problem: shape.problem, remedy }) };
  }
  return {
    worker,
    plan: { ...shape, module, digest: found.digest, ...dropUndefined({ location }) },
  };
}

/**
 * Finds the module of a plugin and the digest of everything that it loads and may read from the repository, or of its
 * installed package.
 */
async function findPlugin(
  root: string,
  host: CompilerHost,
  module: string,
  outDir: string,
): Promise<{ readonly url: string; readonly digest: string } | { readonly reason: string }> {
  const found = await locatePlugin(host, module);
  if (!("path" in found)) return found;
  const { path } = found;
  const digests = await digestModules(host, [path], outDir, { mayRead: true });
  const digest = digests[path];
  if (digest === undefined || digest.own === "") return { reason: "no such file is in the project" };
  // Its digest would not cover all of its code.
  if (digest.obstacle !== undefined) return { reason: digest.obstacle };
  return {
    url: pathToFileURL(join(root, path)).href,
    digest: `sha256-${Buffer.from(digest.digest, "hex").toString("base64url")}`,
  };
}

async function locatePlugin(host: CompilerHost, module: string): Promise<PluginPackage | { readonly reason: string }> {
  if (!module.startsWith(".")) return (await host.ask("plugin", module)) ?? { reason: "no such package is installed" };
  const path = normalisePath(module);
  return path === undefined || path === "" ? { reason: "it points outside the project" } : { path };
}
