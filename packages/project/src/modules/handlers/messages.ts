import type { FunctionAnswer, FunctionQuestion } from "@hasp/builtin/tests";

export interface ExportReference {
  readonly file: string;
  readonly name: string;
}

export type HandlerRequest =
  | { readonly kind: "load"; readonly file: string }
  | { readonly kind: "make-context"; readonly reference: ExportReference }
  | { readonly kind: "ask"; readonly reference: ExportReference; readonly question: FunctionQuestion }
  | { readonly kind: "close" };

/** The type of each export of a module by name, or why it could not be imported. */
export type ModuleExports = { readonly exports: Readonly<Record<string, string>> } | { readonly reason: string };

export interface HandlerReplies {
  readonly load: ModuleExports;
  readonly "make-context": { readonly reason?: string };
  readonly ask: FunctionAnswer;
  readonly close: { readonly reason?: string };
}

export type HandlerReply = HandlerReplies[HandlerRequest["kind"]];
