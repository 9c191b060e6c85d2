import { readdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL, fileURLToPath } from "node:url";

/** A finding as the extension shows it. */
export interface ShownDiagnostic {
  readonly message: string;
  readonly range: unknown;
}

/** The extension's changes to the editor. */
export interface FakeEditor {
  readonly api: object;
  readonly commands: Map<string, (...words: unknown[]) => unknown>;
  readonly shown: Map<string, readonly ShownDiagnostic[]>;
  readonly panels: { html: string; title: string; options: unknown }[];
  readonly warnings: string[];
  grantTrust(): Promise<void>;
}

class Emitter {
  readonly #listeners: ((value: unknown) => unknown)[] = [];
  readonly event = (listener: (value: unknown) => unknown): { dispose(): void } => {
    this.#listeners.push(listener);
    return { dispose: () => undefined };
  };

  async fire(value: unknown): Promise<void> {
    for (const listener of this.#listeners) await listener(value);
  }

  dispose(): void {
    this.#listeners.length = 0;
  }
}

class Uri {
  readonly scheme: string;
  readonly fsPath: string;
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
    this.scheme = text.split(":")[0] ?? "";
    this.fsPath = text.startsWith("file:") ? fileURLToPath(text) : text;
  }

  static parse(text: string): Uri {
    return new Uri(text);
  }

  static file(path: string): Uri {
    return new Uri(pathToFileURL(path).href);
  }

  /** VS Code escapes more than Node does. */
  toString(): string {
    return this.#text.replaceAll(/[+()@]/gu, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`);
  }
}

class CancellationTokenSource {
  readonly token = { isCancellationRequested: false, onCancellationRequested: () => ({ dispose: () => undefined }) };

  cancel(): void {
    this.token.isCancellationRequested = true;
  }

  dispose(): void {
    // Nothing waits for it.
  }
}

class Diagnostic implements ShownDiagnostic {
  readonly range: unknown;
  readonly message: string;

  constructor(range: unknown, message: string) {
    this.range = range;
    this.message = message;
  }
}

/** Anything that the client library merely touches: callable, constructible, and the same all the way down. */
function anything(): object {
  const target = class {
    dispose(): void {
      // Nothing was made.
    }
  };
  return new Proxy(target, {
    get: (object, key) => {
      if (key === "prototype" || key === Symbol.toPrimitive || key === "dispose") return Reflect.get(object, key);
      return key === "then" || typeof key === "symbol" ? undefined : anything();
    },
    apply: () => ({ dispose: () => undefined }),
  });
}

/** The parts of VS Code's API that the extension and its client library use, as far as a test can see them. */
export function fakeVscode(folder: string): FakeEditor {
  const trust = new Emitter();
  const commands: FakeEditor["commands"] = new Map();
  const shown: FakeEditor["shown"] = new Map();
  const panels: FakeEditor["panels"] = [];
  const warnings: string[] = [];
  const onEvent = (): { dispose(): void } => ({ dispose: () => undefined });
  const withDefaults = (members: object): object =>
    new Proxy(members, {
      get: (object, key) =>
        Reflect.has(object, key)
          ? Reflect.get(object, key)
          : typeof key === "string" && key.startsWith("on")
            ? onEvent
            : anything(),
    });
  const workspace = {
    isTrusted: false,
    workspaceFolders: [{ uri: Uri.file(folder), name: "project", index: 0 }],
    textDocuments: [],
    notebookDocuments: [],
    onDidGrantWorkspaceTrust: trust.event,
    getWorkspaceFolder: ({ fsPath }: Uri) =>
      fsPath.startsWith(`${folder}/`) ? workspace.workspaceFolders[0] : undefined,
    // The extension looks for configurations outside of installed packages.
    findFiles: async () =>
      // With types, the links of a workspace are not followed.
      readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter(({ name, parentPath }) => /^hasp\.config\.\w+$/u.test(name) && !parentPath.includes("node_modules"))
        .map(({ name, parentPath }) => Uri.file(join(parentPath, name))),
    getConfiguration: () => ({ get: () => undefined, has: () => false, inspect: () => undefined }),
  };
  const panelOf = (_type: string, title: string, _place: unknown, options: unknown): object => {
    const panel = { html: "", title, options };
    panels.push(panel);
    return {
      webview: panel,
      set title(text: string) {
        panel.title = text;
      },
      reveal: () => undefined,
      onDidDispose: onEvent,
      dispose: () => undefined,
    };
  };
  const api = withDefaults({
    version: "1.91.0",
    RelativePattern: Object,
    Uri,
    EventEmitter: Emitter,
    CancellationTokenSource,
    Diagnostic,
    workspace: withDefaults(workspace),
    commands: withDefaults({
      registerCommand: (name: string, body: (...words: unknown[]) => unknown) => {
        commands.set(name, body);
        return { dispose: () => undefined };
      },
    }),
    languages: withDefaults({
      createDiagnosticCollection: () => ({
        set: (uri: Uri, diagnostics: readonly ShownDiagnostic[]) => shown.set(uri.fsPath, diagnostics ?? []),
        delete: (uri: Uri) => shown.delete(uri.fsPath),
        clear: () => shown.clear(),
        dispose: () => undefined,
      }),
      match: () => 10,
    }),
    window: withDefaults({
      createWebviewPanel: panelOf,
      activeTextEditor: undefined,
      visibleTextEditors: [],
      tabGroups: { all: [], onDidChangeTabs: onEvent },
      createOutputChannel: () =>
        withDefaults({
          logLevel: 3,
          error: (text: unknown) => warnings.push(String(text)),
          warn: (text: unknown) => warnings.push(String(text)),
        }),
      showWarningMessage: async (text: string) => void warnings.push(text),
      showErrorMessage: async (text: string) => void warnings.push(text),
    }),
    env: { language: "en", appName: "fake" },
  });
  return {
    api,
    commands,
    shown,
    panels,
    warnings,
    async grantTrust() {
      workspace.isTrusted = true;
      await trust.fire(undefined);
    },
  };
}
