import { type CompileResult, type SourceText, loadSource, type CompilePlan, type CompileCache } from "@hasp/compiler";
import type { Diagnostic, TextSpan } from "@hasp/base/diagnostics";
import { type Approvals, readApprovals } from "@hasp/compiler/claims";

export interface LanguageProject {
  readonly root: string;
  readonly name: string;
  /** The compiled files; none if the configuration is unusable. */
  readonly sources: readonly SourceText[];
  /** The configuration, if it is YAML or JSON. */
  readonly config: SourceText | undefined;
  readonly diagnostics: readonly Diagnostic[];
  /** `undefined` if nothing could be compiled. */
  readonly compiled: { readonly plan: CompilePlan; readonly result: CompileResult } | undefined;
  readonly cache: CompileCache;
  /** Returns the reviewer's name from git, and today's date; `undefined` if CI is set, since only a person approves. */
  reviewer(): { readonly by: string | undefined; readonly on: string } | undefined;
  /** Reads another file, such as a handler; `undefined` if there is none. */
  read(uri: string): Promise<SourceText | undefined>;
}

export interface FileSpan extends TextSpan {
  readonly uri: string;
}

export interface ProjectEdit {
  readonly changes: readonly FileChange[];
}

export type FileChange =
  | { readonly kind: "replace"; readonly span: FileSpan; readonly text: string }
  | { readonly kind: "create"; readonly uri: string; readonly text: string }
  | { readonly kind: "rename"; readonly from: string; readonly to: string };

export function readProjectApprovals(
  { sources, cache }: Pick<LanguageProject, "sources" | "cache">,
  { plan, result }: NonNullable<LanguageProject["compiled"]>,
): Approvals {
  const ledgers = sources
    .filter(({ role }) => role === "ledger")
    .flatMap((source) => loadSource(source, cache).value ?? []);
  return readApprovals(ledgers, result.tools, plan);
}
