import { spawn, type ChildProcess } from "node:child_process";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import { StreamMessageReader, StreamMessageWriter, type Message } from "vscode-languageserver-protocol/node";
import { features } from "../../packages/language-server/src/server/features.js";
import { bin, project } from "../cli/command-line.js";
import { check } from "./projects.testing.js";

interface Answer {
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
}

/** A client that sends whatever a test wants, in whatever order. */
class Client {
  readonly #child: ChildProcess;
  readonly #writer: StreamMessageWriter;
  readonly #waiting = new Map<number, (answer: Answer) => void>();
  readonly exitCode: Promise<number | null>;
  readonly shown = new Map<string, readonly { readonly code: string }[]>();
  logged = "";
  #requests = 0;

  constructor(folder: string) {
    const { CI: _ci, ...env } = process.env;
    const child = spawn(process.execPath, [bin, "lsp"], { cwd: folder, env, stdio: ["pipe", "pipe", "inherit"] });
    this.#child = child;
    this.#writer = new StreamMessageWriter(child.stdin);
    this.exitCode = new Promise((done) => child.once("exit", done));
    // A server that has gone reads no more.
    child.stdin.on("error", () => undefined);
    new StreamMessageReader(child.stdout).listen((message) => {
      const { id, method, params, ...answer } = message as { id?: number; method?: string; params?: never };
      if (method === "window/logMessage") this.logged += (params as { message: string } | undefined)?.message ?? "";
      else if (method === "textDocument/publishDiagnostics") {
        const { uri, diagnostics } = params as never;
        this.shown.set(uri, diagnostics);
      } else if (id !== undefined) this.#waiting.get(id)?.(answer);
    });
  }

