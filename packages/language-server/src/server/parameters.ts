/** A JSON Schema of the required parameters; others are allowed. */
export type Schema = Readonly<Record<string, unknown>>;

type Schemas = Readonly<Record<string, Schema>>;

const text: Schema = { type: "string" };
const integer: Schema = { type: "integer" };
const count: Schema = { type: "integer", minimum: 0 };
const position = object({ line: count, character: count });
const range = object({ start: position, end: position });
const document: Schema = object({ uri: text });

export const documentParameters: Schema = object({ textDocument: document });
export const placeParameters: Schema = object({ textDocument: document, position });
export const referencesParameters: Schema = object({
  textDocument: document,
  position,
  context: object({ includeDeclaration: { type: "boolean" } }),
});
export const renameParameters: Schema = object({ textDocument: document, position, newName: text });
export const rangeParameters: Schema = object({ textDocument: document, range });
export const toolParameters: Schema = object({ textDocument: document, tool: text });

/** Parameters of the methods that the library handles. */
export const libraryParameters: Schemas = {
  initialize: object(
    { capabilities: { type: "object" } },
    {
      rootUri: { type: ["string", "null"] },
      workspaceFolders: { type: ["array", "null"], items: object({ uri: text }) },
    },
  ),
  "textDocument/didOpen": object({
    textDocument: object({ uri: text, languageId: text, version: integer, text }),
  }),
  "textDocument/didChange": object({
    textDocument: object({ uri: text, version: integer }),
    contentChanges: { type: "array", items: object({ text }, { range }) },
  }),
  "textDocument/didSave": documentParameters,
  "textDocument/didClose": documentParameters,
  "workspace/didChangeWatchedFiles": object({ changes: { type: "array", items: object({ uri: text }) } }),
};

function object(required: Schemas, optional: Schemas = {}): Schema {
  return { type: "object", required: Object.keys(required), properties: { ...required, ...optional } };
}
