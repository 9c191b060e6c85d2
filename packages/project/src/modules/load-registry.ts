import { existsSync, readdirSync } from "node:fs";
import { dirname, extname, join } from "node:path";
import { pathToFileURL } from "node:url";
import type { AnyTool, FlowSetting, PermissionPolicy } from "@hasp/runtime";
import { firstLine } from "@hasp/base/diagnostics";
import { readOwnMember, isStructured } from "@hasp/base/json";
import { DEFAULT_FLOW, wholeToolset } from "@hasp/compiler/model";
import { importModule, runWithinLimit, type WorkLimit } from "./import-module.js";

export interface LoadedRegistry {
  readonly tools: readonly AnyTool[];
  /** Built with `--unlocked`. */
  readonly unlocked: boolean;
  /** The modules of the policies that it was built with, each by the toolset that it guards. */
  readonly policies: ReadonlyMap<string, string>;
  /** Returns the setting of information flow for some of its tools. */
  findFlow(names: readonly string[]): FlowSetting;
}

export type RegistryFault =
  | { readonly fault: "missing" }
  | { readonly fault: "fails" | "foreign"; readonly reason: string };

/** Imports a generated registry, in TypeScript or JavaScript, and with it every handler: the user's code runs then. */
export async function loadRegistry(file: string): Promise<LoadedRegistry | RegistryFault> {
  if (!existsSync(file)) return { fault: "missing" };
  let loaded: unknown;
  try {
    loaded = await importModule(pathToFileURL(file).href);
  } catch (error) {
    return { fault: "fails", reason: firstLine(error) };
  }
  const registry: unknown = memberOf(loaded, "registry");
  const tools: unknown = memberOf(registry, "tools");
  if (!Array.isArray(tools)) return { fault: "foreign", reason: "it exports no `registry` with tools" };
  const stranger = tools.find(
    (tool) => typeof memberOf(tool, "classify") !== "function" || typeof memberOf(tool, "validateInput") !== "function",
  );
  if (stranger !== undefined) {
    return {
      fault: "foreign",
      reason: `its tool ${String(memberOf(stranger, "name"))} was made by another version of @hasp/runtime`,
    };
  }
  const { pick } = registry as { readonly pick?: (names: readonly string[]) => { readonly flow?: FlowSetting } };
  return {
    tools: tools as readonly AnyTool[],
    unlocked: memberOf(registry, "unlocked") !== false,
    policies: listPolicies(file, memberOf(registry, "policies")),
    findFlow: (names) => pick?.(names).flow ?? DEFAULT_FLOW,
  };
}

/** Lists the policies that a registry names, whether their modules are there or not, and those that lie beside it. */
function listPolicies(registry: string, named: unknown): ReadonlyMap<string, string> {
  const folder = dirname(registry);
  const folders = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const beside = [wholeToolset, ...folders.map(({ name }) => name)].filter((toolset) =>
    existsSync(findPolicyBeside(registry, toolset)),
  );
  const toolsets = [...(Array.isArray(named) ? named.map(String) : []), ...beside];
  return new Map(toolsets.map((toolset) => [toolset, findPolicyBeside(registry, toolset)]));
}

/** Reads the members of each toolset from the provider lists that were built beside a registry. */
export async function loadToolsetsBeside(
  registry: string,
  tools: readonly AnyTool[],
): Promise<readonly { readonly name: string; readonly tools: readonly string[] }[]> {
  const folder = dirname(registry);
  const entries = existsSync(folder) ? readdirSync(folder, { withFileTypes: true }) : [];
  const places = [
    [wholeToolset, join(folder, "providers")] as const,
    ...entries.flatMap((entry) =>
      entry.isDirectory() ? [[entry.name, join(folder, entry.name, "providers")] as const] : [],
    ),
  ];
  const found: { name: string; tools: readonly string[] }[] = [];
  for (const [name, providers] of places.filter(([, path]) => existsSync(path))) {
    const members = new Set<string>();
    for (const file of readdirSync(providers).filter((each) => extname(each) === extname(registry))) {
      const dialect = file.slice(0, -extname(file).length);
      const listed = memberOf(await importModule(pathToFileURL(join(providers, file)).href), "tools");
      for (const entry of Array.isArray(listed) ? listed : []) {
        const wireName =
          memberOf(entry, "name") ?? memberOf(memberOf(entry, "function") ?? memberOf(entry, "toolSpec"), "name");
        const tool = tools.find((each) => (each.dialects[dialect]?.name ?? each.name) === wireName);
        if (tool !== undefined) members.add(tool.name);
      }
    }
    found.push({ name, tools: [...members].toSorted() });
  }
  return found;
}

