import type { SourceText, FlatTool } from "@hasp/compiler";
import { parsePointer } from "@hasp/base/json";
import { findFormat, type PlaceSchema, findRole, findSchemas } from "./document-format.js";
import type { LanguageProject } from "./language-project.js";
import { type Cursor, findCursor, type SyntaxNode, readSyntax } from "./syntax.js";

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

export function readPlace({ project, document, offset }: FeaturePlace): PlaceSyntax {
  const root = readSyntax(document, project.cache);
  const cursor = findCursor(root, offset);
  const path = parsePointer(cursor.pointer);
  return { ...cursor, root, path, schemas: findSchemas(findFormat(findRole(document.uri, project)), path) };
}

export function listTools({ uri }: SourceText, { compiled }: LanguageProject): readonly FlatTool[] {
  return compiled?.result.tools.filter((tool) => tool.document.uri === uri) ?? [];
}

/** Finds the tool whose spec holds a place, and the pointer inside the spec. */
export function findTool(
  { document, project }: FeaturePlace,
  pointer: string,
): { readonly tool: FlatTool; readonly inside: string } | undefined {
  const tool = listTools(document, project).find(
    (each) => each.pointer === "" || pointer === each.pointer || pointer.startsWith(`${each.pointer}/`),
  );
  return tool && { tool, inside: pointer.slice(tool.pointer.length) };
}

/** Lists files that may contain names: compiled ones, the configuration, and the open document. */
export function listFiles({ project, document }: FeaturePlace): readonly SourceText[] {
  const files = [...project.sources, ...(project.config === undefined ? [] : [project.config])];
  return files.some(({ uri }) => uri === document.uri) ? files : [...files, document];
}
