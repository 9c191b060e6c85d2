import {
  CodeActionKind,
  CodeActionRequest,
  CodeLensRequest,
  CompletionItemKind,
  CompletionRequest,
  type Connection,
  type CreateFile,
  DefinitionRequest,
  HoverRequest,
  type Location,
  MarkupKind,
  PrepareRenameRequest,
  ProtocolRequestType,
  type Range,
  ReferencesRequest,
  type RenameFile,
  RenameRequest,
  ResponseError,
  type ServerCapabilities,
  type TextDocumentEdit,
  type TextDocumentIdentifier,
  type TextEdit,
  type WorkspaceEdit,
} from "vscode-languageserver/node";
import { type Position, TextDocument } from "vscode-languageserver-textdocument";
import { listCodeActions } from "../code-actions.js";
import { hover, listCodeLenses } from "../hover-and-lenses.js";
import { complete, type Complete, type Completion } from "../completion/completion.js";
import {
  completeConditionNames,
  completeConnections,
  completeContextFields,
  completeReferences,
  completeToolNames,
} from "../completion/names.js";
import { formatKeys, formatValues, propertyNames } from "../completion/schema-words.js";
import { findDefinition, findReferences } from "../occurrences.js";
import type { FeaturePlace } from "../place.js";
import type { FileChange, FileSpan, LanguageProject, ProjectEdit } from "../language-project.js";
import { findRenamable, rename } from "../rename.js";
import type { SourceText } from "@hasp/compiler";
import { type Positions, toProtocol } from "./to-protocol.js";
import {
  documentParameters,
  placeParameters,
  rangeParameters,
  referencesParameters,
  renameParameters,
  type Schema,
  toolParameters,
} from "./message-gate.js";
import { dropUndefined, groupBy, withoutTwins } from "@hasp/base/json";

/** A request's subject: the compiled project and the document, and conversions for both. */
export interface Asked {
  readonly project: LanguageProject;
  readonly document: SourceText;
  readonly positions: Positions;
  offsetAt(position: Position): number;
  pageOf(code: string): string;
  toolPage(project: LanguageProject, tool: string): Promise<string | undefined>;
}

/** In the order in which editors show them. */
const COMPLETIONS: readonly Complete[] = [
  completeToolNames,
  completeReferences,
  completeConnections,
  completeContextFields,
  completeConditionNames,
  propertyNames,
  formatValues,
  formatKeys,
];

/** Returns one subject for each project that has the file; none for a file of no project. */
type FindAsked = (uri: string) => Promise<readonly Asked[]>;

interface Feature {
  readonly method: string;
  readonly parameters: Schema;
  readonly capabilities: ServerCapabilities;
  listen(connection: Connection, find: FindAsked): void;
}

interface AboutDocument {
  readonly textDocument: TextDocumentIdentifier;
}

interface AboutPlace extends AboutDocument {
  readonly position: Position;
}

/** Answers a request about a document; `null` outside of all projects. */
function answer<Parameters extends AboutDocument, Result, Partial, Fault, Registration>(
  { method }: ProtocolRequestType<Parameters, Result | null, Partial, Fault, Registration>,
  parameters: Schema,
  capabilities: ServerCapabilities,
  body: (asked: Asked, parameters: Parameters, all: readonly Asked[]) => Promise<Result | null> | Result | null,
): Feature {
  return {
    method,
    parameters,
    capabilities,
    listen(connection, find) {
      connection.onRequest<unknown, unknown>(method, async (given: Parameters) => {
        const all = await find(given.textDocument.uri);
        const [asked] = all;
        return asked === undefined ? null : body(asked, given, all);
      });
    },
  };
}

function placeOf({ project, document, offsetAt }: Asked, { position }: AboutPlace): FeaturePlace {
  return { project, document, offset: offsetAt(position) };
}

function locations(spans: readonly FileSpan[], { positions }: Asked): Location[] {
  return spans.map((span) => ({ uri: positions.addressOf(span.uri), range: positions.range(span) ?? NOWHERE }));
}

const NOWHERE: Range = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };

const COMPLETION_KINDS: { readonly [kind in Completion["kind"]]: CompletionItemKind } = {
  key: CompletionItemKind.Property,
  value: CompletionItemKind.Value,
  tool: CompletionItemKind.Function,
  reference: CompletionItemKind.Reference,
  variable: CompletionItemKind.Variable,
};

/** A request of our own: the catalogue's page about a tool, as HTML. */
const TOOL_PAGE = new ProtocolRequestType<AboutDocument & { readonly tool: string }, string | null, never, void, void>(
  "hasp/toolPage",
);

