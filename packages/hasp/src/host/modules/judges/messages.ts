import type { Answer, Question } from "../../../spec-tests/index.js";

/** A module of the user's and the name of one of its exports. */
export interface ExportPlace {
  /** The absolute path of the module. */
  readonly file: string;
  readonly name: string;
}

/** What the process of the judges is told to do, one request after the other. */
export type JudgeRequest =
  | { readonly kind: "load"; readonly file: string }
  | { readonly kind: "make-context"; readonly place: ExportPlace }
  | { readonly kind: "ask"; readonly place: ExportPlace; readonly question: Question }
  | { readonly kind: "close" };

/** What a module exports: the type of each export by its name; or why it could not be imported. */
export type ModuleExports = { readonly exports: Readonly<Record<string, string>> } | { readonly reason: string };

/** What it answers, by the kind of the request. */
export interface JudgeReplies {
  readonly load: ModuleExports;
  readonly "make-context": { readonly reason?: string };
  readonly ask: Answer;
  readonly close: { readonly reason?: string };
}

/** Any of its answers. */
export type JudgeReply = JudgeReplies[JudgeRequest["kind"]];
