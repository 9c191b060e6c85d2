import type { Diagnostic } from "@hasp/base/diagnostics";
import type { CompilePlan, FlatTool, Plugins, SourceText } from "@hasp/compiler";
import { completePlan, type LoadedDocument } from "@hasp/compiler/model";
import { createContext } from "@hasp/compiler/plugins";
import { flatten, load, resolve } from "@hasp/compiler/source";
import { plugins } from "./context.testing.js";

export const plainPlan: CompilePlan = completePlan({ dialects: [], toolsets: [], today: "2026-01-01" });

/** Flattens specs and collects all findings on the way. */
export function flatTools(
  sources: readonly SourceText[],
  given: Plugins = plugins,
): {
  readonly tools: readonly FlatTool[];
  readonly documents: readonly LoadedDocument[];
  readonly diagnostics: readonly Diagnostic[];
} {
  const loaded = load(sources);
  const context = createContext({ plan: plainPlan, plugins: given, sources, documents: loaded.value });
  const resolved = resolve(loaded.value, context);
  const flat = flatten({ tools: resolved.value.tools, refused: [] }, context);
  return {
    tools: flat.value.tools,
    documents: loaded.value,
    diagnostics: [...loaded.diagnostics, ...resolved.diagnostics, ...flat.diagnostics],
  };
}

export function specSource(text: string): SourceText {
  const isList = /^tools:/mu.test(text);
  return { uri: isList ? "specs/all.tools.yaml" : "specs/one.tool.yaml", text, role: "spec" };
}
