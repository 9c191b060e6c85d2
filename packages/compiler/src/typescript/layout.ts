import { wholeToolset } from "../model/toolset-members.js";
import { own } from "@hasp/base/json";
import type { CompilePlan, HandlerDigest } from "../model/plan.js";
import { declarationOf } from "../model/handlers.js";
import type { ToolSpec } from "../model/spec-keys.js";
import { deviceName, type GeneratedNames, chooseGeneratedNames } from "./names.js";

/** Top-level names in `outDir`; no plugin may use one. */
export const OWN_NAMES = [
  "bundle",
  "connections",
  "declarations",
  "definitions",
  "handlers",
  "location",
  "losses",
  "manifest",
  "policy",
  "providers",
  "registry",
  "specs",
  "tools",
  "types",
] as const;

/** The paths of all files of a build, relative to the project. */
export interface Layout {
  toolModule(names: GeneratedNames): string;
  readonly specs: string;
  handler(names: GeneratedNames): string;
  declaredHandler(names: GeneratedNames): string;
  connection(names: GeneratedNames): string;
  /** The toolset `all` has no folder of its own. */
  providerList(toolset: string, dialect: string, extension: "json" | "ts"): string;
  gatedList(toolset: string, dialect: string): string;
  deferredList(toolset: string, dialect: string): string;
  policy(toolset: string): string;
  declarations(toolset: string): string;
  bundle(toolset: string): string;
  readonly definitions: string;
  readonly sharedTypes: string;
  /** Returns a part of a large module, such as `registry/a.ts`. */
  part(whole: string, prefix: string): string;
  readonly registry: string;
  /** Returns the module that knows the address of a registry's folder: the registry itself may become CommonJS. */
  location(registry: string): string;
  readonly losses: string;
  readonly manifest: string;
  /** Returns the relative specifier of a module, with the extension that the plan says. */
  importPath(from: string, to: string): string;
}

const LOCATION = "location" satisfies (typeof OWN_NAMES)[number];

export function createLayout({
  outDir,
  handlersDir,
  importExtension = "js",
}: Pick<CompilePlan, "outDir" | "handlersDir" | "importExtension">): Layout {
  const own = (name: (typeof OWN_NAMES)[number], toolset: string = wholeToolset): string =>
    `${outDir}/${toolset === wholeToolset ? "" : `${toolset}/`}${name}`;
  return {
    toolModule: ({ kebab }) => `${own("tools")}/${kebab}.ts`,
    specs: `${own("specs")}/index.ts`,
    handler: ({ kebab }) => `${handlersDir}/${kebab}.ts`,
    declaredHandler: ({ kebab }) => `${own("handlers")}/${kebab}.ts`,
    connection: ({ kebab }) => `${own("connections")}/${kebab}.ts`,
    providerList: (toolset, dialect, extension) => `${own("providers", toolset)}/${dialect}.${extension}`,
    gatedList: (toolset, dialect) => `${own("providers", toolset)}/${dialect}.gated.json`,
    deferredList: (toolset, dialect) => `${own("providers", toolset)}/${dialect}.deferred.json`,
    policy: (toolset) => `${own("policy", toolset)}.ts`,
    declarations: (toolset) => `${own("declarations", toolset)}.d.ts`,
    bundle: (toolset) => `${own("bundle", toolset)}.json`,
    definitions: `${own("definitions")}.ts`,
    sharedTypes: `${own("types")}.ts`,
    part: (whole, prefix) => `${whole.replace(/(?:\/index)?\.ts$/u, "")}/${groupFile(prefix)}.ts`,
    registry: `${own("registry")}.ts`,
    location: (registry) => `${registry.slice(0, registry.lastIndexOf("/"))}/${LOCATION}.ts`,
    losses: `${own("losses")}.json`,
    manifest: `${own("manifest")}.json`,
    importPath: importExtension === "ts" ? relativePath : importPath,
  };
}

/** Finds the module of a tool's `execute`: generated for a declared handler, otherwise the user's own. */
export function handlerFile(
  { spec }: { readonly spec: Pick<ToolSpec, "handler"> },
  names: GeneratedNames,
  layout: Pick<Layout, "handler" | "declaredHandler">,
): string {
  return declarationOf(spec) === undefined ? layout.handler(names) : layout.declaredHandler(names);
}

export function locateHandlerFiles(
  toolNames: readonly string[],
  plan: Pick<CompilePlan, "outDir" | "handlersDir">,
): ReadonlyMap<string, string> {
  const layout = createLayout(plan);
  return new Map([...chooseGeneratedNames(toolNames)].map(([name, names]) => [name, layout.handler(names)]));
}

/** Returns the digests of the handlers that are code, by the names of their tools. Pass all tools. */
export function findHandlerDigests(
  tools: readonly { readonly name: string }[],
  { handlerDigests, ...plan }: Pick<CompilePlan, "outDir" | "handlersDir" | "handlerDigests">,
): ReadonlyMap<string, HandlerDigest> {
  if (Object.keys(handlerDigests).length === 0) return new Map();
  const names = tools.map(({ name }) => name);
  return new Map(
    [...locateHandlerFiles(names, plan)].flatMap(([name, path]) => {
      const digest = own(handlerDigests, path);
      return digest === undefined ? [] : [[name, digest]];
    }),
  );
}

/** Returns a relative specifier with the extension of the compiled file. */
export function importPath(from: string, to: string): string {
  return relativePath(from, to).replace(/(?:\.d)?\.(?<module>[cm]?)tsx?$/u, ".$<module>js");
}

function relativePath(from: string, to: string): string {
  const folders = from
    .split("/")
    .slice(0, -1)
    .filter((part) => part !== ".");
  const target = to.split("/").filter((part) => part !== ".");
  let shared = 0;
  while (shared < folders.length && shared < target.length - 1 && folders[shared] === target[shared]) shared += 1;
  const up = "../".repeat(folders.length - shared);
  return `${up === "" ? "./" : up}${target.slice(shared).join("/")}`;
}

/** Returns the file that a specifier of a layout names. */
export function resolveImportedPath(from: string, specifier: string): string {
  const path: string[] = from.split("/").slice(0, -1);
  for (const step of specifier.split("/")) {
    if (step === "..") path.pop();
    else if (step !== ".") path.push(step);
  }
  return path.join("/").replace(/\.js$/u, ".ts");
}

/** Returns a file name that is unambiguous on case-insensitive file systems, and that Windows accepts. */
export function groupFile(prefix: string): string {
  return prefix === "index" || prefix === LOCATION || deviceName.test(prefix)
    ? `${prefix}~`
    : prefix.replaceAll(/[^a-z0-9_-]/gu, (letter) => `~${letter.codePointAt(0)?.toString(16) ?? ""}`);
}

export function groupSuffix(prefix: string): string {
  return `_${prefix.replaceAll(/[^A-Za-z0-9_]/gu, "$")}`;
}
