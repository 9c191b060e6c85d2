import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { createConnection } from "vscode-languageserver";
import {
  createProtocolConnection,
  StreamMessageReader,
  StreamMessageWriter,
  TextDocuments,
  TextDocumentSyncKind,
  type Connection,
  type InitializeParams,
  type InitializeResult,
} from "vscode-languageserver/node";
import { TextDocument } from "vscode-languageserver-textdocument";
import type { Diagnostic } from "../../../compiler/src/diagnostics/diagnostic.js";
import type { LanguageProject } from "../language-project.js";
import { slashPath } from "../../../project/src/fs/slash-path.js";
import { findRole } from "../document-format.js";
import type { SourceText } from "../../../compiler/src/model/document.js";
import { type Asked, features } from "./features.js";
import { areSame, findingsByFile, Positions, toProtocol } from "./to-protocol.js";
import { libraryParameters, createMessageGate } from "./message-gate.js";
import { ProjectSession, type CompileFolder, type SessionCache } from "./project-session.js";

/** The services that the language server needs from the command line. */
export interface LanguageServing {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
  readonly version: string;
  readonly findRoot: (folder: string) => string | undefined;
  readonly openCache: (root: string) => SessionCache;
  readonly compile: CompileFolder;
  /** Returns the file for findings without a place, relative to the root. */
  readonly configOf: (root: string) => string | undefined;
  readonly pageOf: (code: string) => string;
  /** Returns a tool's page as HTML; `undefined` for an unknown tool. */
  readonly toolPage: (project: LanguageProject, tool: string) => Promise<string | undefined>;
}

/** Serves the protocol until the client ends it. Returns false if the client left without the required `shutdown`. */
export async function serveLanguage(serving: LanguageServing): Promise<boolean> {
  const { input, output } = serving;
  let wasAsked = false;
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  for (const event of ["end", "close"]) input.once(event, end);
  const reader = new StreamMessageReader(input);
  const writer = new StreamMessageWriter(output);
  // Only a fault in a message's JSON leaves the start of the next message known.
  reader.onError((error) => {
    if (!(error instanceof SyntaxError)) end();
  });
  const connection = createConnection(
    (logger) =>
      createProtocolConnection(reader, writer, logger, { messageStrategy: createMessageGate(SCHEMAS, writer) }),
    // The library's own handler for Node ends the process.
    {
      initialize: () => undefined,
      get shutdownReceived() {
        return wasAsked;
      },
      set shutdownReceived(isAsked) {
        wasAsked = isAsked;
      },
      exit: () => end(),
    },
  );
  const server = new LanguageServer(connection, serving);
  connection.listen();
  await ended;
  server.close();
  return wasAsked;
}

const SCHEMAS = {
  ...libraryParameters,
  ...Object.fromEntries(features.map(({ method, parameters }) => [method, parameters])),
};

class LanguageServer {
  readonly #connection: Connection;
  readonly #serving: LanguageServing;
  readonly #documents = new TextDocuments(TextDocument);
  readonly #sessions = new Map<string, ProjectSession>();
  /** The client's shown findings, by project and file. */
  readonly #shown = new Map<string, ReadonlyMap<string, readonly Diagnostic[]>>();

  constructor(connection: Connection, serving: LanguageServing) {
    this.#connection = connection;
    this.#serving = serving;
    connection.onInitialize((params) => this.#initialize(params));
    this.#documents.onDidChangeContent(({ document }) => {
      this.#withSession(document.uri, (session, path) => session.overlay(path, document.getText()));
    });
    this.#documents.onDidSave(({ document }) => {
      this.#withSession(document.uri, (session, path) => session.invalidate(path));
    });
    this.#documents.onDidClose(({ document }) => {
      this.#withSession(document.uri, (session, path) => session.overlay(path, undefined));
    });
    connection.onDidChangeWatchedFiles(({ changes }) => {
      for (const { uri } of changes) this.#withSession(uri, (session, path) => session.invalidate(path));
    });
    this.#documents.listen(connection);
    for (const feature of features) feature.listen(connection, (uri) => this.#find(uri));
  }

  close(): void {
    for (const session of this.#sessions.values()) session.close();
  }

  #initialize({ workspaceFolders, rootUri }: InitializeParams): InitializeResult {
    const folders = workspaceFolders?.map(({ uri }) => uri) ?? (typeof rootUri === "string" ? [rootUri] : []);
    for (const folder of folders) {
      const path = pathOf(folder);
      if (path !== undefined) this.#sessionOf(path)?.invalidate();
    }
    return {
      serverInfo: { name: "hasp", version: this.#serving.version },
      capabilities: {
        ...Object.assign({}, ...features.map(({ capabilities }) => capabilities)),
        textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Incremental, save: true },
        workspace: { workspaceFolders: { supported: true } },
      },
    };
  }

  /** Finds what a request is about, once everything before it is compiled. */
  async #find(uri: string): Promise<Asked | undefined> {
    const path = pathOf(uri);
    const session = path === undefined ? undefined : this.#sessionOf(dirname(path));
    const project = await session?.current();
    if (path === undefined || session === undefined || project === undefined) return undefined;
    const document = await documentAt(slashPath(session.root, path), project, this.#documents.get(uri)?.getText());
    if (document === undefined) return undefined;
    const positions = new Positions(project, [document]);
    const open = TextDocument.create(uri, "", 0, document.text);
    return {
      project,
      document,
      positions,
      pageOf: this.#serving.pageOf,
      toolPage: this.#serving.toolPage,
      offsetAt: (position) => open.offsetAt(position),
    };
  }

  #withSession(uri: string, body: (session: ProjectSession, path: string) => void): void {
    const path = pathOf(uri);
    const session = path === undefined ? undefined : this.#sessionOf(dirname(path));
    if (path !== undefined && session !== undefined) body(session, path);
  }

  #sessionOf(folder: string): ProjectSession | undefined {
    const root = this.#serving.findRoot(folder);
    if (root === undefined) return undefined;
    let session = this.#sessions.get(root);
    if (session === undefined) {
      session = new ProjectSession(root, this.#serving.openCache(root), {
        compile: this.#serving.compile,
        onCompiled: (project) => this.#publish(project),
        onError: (error) => this.#connection.console.error(String(error instanceof Error ? error.stack : error)),
      });
      this.#sessions.set(root, session);
    }
    return session;
  }

  #publish(project: LanguageProject): void {
    const positions = new Positions(project);
    const before = this.#shown.get(project.root) ?? new Map<string, readonly Diagnostic[]>();
    const after = findingsByFile(project, this.#serving.configOf(project.root));
    this.#shown.set(project.root, after);
    for (const file of new Set([...before.keys(), ...after.keys()])) {
      const found = after.get(file) ?? [];
      if (before.has(file) && areSame(before.get(file) ?? [], found)) continue;
      void this.#connection.sendDiagnostics({
        uri: positions.addressOf(file),
        diagnostics: found.map((finding) => toProtocol(finding, positions, this.#serving.pageOf)),
      });
    }
  }
}

/** Reads a document as compiled, else as open or on disk. */
async function documentAt(
  uri: string,
  project: LanguageProject,
  text: string | undefined,
): Promise<SourceText | undefined> {
  const known = [...project.sources, project.config].find((source) => source?.uri === uri);
  if (known !== undefined) return known;
  return text === undefined ? project.read(uri) : { uri, role: findRole(uri, project), text };
}

function pathOf(uri: string): string | undefined {
  try {
    return uri.startsWith("file:") ? fileURLToPath(uri) : undefined;
  } catch {
    return undefined;
  }
}
