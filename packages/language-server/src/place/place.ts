import type { SourceText } from "../../../compiler/src/model/document.js";
import type { FlatTool } from "../../../compiler/src/model/tool.js";
import { pointerTokens } from "../../../compiler/src/model/json-pointer.js";
import { formatOf, roleOf } from "../formats/document-format.js";
import { type PlaceSchema, schemasAt } from "../formats/format-schema.js";
import type { LanguageProject } from "../model/language-project.js";
import { cursorAt, type Cursor } from "../syntax/cursor.js";
import { syntaxOf, type SyntaxNode } from "../syntax/syntax-tree.js";

/** The place that a request is about. */
export interface FeaturePlace {
  readonly project: LanguageProject;
  readonly document: SourceText;
  readonly offset: number;
}

export interface PlaceSyntax extends Cursor {
  readonly root: SyntaxNode;
  readonly path: readonly string[];
  /** The format's schemas that apply there. */
  readonly schemas: readonly PlaceSchema[];
}

export function syntaxAt({ project, document, offset }: FeaturePlace): PlaceSyntax {
  const root = syntaxOf(document, project.cache);
  const cursor = cursorAt(root, offset);
  const path = pointerTokens(cursor.pointer);
  return { ...cursor, root, path, schemas: schemasAt(formatOf(roleOf(document.uri, project)), path) };
}

export function toolsIn({ uri }: SourceText, { compiled }: LanguageProject): readonly FlatTool[] {
  return compiled?.result.tools.filter((tool) => tool.document.uri === uri) ?? [];
}

/** Finds the tool whose spec holds a place, and the pointer inside the spec. */
export function toolAt(
  { document, project }: FeaturePlace,
  pointer: string,
): { readonly tool: FlatTool; readonly inside: string } | undefined {
  const tool = toolsIn(document, project).find(
    (each) => each.pointer === "" || pointer === each.pointer || pointer.startsWith(`${each.pointer}/`),
  );
  return tool === undefined ? undefined : { tool, inside: pointer.slice(tool.pointer.length) };
}
