import { findNodeAtLocation, parseTree } from "jsonc-parser";
import { createLocation, type Diagnostic, type Location } from "@hasp/base/diagnostics";
import type { CompilePlan } from "@hasp/compiler";
import { CODEGEN_ENTRIES, importPath, locateHandlerFiles } from "@hasp/compiler/layout";
import { createLocator } from "@hasp/compiler/source";
import { driftDiagnostics, reportLinks } from "../output/output-diagnostics.js";
import { projectDiagnostics } from "./diagnostics.js";
import type { CompilerHost } from "./host-questions.js";
import type { ModuleReplacement } from "./module-settings.js";
import type { ImportResolver } from "./resolve-imports.js";

/** Reports files that a program may run in place of a tool's handler, which hasp never reads. */
export async function findHandlerTwins(
  host: CompilerHost,
  tools: readonly string[],
  plan: CompilePlan,
): Promise<readonly Diagnostic[]> {
  // No program reads `.ts` as something else.
  const handlers = plan.importExtension === "ts" ? [] : [...locateHandlerFiles(tools, plan).values()];
  const twins = await host.ask("twins", handlers);
  return twins.map(({ path, module }) =>
    projectDiagnostics("handler-twin", createLocation(path), {
      path,
      module,
      specifier: importPath(`${plan.handlersDir}/`, module),
    }),
  );
}

/** Reports files that a program may run in place of those that the last build wrote. */
export async function reportOutputTwins(host: CompilerHost, outDir: string): Promise<readonly Diagnostic[]> {
  const twins = await host.ask("outputTwins", outDir);
  return twins.map(({ path, module }) => driftDiagnostics("twin", createLocation(path), { path, module }));
}

/**
 * Reports everything by which a program that imports a module of hasp's own folder gets other modules than those that
 * hasp compares with the specs: links, and replacements of these modules and of what they import. `handlerEntries` are
 * the entry points that they import for handlers.
 */
export async function checkOutputFolder(
  host: CompilerHost,
  resolver: ImportResolver,
  outDir: string,
  handlerEntries: readonly string[],
): Promise<readonly Diagnostic[]> {
  const detours = await host.ask("detours", outDir);
  const replacements = await resolver.settings.replacementsIn(outDir, detours.packages);
  const found = new Map<string, string>();
  for (const name of [...Object.values(CODEGEN_ENTRIES), ...handlerEntries]) {
    const { files, words } = await resolver.resolve(outDir, name);
    const others = [...files].filter((path) => !path.includes("node_modules/@hasp/"));
    const entries = [...words].filter((word) => others.length > 0 || REPLACES.test(word));
    for (const each of entries.length > 0 ? entries : others) found.set(each.replace(ENTRY, ""), name);
  }
  for (const { file } of replacements) found.delete(file.path);
  return [
    ...reportLinks(detours),
    ...replacements.map(reportReplacement),
    ...Array.from(found, ([file, name]) =>
      driftDiagnostics("replaced", createLocation(file), { variant: "import", file, name }),
    ),
  ];
}

/** The words of settings that replace a package by nothing, or may do so. */
const REPLACES = / (?:\["(?:browser|react-native|alias)"|cannot be read: )/u;

/** The part of words after the path of a file: its entry, or the place and reason of a flaw. */
const ENTRY = /(?: \[|:\d+:\d+ ).*$/su;

function reportReplacement({ file, place, module }: ModuleReplacement): Diagnostic {
  const { path, text, unreadable = "" } = file;
  if (place === undefined) {
    const reason = unreadable;
    return driftDiagnostics("replaced", createLocation(path), { variant: "unreadable", file: path, reason });
  }
  const [field] = place;
  return driftDiagnostics("replaced", locateMember(path, text, place), {
    variant: "module",
    field,
    file: path,
    module,
  });
}

/** Finds a member of a JSON file, with its key. */
function locateMember(uri: string, text: string, place: readonly (string | undefined)[]): Location {
  const root = parseTree(text, [], { allowTrailingComma: true });
  const member =
    root &&
    findNodeAtLocation(
      root,
      place.flatMap((key) => key ?? []),
    )?.parent;
  if (member === undefined) return createLocation(uri);
  return createLocator(uri, text)({ start: member.offset, end: member.offset + member.length }, "");
}
