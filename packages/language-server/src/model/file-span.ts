import type { TextSpan } from "../../../compiler/src/diagnostics/place-in-text.js";

export interface FileSpan extends TextSpan {
  readonly uri: string;
}
