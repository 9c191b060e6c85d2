import type { CallStoreSetting, CompilePlan, Diagnostic, Plugins, SourceText } from "@hasp/compiler";
import { readProject as read } from "@hasp/project/read";

export {
  type CallStoreSetting,
  type CompileOptions,
  type CompilePlan,
  type CompileResult,
  type Diagnostic,
  type ExcludedTool,
  type FlatTool,
  type Location,
  type OutputFile,
  type PlanInput,
  type Plugins,
  type SourceText,
  type ToolSpec,
} from "@hasp/compiler";
export { defineConfig, type HaspConfig } from "@hasp/project/config";
export { compile } from "@hasp/project/built-in";

/** Settings of {@link readProject}; all optional. */
export interface ReadProjectOptions {
  /** The path of the configuration, relative to the root. Default: its `hasp.config.*`. */
  readonly config?: string;
  /** Continues without approvals. */
  readonly unlocked?: boolean;
  /** Today as `YYYY-MM-DD`. Default: the machine's own date. */
  readonly today?: string;
  /**
   * Names of tools, to read only what these need: the specs and approvals that may name them, and their references.
   * Findings about other tools are left out.
   */
  readonly tools?: readonly string[];
}

/** A project as `compile` takes it. */
export interface Project {
  readonly sources: readonly SourceText[];
  /** `undefined` if nothing can be checked; the diagnostics say why. */
  readonly plan: CompilePlan | undefined;
  readonly callStore?: CallStoreSetting;
  /** The plugins that the configuration names, for the options of `compile`. */
  readonly plugins?: Plugins;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Reads everything that compiling a project needs. A spec or shared file that cannot be read or parsed is left for
 * `compile` to report. Without a plan, nothing can be checked, and the diagnostics say why.
 */
export async function readProject(root: string, options: ReadProjectOptions = {}): Promise<Project> {
  return read(root, options);
}
