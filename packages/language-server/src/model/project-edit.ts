import type { FileSpan } from "./file-span.js";

/** A change of the project's files that an editor may apply. */
export interface ProjectEdit {
  readonly changes: readonly FileChange[];
}

/** One step of a {@link ProjectEdit}. */
export type FileChange =
  | { readonly kind: "replace"; readonly span: FileSpan; readonly text: string }
  | { readonly kind: "create"; readonly uri: string; readonly text: string }
  | { readonly kind: "rename"; readonly from: string; readonly to: string };
