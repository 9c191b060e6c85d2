import { commands, window, workspace, type ExtensionContext } from "vscode";
import { ProjectClients } from "./project-clients.js";
import { ToolPanel } from "./tool-panel.js";

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
