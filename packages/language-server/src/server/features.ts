import {
  CodeActionKind,
  CodeActionRequest,
  CodeLensRequest,
  CompletionItemKind,
  CompletionRequest,
  DefinitionRequest,
  HoverRequest,
  MarkupKind,
  PrepareRenameRequest,
  ReferencesRequest,
  RenameRequest,
  ResponseError,
  type Connection,
  type Location,
  ProtocolRequestType,
  type Range,
  type ServerCapabilities,
  type TextDocumentIdentifier,
} from "vscode-languageserver/node";
import type { Position } from "vscode-languageserver-textdocument";
import { codeActions } from "../actions/code-actions.js";
import { codeLenses } from "../code-lenses.js";
import { complete, type Completion } from "../completion/completion.js";
import { definition } from "../definition.js";
import type { FeaturePlace } from "../place/place.js";
import type { FileSpan } from "../model/file-span.js";
import { hover } from "../hover/hover.js";
import type { LanguageProject } from "../model/language-project.js";
import { references } from "../references.js";
import { renamable, rename } from "../rename.js";
import type { SourceText } from "../../../compiler/src/model/document.js";
import { toProtocol } from "./findings.js";
import {
  documentParameters,
  placeParameters,
  rangeParameters,
  referencesParameters,
  renameParameters,
  type Schema,
  toolParameters,
} from "./parameters.js";
import type { Positions } from "./positions.js";
import { workspaceEdit } from "./workspace-edit.js";

/** A request's subject: the compiled project and the document, and conversions for both. */
export interface Asked {
  readonly project: LanguageProject;
  readonly document: SourceText;
  readonly positions: Positions;
  offsetAt(position: Position): number;
  pageOf(code: string): string;
  /** Returns the page about a tool, as HTML. */
  toolPage(project: LanguageProject, tool: string): Promise<string | undefined>;
}

/** Returns `undefined` for a file of no project. */
type FindAsked = (uri: string) => Promise<Asked | undefined>;

/** A capability of the server and its handlers. */
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
  body: (asked: Asked, parameters: Parameters) => Promise<Result | null> | Result | null,
): Feature {
  return {
    method,
    parameters,
    capabilities,
    listen(connection, find) {
      connection.onRequest<unknown, unknown>(method, async (given: Parameters) => {
        const asked = await find(given.textDocument.uri);
        return asked === undefined ? null : body(asked, given);
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
      ...(range === undefined ? {} : { range }),
    };
  }),
  answer(
    CompletionRequest.type,
    placeParameters,
    { completionProvider: { triggerCharacters: [".", "/", "#", '"'] } },
    (asked, parameters) => {
      const { span, items } = complete(placeOf(asked, parameters));
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
    locations(definition(placeOf(asked, parameters)), asked),
  ),
  answer(ReferencesRequest.type, referencesParameters, { referencesProvider: true }, (asked, parameters) =>
    locations(references(placeOf(asked, parameters), parameters.context), asked),
  ),
  answer(PrepareRenameRequest.type, placeParameters, {}, (asked, parameters) => {
    const found = renamable(placeOf(asked, parameters));
    const range = found === undefined ? undefined : asked.positions.range(found);
    return found === undefined || range === undefined ? null : { range, placeholder: found.name };
  }),
  answer(
    RenameRequest.type,
    renameParameters,
    { renameProvider: { prepareProvider: true } },
    async (asked, parameters) => {
      const result = await rename(placeOf(asked, parameters), parameters.newName);
      if ("refusal" in result) throw new ResponseError(REQUEST_FAILED, result.refusal);
      return workspaceEdit(result, asked);
    },
  ),
  answer(
    CodeActionRequest.type,
    rangeParameters,
    { codeActionProvider: { codeActionKinds: [CodeActionKind.QuickFix] } },
    async (asked, { range }) => {
      const span = { start: asked.offsetAt(range.start), end: asked.offsetAt(range.end) };
      const actions = codeActions(asked.project, asked.document, span);
      return Promise.all(
        actions.map(async ({ title, edit, finding, isPreferred }) => ({
          title,
          kind: CodeActionKind.QuickFix,
          isPreferred,
          diagnostics: [toProtocol(finding, asked.positions, asked.pageOf)],
          edit: await workspaceEdit(edit, asked),
        })),
      );
    },
  ),
  answer(CodeLensRequest.type, documentParameters, { codeLensProvider: {} }, (asked) =>
    codeLenses(asked.project, asked.document).map(({ span, title, tool }) => ({
      range: asked.positions.range(span) ?? NOWHERE,
      command: { title, command: "hasp.showTool", arguments: [asked.positions.addressOf(span.uri), tool] },
    })),
  ),
  answer(TOOL_PAGE, toolParameters, {}, async (asked, { tool }) => (await asked.toolPage(asked.project, tool)) ?? null),
];

/** The protocol's code for a request that cannot be carried out. */
const REQUEST_FAILED = -32_803;