/** Returns the module of a toolset's policy, beside the registry that was built with it. */
export function findPolicyBeside(registry: string, toolset: string): string {
  return join(dirname(registry), toolset === wholeToolset ? "" : toolset, `policy${extname(registry)}`);
}

/** Imports a generated module of a policy, or says why it is unavailable. */
export async function loadPolicy(
  file: string,
): Promise<{ readonly policy: PermissionPolicy } | { readonly reason: string }> {
  try {
    const policy: unknown = memberOf(await importModule(pathToFileURL(file).href), "policy");
    return isStructured(policy) ? { policy } : { reason: "it exports no `policy`" };
  } catch (error) {
    return { reason: firstLine(error) };
  }
}

function memberOf(value: unknown, name: string): unknown {
  return isStructured(value) ? Reflect.get(value, name) : undefined;
}

export interface LoadedContext {
  readonly context: unknown;
  /** Creates the context of one caller, in place of `context`. */
  readonly forCaller?: (caller: unknown) => Promise<unknown>;
  /** Disposes it. Returns the reason if that failed; never rejects. */
  close(): Promise<string | undefined>;
}

/** A context may start a database, but not block forever. */
const CREATION: WorkLimit = { seconds: 60, lapse: "it did not create one" };
const DISPOSAL: WorkLimit = { seconds: 5, lapse: "it was not disposed" };

type ContextFault = { readonly fault: "missing" } | { readonly fault: "fails"; readonly reason: string };

/**
 * Imports a user's module that exports a context, or a function that creates one. The context may be disposable. With
 * `hasCallers`, a function has to take the caller, and is called for each call, not now; nothing disposes what it creates.
 */
export async function loadContext(
  file: string,
  name: string,
  hasCallers = false,
): Promise<LoadedContext | ContextFault> {
  try {
    const loaded: unknown = await importModule(pathToFileURL(file).href);
    const exported = readOwnMember(loaded, name);
    // An object or a function.
    if (Object(exported) !== exported) return { fault: "missing" };
    const create = async (...caller: readonly unknown[]): Promise<unknown> =>
      typeof exported === "function"
        ? runWithinLimit(Promise.resolve(Reflect.apply(exported, undefined, caller)), CREATION)
        : exported;
    if (hasCallers && typeof exported === "function") {
      // A default would stand for every caller that is left out.
      if (exported.length === 0) {
        const reason =
          "callers are told apart, so it has to take the caller as its first parameter, without a default (if all may share one context, export that in place of a function)";
        return { fault: "fails", reason };
      }
      return { context: undefined, forCaller: create, close: async () => undefined };
    }
    const context = await create();
    return { context, close: async () => dispose(context) };
  } catch (error) {
    return { fault: "fails", reason: firstLine(error) };
  }
}

/** Disposes a context. Node 20 has the symbols, not the syntax. */
async function dispose(context: unknown): Promise<string | undefined> {
  if (!isStructured(context)) return undefined;
  try {
    const { [Symbol.asyncDispose]: later, [Symbol.dispose]: now } = context as Partial<AsyncDisposable & Disposable>;
    await runWithinLimit(Promise.resolve(Reflect.apply(later ?? now ?? (() => undefined), context, [])), DISPOSAL);
    return undefined;
  } catch (error) {
    return firstLine(error);
  }
}
