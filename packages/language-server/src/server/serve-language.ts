import { findOrAdd, withoutTwins } from "@hasp/base/json";
import { attempt, type Diagnostic } from "@hasp/base/diagnostics";
import { dirname } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { createConnection, type Diagnostic as ProtocolDiagnostic } from "vscode-languageserver";
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
import { type Position, TextDocument } from "vscode-languageserver-textdocument";
import type { LanguageProject } from "../language-project.js";
import { projectDiagnostics, SPEC_FILE } from "@hasp/project/read";
import { toSlashPath } from "@hasp/project";
import { findRole } from "../document-format.js";
import type { SourceText } from "@hasp/compiler";
import { type Asked, features } from "./features.js";
import { areSame, groupFindingsByFile, Positions, toProtocol } from "./to-protocol.js";
import { libraryParameters, createMessageGate } from "./message-gate.js";
import { type CompileProject, type ProjectPlace, ProjectSession, type SessionCache } from "./project-session.js";

/** The services that the language server needs from the command line. */
interface LanguageServing {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
  readonly version: string;
  /** Finds the projects that a file in this folder may belong to. */
  readonly findProjects: (folder: string) => readonly ProjectPlace[];
  readonly openCache: (place: ProjectPlace) => SessionCache;
  readonly compile: CompileProject;
  /** Returns the file for findings without a place, relative to the root. */
  readonly configOf: (place: ProjectPlace) => string | undefined;
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
  /** The client's shown findings, by project and address. */
  readonly #shown = new Map<string, ReadonlyMap<string, ShownFindings>>();

  constructor(connection: Connection, serving: LanguageServing) {
    this.#connection = connection;
    this.#serving = serving;
    connection.onInitialize((params) => this.#initialize(params));
    this.#documents.onDidChangeContent(({ document }) => {
      this.#withSessions(document.uri, (session, path) => session.overlay(path, document.getText()));
    });
    this.#documents.onDidOpen(() => this.#noteUncovered());
    this.#documents.onDidSave(({ document }) => {
      this.#withSessions(document.uri, (session, path) => session.invalidate(path));
    });
    this.#documents.onDidClose(({ document }) => {
      this.#withSessions(document.uri, (session, path) => session.overlay(path, undefined));
      this.#noteUncovered();
    });
    connection.onDidChangeWatchedFiles(({ changes }) => {
      for (const { uri } of changes) this.#withSessions(uri, (session, path) => session.invalidate(path));
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
      for (const session of path === undefined ? [] : this.#sessionsOf(path)) session.invalidate();
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

  /** Finds a request's subject in each project that has the file, after all pending changes are compiled. */
  async #find(uri: string): Promise<readonly Asked[]> {
    const path = pathOf(uri);
    if (path === undefined) return [];
    const sessions = this.#sessionsOf(dirname(path));
    const projects = await Promise.all(sessions.map(async (session) => session.current()));
    const covering = sessions.filter((session) => session.covers(path));
    const asked = (covering.length > 0 ? covering : sessions.slice(0, 1)).map(async (session) => {
      const project = projects[sessions.indexOf(session)];
      if (project === undefined) return undefined;
      const text = this.#documents.get(uri)?.getText();
      const document = await documentAt(toSlashPath(session.place.root, path), project, text);
      if (document === undefined) return undefined;
      const open = TextDocument.create(uri, "", 0, document.text);
      return {
        project,
        document,
        positions: new Positions(project, [document]),
        pageOf: this.#serving.pageOf,
        toolPage: this.#serving.toolPage,
        offsetAt: (position: Position) => open.offsetAt(position),
      };
    });
    return (await Promise.all(asked)).filter((each) => each !== undefined);
  }

  #withSessions(uri: string, body: (session: ProjectSession, path: string) => void): void {
    const path = pathOf(uri);
    for (const session of path === undefined ? [] : this.#sessionsOf(dirname(path))) body(session, path ?? "");
  }

  #sessionsOf(folder: string): readonly ProjectSession[] {
    return this.#serving.findProjects(folder).map((place) => {
      const key = JSON.stringify(place);
      return findOrAdd(
        this.#sessions,
        key,
        () =>
          new ProjectSession(place, this.#serving.openCache(place), {
            compile: this.#serving.compile,
            onCompiled: (project) => this.#publish(key, place, project),
            onError: (error) => this.#connection.console.error(String(error instanceof Error ? error.stack : error)),
          }),
      );
    });
  }

  #publish(key: string, place: ProjectPlace, project: LanguageProject): void {
    const positions = new Positions(project);
    const before = this.#shown.get(key);
    const found = [...groupFindingsByFile(project, this.#serving.configOf(place))].map(([file, findings]) => {
      const address = positions.addressOf(file);
      const known = before?.get(address);
      const isKnown = known !== undefined && areSame(known.findings, findings);
      const converted = (): readonly ProtocolDiagnostic[] =>
        findings.map((finding) => toProtocol(finding, positions, this.#serving.pageOf));
      return [address, isKnown ? known : { findings, converted: converted() }] as const;
    });
    this.#show(key, new Map(found));
    this.#noteUncovered();
  }

  /** Shows the findings of one project beside those of the others. */
  #show(key: string, now: ReadonlyMap<string, ShownFindings>): void {
    const before = this.#shown.get(key) ?? new Map<string, ShownFindings>();
    this.#shown.set(key, now);
    for (const uri of new Set([...before.keys(), ...now.keys()])) {
      if (before.get(uri) === now.get(uri)) continue;
      const all = [...this.#shown.values()].flatMap((shown) => shown.get(uri)?.converted ?? []);
      // Projects that share a file find the same in it.
      const diagnostics = withoutTwins(all);
      void this.#connection.sendDiagnostics({ uri, diagnostics });
    }
  }

  /** Notes each open spec that belongs to no project. */
  #noteUncovered(): void {
    const before = this.#shown.get(UNCOVERED);
    const notes = this.#documents.all().flatMap((document): readonly (readonly [string, ShownFindings])[] => {
      const path = pathOf(document.uri);
      if (path === undefined || !SPEC_FILE.test(path)) return [];
      const sessions = this.#sessionsOf(dirname(path));
      // An unusable configuration has a finding of its own.
      if (sessions.some((session) => session.last?.compiled === undefined || session.covers(path))) return [];
      const uri = pathToFileURL(path).href;
      const names = sessions.map(({ place }) => this.#serving.configOf(place) ?? "");
      const finding = projectDiagnostics("spec-not-covered", undefined, {
        variant: names.length === 0 ? "none" : "other",
        names,
      });
      const { severity, code, message, help = "" } = finding;
      const known = before?.get(uri);
      if (known !== undefined && areSame(known.findings, [finding])) return [[uri, known]];
      const converted: ProtocolDiagnostic = {
        source: "hasp",
        code,
        codeDescription: { href: this.#serving.pageOf(code) },
        severity: severity === "error" ? 1 : 2,
        message: `${message}\n${help}`,
        range: { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } },
      };
      return [[uri, { findings: [finding], converted: [converted] }]];
    });
    this.#show(UNCOVERED, new Map(notes));
  }
}

interface ShownFindings {
  readonly findings: readonly Diagnostic[];
  readonly converted: readonly ProtocolDiagnostic[];
}

/** The key of findings about specs of no project. */
const UNCOVERED = "";

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
  return attempt(() => (uri.startsWith("file:") ? fileURLToPath(uri) : undefined));
}
