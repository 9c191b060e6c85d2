import type { AnyTool, PermissionPolicy } from "@hasp/runtime";
import { existsSync, readdirSync } from "node:fs";
import { dirname, extname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { thrownText } from "../../../compiler/src/diagnostics/thrown-text.js";
import { wholeToolset } from "../../../compiler/src/model/toolset-members.js";
import { importModule } from "./import-module.js";

export interface LoadedRegistry {
  readonly tools: readonly AnyTool[];
  /** Built with `--unlocked`. */
  readonly unlocked: boolean;
}

/** The reason for a missing registry. */
export type RegistryFault =
  { readonly fault: "missing" } | { readonly fault: "fails" | "foreign"; readonly reason: string };

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
  return { tools: tools as readonly AnyTool[], unlocked: memberOf(registry, "unlocked") !== false };
}

export function policiesBeside(registry: string): ReadonlyMap<string, string> {
  const folder = dirname(registry);
  const toolsets = existsSync(folder)
    ? readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory())
    : [];
  const files = [wholeToolset, ...toolsets.map(({ name }) => name)].map(
    (toolset) => [toolset, policyBeside(registry, toolset)] as const,
  );
  return new Map(files.filter(([, file]) => existsSync(file)));
}

/** Returns the module of a toolset's policy, beside the registry that was built with it. */
export function policyBeside(registry: string, toolset: string): string {
  return join(dirname(registry), toolset === wholeToolset ? "" : toolset, `policy${extname(registry)}`);
}

/** Imports a generated module of a policy, or says why it is unavailable. */
export async function loadPolicy(
  file: string,
): Promise<{ readonly policy: PermissionPolicy } | { readonly reason: string }> {
  try {
    const policy: unknown = memberOf(await importModule(pathToFileURL(file).href), "policy");
    return typeof policy === "object" && policy !== null ? { policy } : { reason: "it exports no `policy`" };
  } catch (error) {
    return { reason: firstLine(error) };
  }
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null
    ? (value as { readonly [name: string]: unknown })[name]
    : undefined;
}

/** Returns the first line of an error without its full stop: it ends in the middle of a sentence. */
export function firstLine(error: unknown): string {
  const [line = ""] = thrownText(error).split("\n");
  return line.replace(/\.$/u, "") || "it throws";
}
