import type { CompileResult } from "../../../compiler/src/compile.js";
import type { Diagnostic } from "../../../compiler/src/diagnostics/diagnostic.js";
import type { SourceText } from "../../../compiler/src/model/document.js";
import type { CompileCache } from "../../../compiler/src/context/compile-cache.js";
import type { CompilePlan } from "../../../compiler/src/model/plan.js";

/** A project as the editor shows it, compiled: what every feature looks at. */
export interface LanguageProject {
  /** Absolute path of its folder. */
  readonly root: string;
  /** Its name, as people know it. */
  readonly name: string;
  /** The files that were compiled; none if the configuration cannot be used. */
  readonly sources: readonly SourceText[];
  /** The configuration, where it is YAML or JSON. */
  readonly config: SourceText | undefined;
  /** The findings of `hasp check`. */
  readonly diagnostics: readonly Diagnostic[];
  /** `undefined` if nothing could be compiled. */
  readonly compiled: { readonly plan: CompilePlan; readonly result: CompileResult } | undefined;
  readonly cache: CompileCache;
  /** Returns who approves claims here, as git knows them, and the day. */
  reviewer(): { readonly by: string | undefined; readonly on: string };
  /** Reads another file of the project, such as a handler; `undefined` if there is none. */
  read(uri: string): Promise<SourceText | undefined>;
}
