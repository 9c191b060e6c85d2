import { ViewColumn, window, type Disposable, type WebviewPanel } from "vscode";

/** The panel beside the editor with the catalogue's page about a tool. */
export class ToolPanel implements Disposable {
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