/** One row for each request of the protocol. */
export const features: readonly Feature[] = [
  answer(HoverRequest.type, placeParameters, { hoverProvider: true }, (asked, parameters) => {
    const shown = hover(placeOf(asked, parameters));
    if (shown === undefined) return null;
    const range = asked.positions.range(shown.span);
    return {
      contents: { kind: MarkupKind.Markdown, value: shown.markdown },
      ...dropUndefined({ range }),
    };
  }),
  answer(
    CompletionRequest.type,
    placeParameters,
    { completionProvider: { triggerCharacters: [".", "/", "#", '"'] } },
    (asked, parameters) => {
      const { span, items } = complete(placeOf(asked, parameters), COMPLETIONS);
      const range = asked.positions.range(span);
      return items.map(({ label, kind, insert = label, documentation }, index) => ({
        label,
        kind: COMPLETION_KINDS[kind],
        sortText: String(index).padStart(5, "0"),
        filterText: insert.startsWith('"') ? `"${label}` : label,
        ...(documentation === undefined ? {} : { documentation: { kind: MarkupKind.Markdown, value: documentation } }),
        ...(range === undefined ? { insertText: insert } : { textEdit: { range, newText: insert } }),
      }));
    },
  ),
  answer(DefinitionRequest.type, placeParameters, { definitionProvider: true }, (asked, parameters) =>
    locations(findDefinition(placeOf(asked, parameters)), asked),
  ),
  answer(ReferencesRequest.type, referencesParameters, { referencesProvider: true }, (_, parameters, all) =>
    withoutTwins(
      all.flatMap((asked) => locations(findReferences(placeOf(asked, parameters), parameters.context), asked)),
    ),
  ),
  answer(PrepareRenameRequest.type, placeParameters, {}, (asked, parameters) => {
    const found = findRenamable(placeOf(asked, parameters));
    const range = found && asked.positions.range(found);
    return found === undefined || range === undefined ? null : { range, placeholder: found.name };
  }),
  answer(
    RenameRequest.type,
    renameParameters,
    { renameProvider: { prepareProvider: true } },
    async (_, parameters, all) => {
      const edits = all.map(async (asked) => {
        const result = await rename(placeOf(asked, parameters), parameters.newName);
        if ("refusal" in result) throw new ResponseError(REQUEST_FAILED, result.refusal);
        return toWorkspaceEdit(result, asked);
      });
      return joinEdits(await Promise.all(edits));
    },
  ),
  answer(
    CodeActionRequest.type,
    rangeParameters,
    { codeActionProvider: { codeActionKinds: [CodeActionKind.QuickFix] } },
    async (asked, { range }) => {
      const span = { start: asked.offsetAt(range.start), end: asked.offsetAt(range.end) };
      const actions = listCodeActions(asked.project, asked.document, span);
      return Promise.all(
        actions.map(async ({ title, change, disabled, finding, isPreferred = false }) => ({
          title,
          kind: CodeActionKind.QuickFix,
          isPreferred,
          diagnostics: [toProtocol(finding, asked.positions, asked.pageOf)],
          ...(change && { edit: await toWorkspaceEdit({ changes: [change] }, asked) }),
          ...(disabled === undefined ? {} : { disabled: { reason: disabled } }),
        })),
      );
    },
  ),
  answer(CodeLensRequest.type, documentParameters, { codeLensProvider: {} }, (asked) =>
    listCodeLenses(asked.project, asked.document).map(({ span, title, tool }) => ({
      range: asked.positions.range(span) ?? NOWHERE,
      command: { title, command: "hasp.showTool", arguments: [asked.positions.addressOf(span.uri), tool] },
    })),
  ),
  answer(TOOL_PAGE, toolParameters, {}, async (asked, { tool }) => (await asked.toolPage(asked.project, tool)) ?? null),
];

/** The protocol's code for a request that cannot be carried out. */
const REQUEST_FAILED = -32_803;

type Replacement = Extract<FileChange, { kind: "replace" }>;

/** Converts a project's change: texts first, then renamed files. */
async function toWorkspaceEdit({ changes }: ProjectEdit, asked: Asked): Promise<WorkspaceEdit> {
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

/** Joins the edits of projects that share files. */
function joinEdits(all: readonly WorkspaceEdit[]): WorkspaceEdit {
  const changes = all.flatMap(({ documentChanges = [] }) => documentChanges);
  const texts = changes.filter((change) => "edits" in change && change.textDocument.version === null);
  const byFile = groupBy(texts as readonly TextDocumentEdit[], ({ textDocument }) => textDocument.uri);
  const files = changes.filter((change) => !texts.includes(change));
  return {
    documentChanges: [
      ...[...byFile.values()].map(([first, ...others]) => ({
        textDocument: first?.textDocument ?? { uri: "", version: null },
        edits: withoutTwins([...(first?.edits ?? []), ...others.flatMap(({ edits }) => edits)]),
      })),
      ...withoutTwins(files),
    ],
  };
}

/** Converts replacements in a file, even one that was not compiled. */
async function editsIn(uri: string, { positions, project }: Asked): Promise<(change: Replacement) => TextEdit> {
  const other = positions.range({ uri, start: 0, end: 0 }) === undefined ? await project.read(uri) : undefined;
  const document = other && TextDocument.create("", "", 0, other.text);
  return ({ span, text }) => {
    const range = document
      ? { start: document.positionAt(span.start), end: document.positionAt(span.end) }
      : positions.range(span);
    if (range === undefined) throw new Error(`${uri} is no file of the project.`);
    return { range, newText: text };
  };
}
