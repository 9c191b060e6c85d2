import { readFileSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { fileURLToPath, pathToFileURL } from "node:url";
import {
  createProtocolConnection,
  StreamMessageReader,
  StreamMessageWriter,
  type Diagnostic,
  type InitializeResult,
  type ProtocolConnection,
  type PublishDiagnosticsParams,
  type TextEdit,
  type WorkspaceEdit,
} from "vscode-languageserver-protocol/node";
import { TextDocument } from "vscode-languageserver-textdocument";
import { main } from "../../packages/hasp/src/cli/main.js";
import { recordingTerminal } from "../../packages/hasp/src/cli/shell/terminal.testing.js";

/** An editor, as far as the protocol is concerned: a client of the built `hasp lsp`, which runs in this process. */
export class Editor {
  readonly connection: ProtocolConnection;
  readonly #folder: string;
  readonly #ended: Promise<number>;
  readonly #documents = new Map<string, TextDocument>();
  readonly #shown = new Map<string, readonly Diagnostic[]>();
  /** Lines that the server wrote to standard error. */
  errors = "";
  initialized: InitializeResult | undefined;

  constructor(folder: string, environment: Readonly<Record<string, string>> = {}) {
    this.#folder = folder;
    const [input, output] = [new PassThrough(), new PassThrough()];
    const terminal = recordingTerminal(folder, {
      streams: { input, output },
      environment,
      error: (text) => void (this.errors += text),
    });
    this.#ended = main(["lsp", "--stdio"], terminal);
    this.connection = createProtocolConnection(new StreamMessageReader(output), new StreamMessageWriter(input));
    this.connection.onNotification("textDocument/publishDiagnostics", (shown: PublishDiagnosticsParams) => {
      this.#shown.set(this.pathOf(shown.uri), shown.diagnostics);
    });
    this.connection.onNotification("window/logMessage", ({ message }: { message: string }) => {
      this.errors += message;
    });
    this.connection.listen();
  }

  async start(folders: readonly string[] = [this.#folder]): Promise<this> {
    this.initialized = await this.connection.sendRequest("initialize", {
      processId: process.pid,
      rootUri: null,
      capabilities: {
        workspace: { workspaceEdit: { documentChanges: true, resourceOperations: ["create", "rename"] } },
      },
      workspaceFolders: folders.map((folder) => ({ uri: pathToFileURL(folder).href, name: folder })),
    });
    await this.connection.sendNotification("initialized", {});
    return this;
  }

  async stop(): Promise<void> {
    await this.connection.sendRequest("shutdown");
    await this.connection.sendNotification("exit");
    this.connection.dispose();
    await this.#ended;
  }

  uriOf(path: string): string {
    return pathToFileURL(join(this.#folder, path)).href;
  }

  pathOf(uri: string): string {
    return fileURLToPath(uri).slice(this.#folder.length + 1);
  }

  /** The text of an open document, or of the file. */
  textOf(path: string): string {
    return this.#documents.get(path)?.getText() ?? readFileSync(join(this.#folder, path), "utf8");
  }

  async open(path: string, text: string = this.textOf(path).replace("\uFEFF", "")): Promise<void> {
    const document = TextDocument.create(this.uriOf(path), path.endsWith(".json") ? "json" : "yaml", 1, text);
    this.#documents.set(path, document);
    const { uri, languageId, version } = document;
    await this.connection.sendNotification("textDocument/didOpen", {
      textDocument: { uri, languageId, version, text },
    });
  }

  async close(path: string): Promise<void> {
    this.#documents.delete(path);
    await this.connection.sendNotification("textDocument/didClose", { textDocument: { uri: this.uriOf(path) } });
  }

  /** Replaces a part of an open document, as a keystroke does. */
  async edit(path: string, start: number, end: number, text: string): Promise<void> {
    const document = this.#documents.get(path);
    if (document === undefined) throw new Error(`${path} is not open.`);
    const range = { start: document.positionAt(start), end: document.positionAt(end) };
    const version = document.version + 1;
    await this.connection.sendNotification("textDocument/didChange", {
      textDocument: { uri: document.uri, version },
      contentChanges: [{ range, text }],
    });
    TextDocument.update(document, [{ range, text }], version);
  }

  /** The place of a text in a document, plus an offset, with the document: what most requests take. */
  at(path: string, text: string, offset = 0): { textDocument: { uri: string }; position: TextEdit["range"]["start"] } {
    const document = TextDocument.create("", "", 0, this.textOf(path).replace("\uFEFF", ""));
    const index = document.getText().indexOf(text);
    if (index === -1) throw new Error(`${path} does not hold ${JSON.stringify(text)}.`);
    return { textDocument: { uri: this.uriOf(path) }, position: document.positionAt(index + offset) };
  }

  /** Waits until the server has compiled what it knows of; all findings of that have arrived then. */
  async settle(path: string): Promise<void> {
    await this.connection.sendRequest("textDocument/codeLens", { textDocument: { uri: this.uriOf(path) } });
  }

  /** The findings that are shown for a file. */
  shown(path: string): readonly Diagnostic[] {
    return this.#shown.get(path) ?? [];
  }

  /** All findings that are shown, one line each, in the order of the alphabet. */
  get findings(): readonly string[] {
    return [...this.#shown]
      .flatMap(([path, diagnostics]) =>
        diagnostics.map(
          ({ range: { start }, code, message }) =>
            `${path}:${start.line + 1}:${start.character + 1} ${code} ${message}`,
        ),
      )
      .toSorted();
  }

  /** Applies text edits to open documents and gives the new texts of all files that an edit names. */
  edited(edit: WorkspaceEdit): ReadonlyMap<string, string> {
    const texts = new Map<string, string>();
    for (const change of edit.documentChanges ?? []) {
      if (!("edits" in change)) continue;
      const path = this.pathOf(change.textDocument.uri);
      const document = TextDocument.create("", "", 0, texts.get(path) ?? this.#existing(path));
      texts.set(path, TextDocument.applyEdits(document, change.edits as TextEdit[]));
    }
    return texts;
  }

  #existing(path: string): string {
    try {
      return this.textOf(path);
    } catch {
      return "";
    }
  }
}
