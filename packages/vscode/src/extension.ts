import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import {
  commands,
  type Disposable,
  type ExtensionContext,
  RelativePattern,
  Uri,
  ViewColumn,
  type WebviewPanel,
  window,
  workspace,
  type WorkspaceFolder,
} from "vscode";
import { LanguageClient, TransportKind } from "vscode-languageclient/node";

/** Finds the hasp that a folder, or one above it, installs. */
function findServer(folder: string): string | undefined {
  for (let place = folder; ; place = dirname(place)) {
    const path = join(place, "node_modules/hasp/bin/hasp.js");
    if (existsSync(path)) return path;
    if (dirname(place) === place) return undefined;
  }
}

/** Language servers by workspace folder. */
class ProjectClients {
  readonly #clients = new Map<string, LanguageClient>();

  /** Starts servers for these folders, and ends those of others. */
  async follow(folders: readonly WorkspaceFolder[]): Promise<void> {
    const wanted = new Set(folders.map(({ uri }) => uri.toString()));
    const gone = [...this.#clients].filter(([key]) => !wanted.has(key));
    for (const [key, client] of gone) {
      this.#clients.delete(key);
      await client.stop();
    }
    for (const folder of folders) {
      const key = folder.uri.toString();
      const server = this.#clients.has(key) ? undefined : await serverOf(folder);
      // A concurrent call may have been faster.
      if (server === undefined || this.#clients.has(key)) continue;
      const client = createClient(server, folder);
      this.#clients.set(key, client);
      try {
        await client.start();
      } catch (error) {
        this.#clients.delete(key);
        void window.showErrorMessage(`hasp could not be started in ${folder.name}: ${String(error)}`);
      }
    }
  }

  /** Returns the catalogue's page about a tool of the document's project. */
  async toolPage(uri: string, tool: string): Promise<string | undefined> {
    const folder = workspace.getWorkspaceFolder(Uri.parse(uri));
    const client = folder === undefined ? undefined : this.#clients.get(folder.uri.toString());
    const page = await client?.sendRequest<string | null>("hasp/toolPage", { textDocument: { uri }, tool });
    return page ?? undefined;
  }

  async stop(): Promise<void> {
    const clients = [...this.#clients.values()];
    this.#clients.clear();
    await Promise.all(clients.map((client) => client.stop()));
  }
}

/** Finds the server of a folder; in a folder of several packages, that of the first with a configuration. */
async function serverOf({ uri }: WorkspaceFolder): Promise<string | undefined> {
  if (uri.scheme !== "file") return undefined;
  const server = findServer(uri.fsPath);
  if (server !== undefined) return server;
  const configs = await workspace.findFiles(new RelativePattern(uri, CONFIGS), "**/node_modules/**");
  const folders = configs.map(({ fsPath }) => dirname(fsPath)).toSorted();
  return folders.map(findServer).find((found) => found !== undefined);
}

const CONFIGS = "**/hasp.*.{yaml,yml,json,mjs,ts}";

function createClient(server: string, folder: WorkspaceFolder): LanguageClient {
  const run = {
    command: process.execPath,
    args: [server, "lsp", "--stdio"],
    transport: TransportKind.stdio,
    // The editor's own program runs as Node.
    options: { cwd: folder.uri.fsPath, env: { ...process.env, ELECTRON_RUN_AS_NODE: "1" } },
  };
  const pattern = `${folder.uri.fsPath.replaceAll("\\", "/")}/**/*`;
  return new LanguageClient("hasp", `hasp (${folder.name})`, run, {
    documentSelector: ["yaml", "json"].map((language) => ({ scheme: "file", language, pattern })),
    workspaceFolder: folder,
  });
}

/** The panel beside the editor with the catalogue's page about a tool. */
class ToolPanel implements Disposable {
  #panel: WebviewPanel | undefined;

  /** Shows a page, which has its own content security policy and needs no file or network. */
  show(tool: string, page: string): void {
    this.#panel ??= this.#create();
    this.#panel.title = tool;
    this.#panel.webview.html = page;
    this.#panel.reveal(undefined, true);
  }

  dispose(): void {
    this.#panel?.dispose();
  }

  #create(): WebviewPanel {
    const panel = window.createWebviewPanel(
      "hasp.tool",
      "hasp",
      { viewColumn: ViewColumn.Beside, preserveFocus: true },
      { enableScripts: true, localResourceRoots: [] },
    );
    panel.onDidDispose(() => (this.#panel = undefined));
    return panel;
  }
}

let clients: ProjectClients | undefined;

/** Starts a language server for each trusted folder that installs hasp. */
export async function activate(context: ExtensionContext): Promise<void> {
  const running = new ProjectClients();
  clients = running;
  const panel = new ToolPanel();
  const start = (): Promise<void> => running.follow(workspace.isTrusted ? (workspace.workspaceFolders ?? []) : []);
  context.subscriptions.push(
    panel,
    workspace.onDidGrantWorkspaceTrust(start),
    workspace.onDidChangeWorkspaceFolders(start),
    commands.registerCommand("hasp.restart", async () => {
      await running.stop();
      await start();
    }),
    commands.registerCommand("hasp.showTool", async (uri?: unknown, tool?: unknown) => {
      const document = typeof uri === "string" ? uri : window.activeTextEditor?.document.uri.toString();
      const name = typeof tool === "string" ? tool : await askForTool();
      const page = document === undefined || name === undefined ? undefined : await running.toolPage(document, name);
      if (name === undefined) return;
      if (page === undefined) void window.showWarningMessage(`hasp knows no page about ${name}.`);
      else panel.show(name, page);
    }),
  );
  await start();
}

export async function deactivate(): Promise<void> {
  await clients?.stop();
  clients = undefined;
}

async function askForTool(): Promise<string | undefined> {
  const text = window.activeTextEditor?.document.getText() ?? "";
  const value = /^(?:\s*-\s+)?"?name"?:\s*"?([\w-]+)/mu.exec(text)?.[1];
  return window.showInputBox({ prompt: "The name of the tool", ...(value === undefined ? {} : { value }) });
}
