import { asComment } from "../typescript/doc-comment.js";

/** What the header of every file that hasp owns begins with; a TypeScript file without it is never overwritten. */
export const headerMark = "// Made by hasp from ";

/** The first line of a file that hasp owns. */
export function header(source: string): string {
  return `${headerMark}${asComment(source).replaceAll("\n", " ")}. Edits are lost: change the spec and run \`hasp build\`.`;
}
