import type { CreateFile, RenameFile, TextDocumentEdit, TextEdit, WorkspaceEdit } from "vscode-languageserver/node";
import { TextDocument } from "vscode-languageserver-textdocument";
import { groupBy } from "../../../compiler/src/model/group-by.js";
import type { FileChange, ProjectEdit } from "../model/project-edit.js";
import type { Asked } from "./features.js";

type Replacement = Extract<FileChange, { kind: "replace" }>;

/** Converts a project's change: texts first, then renamed files. */
export async function workspaceEdit({ changes }: ProjectEdit, asked: Asked): Promise<WorkspaceEdit> {
  const { positions } = asked;
  const replaced = changes.filter((change) => change.kind === "replace");
  const byFile = [...groupBy(replaced, ({ span }) => span.uri)];
  const edits = await Promise.all(
    byFile.map(async ([uri, each]): Promise<TextDocumentEdit> => {
      const toEdit = await editsIn(uri, asked);
      return { textDocument: { uri: positions.addressOf(uri), version: null }, edits: each.map(toEdit) };
    }),
  );
  const files = changes.flatMap((change): readonly (CreateFile | RenameFile | TextDocumentEdit)[] => {
    if (change.kind === "rename") {
      const [oldUri, newUri] = [positions.addressOf(change.from), positions.addressOf(change.to)];
      return [{ kind: "rename", oldUri, newUri }];
    }
    if (change.kind !== "create") return [];
    const uri = positions.addressOf(change.uri);
    const start = { line: 0, character: 0 };
    return [
      { kind: "create", uri },
      { textDocument: { uri, version: null }, edits: [{ range: { start, end: start }, newText: change.text }] },
    ];
  });
  return { documentChanges: [...edits, ...files] };
}

/** Converts replacements in a file, even one that was not compiled. */
async function editsIn(uri: string, { positions, project }: Asked): Promise<(change: Replacement) => TextEdit> {
  const other = positions.range({ uri, start: 0, end: 0 }) === undefined ? await project.read(uri) : undefined;
  const document = other === undefined ? undefined : TextDocument.create("", "", 0, other.text);
  return ({ span, text }) => {
    const range = document
      ? { start: document.positionAt(span.start), end: document.positionAt(span.end) }
      : positions.range(span);
    if (range === undefined) throw new Error(`${uri} is no file of the project.`);
    return { range, newText: text };
  };
}
