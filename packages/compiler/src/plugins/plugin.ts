import type { Client } from "../model/plan.js";
import type { PluginDialect } from "../model/dialect.js";
import type { PluginHandlerKind } from "../model/handlers.js";
import type { Rule } from "./rule.js";
import type { CompiledModel } from "./compiled-model.js";

/** Everything that a plugin adds. Each name begins with the plugin's: `acme/needs-owner`. */
export interface Plugin {
  /** Lower-case letters, digits and `-`, such as `acme`. */
  readonly name: string;
  readonly rules?: readonly Rule[];
  readonly dialects?: readonly PluginDialect[];
  readonly clients?: readonly Client[];
  readonly emitters?: readonly ModelEmitter[];
  readonly handlerKinds?: readonly PluginHandlerKind[];
  readonly importers?: readonly PluginImporter[];
  readonly reporters?: readonly PluginReporter[];
}

/** Writes files from the compiled model, below the plugin's own folder in `outDir`. */
export interface ModelEmitter {
  readonly name: string;
  /** Returns the files; the same model must give the same files. */
  emit(model: CompiledModel): readonly PluginFile[] | Promise<readonly PluginFile[]>;
}

/** A file of a plugin. `path` is relative to `outDir/<plugin>/`, with `/`. */
export interface PluginFile {
  readonly path: string;
  readonly text: string;
}

/** Reads a file for `hasp import <name>`. */
export interface PluginImporter {
  readonly name: string;
  /** Returns the tools of the source. What they claim about their behaviour becomes a suggestion. */
  read(source: PluginSource): readonly ListedTool[] | Promise<readonly ListedTool[]>;
}

/** A file as an importer receives it. */
export interface PluginSource {
  readonly name: string;
  readonly text: string;
}

/** A tool of an import source, in the form of MCP's `tools/list`. */
export interface ListedTool {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly inputSchema: object;
  readonly outputSchema?: object;
  readonly annotations?: object;
}

/** Prints findings for `--format <name>`. */
export interface PluginReporter {
  readonly name: string;
  print(report: PluginReport): string | Promise<string>;
}

/** The findings of a command as a reporter receives them: what `--format json` prints. */
export interface PluginReport {
  readonly diagnostics: readonly {
    readonly code: string;
    readonly severity: "error" | "warning" | "info";
    readonly message: string;
    readonly tool: string | null;
    readonly uri: string | null;
    readonly line: number | null;
    readonly column: number | null;
    readonly pointer: string | null;
    readonly help: string | null;
  }[];
  readonly summary: object;
}

/** Gives a plugin its type: `export default definePlugin({ … })`. */
export function definePlugin(plugin: Plugin): Plugin {
  return plugin;
}
