import { dirname } from "node:path";
import { RelativePattern, Uri, window, workspace, type WorkspaceFolder } from "vscode";
import { LanguageClient, TransportKind } from "vscode-languageclient/node";
import { findServer } from "./find-server.js";

/** Language servers by workspace folder. */
export class ProjectClients {
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

const CONFIGS = "**/hasp.config.{yaml,yml,json,mjs,ts}";

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
