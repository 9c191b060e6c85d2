import { mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { strFromU8, unzipSync } from "fflate";
import { afterEach, beforeAll, expect, test, vi } from "vitest";
import { minimalSpec, project } from "../cli/command-line.js";
import { fakeVscode } from "./fake-vscode.testing.js";

const folder = resolve(import.meta.dirname, "../../packages/vscode");

interface Extension {
  activate(context: { readonly subscriptions: unknown[] }): Promise<void>;
  deactivate(): Promise<void>;
}

let files: Readonly<Record<string, string>>;
let running: Extension | undefined;

beforeAll(async () => {
  const { pack } = (await import(`${folder}/scripts/pack.js`)) as { pack(): Promise<void> };
  await pack();
  const first = readFileSync(join(folder, "dist/hasp-vscode.vsix"));
  await pack();
  expect(readFileSync(join(folder, "dist/hasp-vscode.vsix")).equals(first)).toBe(true);
  files = Object.fromEntries(Object.entries(unzipSync(first)).map(([path, bytes]) => [path, strFromU8(bytes)]));
});

afterEach(async () => {
  await running?.deactivate();
  running = undefined;
});

/** The packed program, with an editor of the test's own. */
function load(api: object): Extension {
  const require = createRequire(join(folder, "dist/extension.cjs"));
  const module = { exports: {} };
  const code = files["extension/dist/extension.cjs"] ?? "";
  // The way in which Node itself runs such a file.
  // oxlint-disable-next-line no-implied-eval, no-new-func
  const run = new Function("require", "module", "exports", code) as (...words: unknown[]) => void;
  run((name: string) => (name === "vscode" ? api : require(name)), module, module.exports);
  running = module.exports as Extension;
  return running;
}

test("the package holds the extension, what describes it, and nothing else", () => {
  expect(Object.keys(files).toSorted()).toEqual([
    "[Content_Types].xml",
    "extension.vsixmanifest",
    "extension/LICENSE.txt",
    "extension/README.md",
    "extension/dist/extension.cjs",
    "extension/package.json",
  ]);
  const manifest = JSON.parse(files["extension/package.json"] ?? "{}") as Record<string, unknown>;
  expect(manifest).toMatchObject({
    main: "./dist/extension.cjs",
    capabilities: { untrustedWorkspaces: { supported: false } },
  });
  expect(Object.keys(manifest)).not.toEqual(expect.arrayContaining(["private"]));
  expect(files["extension.vsixmanifest"]).toContain('Id="hasp-vscode" Version="0.1.0" Publisher="hasp"');
  const extensions = Object.keys(files).flatMap((path) => /\.\w+$/u.exec(path) ?? []);
  for (const extension of extensions.filter((each) => each !== ".xml")) {
    expect(files["[Content_Types].xml"]).toContain(`Extension="${extension}"`);
  }
});

test("the project's own hasp starts once the workspace is trusted, and its page opens in a panel", async () => {
  const workspace = project({
    "hasp.config.yaml": "specs: [specs]\n",
    "specs/greet.tool.yaml": `${minimalSpec("greet")}wrong: 1\n`,
    "specs/find_order.tool.yaml": minimalSpec("find_order"),
  });
  mkdirSync(join(workspace, "node_modules"));
  symlinkSync(resolve(import.meta.dirname, "../../packages/hasp"), join(workspace, "node_modules/hasp"), "dir");
  const editor = fakeVscode(workspace);
  await load(editor.api).activate({ subscriptions: [] });
  expect([...editor.commands.keys()]).toEqual(["hasp.restart", "hasp.showTool"]);
  expect(editor.shown.size).toBe(0);

  await editor.grantTrust();
  expect(editor.warnings).toEqual([]);
  const path = join(workspace, "specs/greet.tool.yaml");
  const messages = (): string => (editor.shown.get(path) ?? []).map(({ message }) => message).join();
  await vi.waitFor(() => expect(messages()).toContain('"wrong"'), { timeout: 20_000 });
  const show = editor.commands.get("hasp.showTool");
  await show?.(`file://${join(workspace, "specs/find_order.tool.yaml")}`, "find_order");
  expect(editor.panels).toHaveLength(1);
  expect(editor.panels[0]?.title).toBe("find_order");
  expect(editor.panels[0]?.options).toMatchObject({ enableScripts: true, localResourceRoots: [] });
  expect(editor.panels[0]?.html).toMatch(/Content-Security-Policy[^]*#\/tool\/find_order/u);
});

test("a folder without hasp is left alone", async () => {
  const editor = fakeVscode(project({ "hasp.config.yaml": "specs: [specs]\n" }));
  await load(editor.api).activate({ subscriptions: [] });
  await editor.grantTrust();
  expect([editor.shown.size, editor.warnings]).toEqual([0, []]);
});