  /** Sends a request and gives the answer; parameters that are `undefined` are not sent. */
  async ask(method: string, params?: unknown): Promise<Answer> {
    const id = (this.#requests += 1);
    const answered = new Promise<Answer>((done) => this.#waiting.set(id, done));
    await this.#writer.write({ jsonrpc: "2.0", id, method, params } as Message);
    return answered;
  }

  async tell(method: string, params?: unknown): Promise<void> {
    await this.#writer.write({ jsonrpc: "2.0", method, params } as Message);
  }

  /** Sends bytes as they are. */
  send(bytes: string): void {
    this.#child.stdin?.write(bytes);
  }

  hangUp(): void {
    this.#child.stdin?.end();
  }
}

const SPEC = "specs/greet.tool.yaml";

function greeting(): string {
  return project({
    "hasp.config.yaml": "specs: [specs]\n",
    [SPEC]: "hasp: 1\nname: greet\ndescription: Say hello.\nwrong: 1\ninput: { type: object, properties: {} }\n",
  });
}

function opened(folder: string): object {
  return { processId: null, capabilities: {}, workspaceFolders: [{ uri: pathToFileURL(folder).href, name: "x" }] };
}

test("a request at the wrong time, of the wrong name or with wrong parameters gets the protocol's code for that", async () => {
  const folder = greeting();
  const client = new Client(folder);
  const uri = pathToFileURL(join(folder, SPEC)).href;
  const at = { textDocument: { uri }, position: { line: 1, character: 8 } };
  const codeOf = async (method: string, params?: unknown): Promise<number | undefined> =>
    (await client.ask(method, params)).error?.code;

  expect(await codeOf("textDocument/hover", at)).toBe(-32_002);
  expect(await codeOf("shutdown")).toBe(-32_002);
  expect(await codeOf("hasp/unknown", {})).toBe(-32_002);
  await client.tell("textDocument/didClose", at);
  for (const params of [undefined, null, [], {}, { capabilities: {}, workspaceFolders: 5 }]) {
    expect(await codeOf("initialize", params)).toBe(-32_602);
  }
  expect(await codeOf("initialize", opened(folder))).toBeUndefined();
  expect(await codeOf("initialize", opened(folder))).toBe(-32_600);
  expect(await codeOf("hasp/unknown", {})).toBe(-32_601);

  const malformed = [
    undefined,
    null,
    [],
    {},
    { ...at, textDocument: { uri: 5 } },
    { textDocument: null, position: at.position },
  ];
  for (const { method } of features) {
    const answers = await Promise.all(malformed.map((params) => codeOf(method, params)));
    expect(answers, method).toEqual(malformed.map(() => -32_602));
  }
  for (const position of [undefined, {}, { line: -1, character: 0 }, { line: 0.5, character: 0 }, { line: "0" }]) {
    expect(await codeOf("textDocument/hover", { ...at, position })).toBe(-32_602);
  }
  expect(await client.ask("textDocument/hover", at)).toMatchObject({ result: { contents: { kind: "markdown" } } });

  expect(await codeOf("shutdown")).toBeUndefined();
  expect(await codeOf("textDocument/hover", at)).toBe(-32_600);
  await client.tell("exit");
  expect(await client.exitCode).toBe(0);
});

test("invalid requests of an editor cost no finding and no later answer", async () => {
  const folder = greeting();
  const client = new Client(folder);
  await client.ask("initialize", opened(folder));
  const uri = pathToFileURL(join(folder, SPEC)).href;
  const places = [0, 4_294_967_295, Number.MAX_SAFE_INTEGER];
  const elsewhere = [
    "",
    "greet",
    "untitled:Untitled-1",
    "https://example.com/greet.tool.yaml",
    "file:///nowhere/greet.tool.yaml",
    "file://elsewhere/greet.tool.yaml",
    "file:///%00",
    "file:///%",
    `${uri}/below`,
    pathToFileURL(folder).href,
  ];
  const asked = [
    ...places.map((place) => ({ uri, position: { line: place, character: place } })),
    ...elsewhere.map((each) => ({ uri: each, position: { line: 0, character: 0 } })),
  ];
  for (const { method } of features) {
    for (const { uri: about, position } of asked) {
      const { error } = await client.ask(method, {
        textDocument: { uri: about },
        position,
        range: { start: position, end: { line: 0, character: 0 } },
        context: { includeDeclaration: true, diagnostics: [] },
        newName: "welcome",
        tool: "__proto__",
      });
      // The only refusal: there is nothing to rename there.
      expect(error?.code ?? -32_803, `${method} ${about} ${JSON.stringify(error)}`).toBe(-32_803);
    }
  }
  for (const params of [undefined, null, [], {}, { textDocument: { uri: 5 } }, { changes: [{}] }]) {
    for (const method of ["didOpen", "didChange", "didSave", "didClose"]) {
      await client.tell(`textDocument/${method}`, params);
    }
    await client.tell("workspace/didChangeWatchedFiles", params);
  }
  await client.tell("hasp/unknown", { oops: true });
  await client.tell("textDocument/didChange", {
    textDocument: { uri, version: 2 },
    contentChanges: [{ text: "never opened" }],
  });
  client.send("Content-Length: 5\r\n\r\n{oops");
  client.send("Content-Length: 2\r\n\r\n[]");

  await client.ask("textDocument/codeLens", { textDocument: { uri } });
  const shown = client.shown.get(uri)?.map(({ code }) => code) ?? [];
  expect(shown.length).toBeGreaterThan(0);
  const ofSpec = (await check(folder)).filter((finding) => finding.startsWith(`${SPEC}:`));
  expect(shown.toSorted()).toEqual(ofSpec.map((finding) => finding.split(" ")[1]).toSorted());
  expect(client.logged).toContain("textDocument/didOpen: /textDocument must be");
  client.hangUp();
  // The editor went without a word.
  expect(await client.exitCode).toBe(1);
});

describe("the server ends with 1", () => {
  test.each<[string, (client: Client) => void]>([
    ["at once, told to exit without shutdown", (client) => void client.tell("exit")],
    ["after bytes that are no message", (client) => client.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")],
  ])("the server ends with 1 %s", async (_name, end) => {
    const folder = greeting();
    const client = new Client(folder);
    await client.ask("initialize", opened(folder));
    end(client);
    expect(await client.exitCode).toBe(1);
  });
});
