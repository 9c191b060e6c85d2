import { findNodeAtLocation, parseTree } from "jsonc-parser";
import { createLocation, type Diagnostic, type Location } from "@hasp/base/diagnostics";
import type { CompilePlan } from "@hasp/compiler";
import { importPath, locateHandlerFiles } from "@hasp/compiler/layout";
import { createLocator } from "@hasp/compiler/source";
import { driftDiagnostics, reportLinks } from "../output/output-diagnostics.js";
import { projectDiagnostics } from "./diagnostics.js";
import type { CompilerHost } from "./host-questions.js";
import { createModuleSettings, type ModuleReplacement } from "./module-settings.js";

/** Reports files that a program may run in place of a tool's handler, which hasp never reads. */
export async function findHandlerTwins(
  host: CompilerHost,
  tools: readonly string[],
  plan: CompilePlan,
): Promise<readonly Diagnostic[]> {
  // No program reads `.ts` as something else.
  const handlers = plan.importExtension === "ts" ? [] : [...locateHandlerFiles(tools, plan).values()];
  const twins = handlers.length === 0 ? [] : await host.ask("twins", handlers);
  return twins.map(({ path, module }) =>
    projectDiagnostics("handler-twin", createLocation(path), {
      path,
      module,
      specifier: importPath(`${plan.handlersDir}/`, module),
    }),
  );
}

/**
 * Reports everything by which a program that imports a module of hasp's own folder gets other modules than those that
 * hasp compares with the specs: links, and replacements in bundles.
 */
export async function checkOutputFolder(host: CompilerHost, outDir: string): Promise<readonly Diagnostic[]> {
  const detours = await host.ask("detours", outDir);
  const replacements = await createModuleSettings(host).replacementsIn(outDir, detours.packages);
  return [...reportLinks(detours), ...replacements.map(reportReplacement)];
}

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
