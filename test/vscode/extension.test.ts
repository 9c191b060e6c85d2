import { mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { XMLParser, XMLValidator } from "fast-xml-parser";
import { strFromU8, unzipSync } from "fflate";
import { afterEach, beforeAll, expect, test, vi } from "vitest";
import { minimalSpec, project, put } from "../cli/command-line.js";
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
});

test("the two descriptions are what VS Code's own packer writes", () => {
  const read = (path: string): Record<string, Record<string, unknown>> => {
    const text = files[path] ?? "";
    expect(XMLValidator.validate(text)).toBe(true);
    return new XMLParser({ ignoreAttributes: false, attributeNamePrefix: "" }).parse(text);
  };
  const { PackageManifest: manifest } = read("extension.vsixmanifest");
  const { Metadata, Installation, Assets } = manifest as never as {
    readonly Metadata: {
      readonly Identity: object;
      readonly Tags: string;
      readonly License: string;
      readonly Properties: { readonly Property: readonly { readonly Id: string; readonly Value: string }[] };
    };
    readonly Installation: object;
    readonly Assets: { readonly Asset: readonly { readonly Type: string; readonly Path: string }[] };
  };
  const { version } = JSON.parse(files["extension/package.json"] ?? "{}") as { version: string };
  expect(manifest).toMatchObject({
    Version: "2.0.0",
    xmlns: "http://schemas.microsoft.com/developer/vsx-schema/2011",
  });
  expect(Metadata.Identity).toEqual({ Language: "en-US", Id: "hasp-vscode", Version: version, Publisher: "hasp" });
  expect(Metadata.Tags).toBe("yaml,json");
  expect(Installation).toEqual({ InstallationTarget: { Id: "Microsoft.VisualStudio.Code" } });
  // As `vsce package` 3.9 writes them of this extension.
  expect(new Map(Metadata.Properties.Property.map(({ Id, Value }) => [Id.split(".").at(-1), Value]))).toEqual(
    new Map([
      ["Engine", "^1.91.0"],
      ["ExtensionDependencies", ""],
      ["ExtensionPack", ""],
      ["ExtensionKind", "workspace"],
      ["LocalizedLanguages", ""],
      ["EnabledApiProposals", ""],
      ["ExecutesCode", "true"],
      ["Pricing", "Free"],
    ]),
  );
  for (const path of [Metadata.License, ...Assets.Asset.map(({ Path }) => Path)]) expect(files).toHaveProperty([path]);

  const { Types } = read("[Content_Types].xml") as never as {
    readonly Types: { readonly Default: readonly { readonly Extension: string }[] };
  };
  const extensions = Object.keys(files).flatMap((path) => /\.\w+$/u.exec(path) ?? []);
  expect(new Set(Types.Default.map(({ Extension }) => Extension))).toEqual(
    new Set(extensions.filter((extension) => extension !== ".xml")),
  );
});

test.each([
  ["of a folder", ""],
  ["of one package of a folder", "packages/tools"],
])("the hasp %s starts once the workspace is trusted, and its page opens in a panel", async (_name, part) => {
  // VS Code escapes other letters of a path than Node does.
  const workspace = join(project(), "shop+more (new)");
  const path = (name: string): string => join(workspace, part, name);
  put(join(workspace, part), {
    "hasp.config.yaml": "specs: [specs]\n",
    "specs/greet.tool.yaml": `${minimalSpec("greet")}wrong: 1\n`,
    "specs/find_order.tool.yaml": minimalSpec("find_order"),
  });
  mkdirSync(path("node_modules"));
  symlinkSync(resolve(import.meta.dirname, "../../packages/hasp"), path("node_modules/hasp"), "dir");
  const editor = fakeVscode(workspace);
  await load(editor.api).activate({ subscriptions: [] });
  const { contributes } = JSON.parse(files["extension/package.json"] ?? "{}") as {
    contributes: { commands: readonly { command: string }[] };
  };
  expect(new Set(editor.commands.keys())).toEqual(new Set(contributes.commands.map(({ command }) => command)));
  expect(editor.shown.size).toBe(0);

  await editor.grantTrust();
  expect(editor.warnings).toEqual([]);
  const show = editor.commands.get("hasp.showTool");
  const uri = pathToFileURL(path("specs/find_order.tool.yaml")).href;
  await show?.(uri, "find_order");
  expect(editor.panels).toHaveLength(1);
  expect(editor.panels[0]?.title).toBe("find_order");
  expect(editor.panels[0]?.options).toMatchObject({ enableScripts: true, localResourceRoots: [] });
  expect(editor.panels[0]?.html).toMatch(/Content-Security-Policy[^]*#\/tool\/find_order/u);
  const messages = (): string =>
    (editor.shown.get(path("specs/greet.tool.yaml")) ?? []).map(({ message }) => message).join();
  await vi.waitFor(() => expect(messages()).toContain('"wrong"'), { timeout: 20_000 });

  await editor.commands.get("hasp.restart")?.();
  await show?.(uri, "greet");
  await show?.(uri, "nothing");
  expect(editor.panels.map(({ title }) => title)).toEqual(["greet"]);
  expect(editor.warnings).toEqual(["hasp knows no page about nothing."]);
});

test("a folder without hasp is left alone", async () => {
  const editor = fakeVscode(project({ "hasp.config.yaml": "specs: [specs]\n" }));
  await load(editor.api).activate({ subscriptions: [] });
  await editor.grantTrust();
  expect([editor.shown.size, editor.warnings]).toEqual([0, []]);
});
