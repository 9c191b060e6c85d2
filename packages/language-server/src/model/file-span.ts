import type { TextSpan } from "../../../compiler/src/diagnostics/place-in-text.js";

/** A part of one of the project's files. */
export interface FileSpan extends TextSpan {
  readonly uri: string;
}
