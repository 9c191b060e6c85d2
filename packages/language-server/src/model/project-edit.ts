import type { FileSpan } from "./file-span.js";

export interface ProjectEdit {
  readonly changes: readonly FileChange[];
}

export type FileChange =
  | { readonly kind: "replace"; readonly span: FileSpan; readonly text: string }
  | { readonly kind: "create"; readonly uri: string; readonly text: string }
  | { readonly kind: "rename"; readonly from: string; readonly to: string };
