// Bundles the extension and packs it as `hasp-vscode.vsix`, a zip file with two descriptions. `@vscode/vsce` 3.9 writes
// the
// same two, and would bring 285 packages of 124 MB.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { strToU8, zipSync } from "fflate";
import { rolldown } from "rolldown";

const folder = resolve(import.meta.dirname, "..");

/** Writes `dist/extension.cjs` and `dist/hasp-vscode.vsix` reproducibly. */
export async function pack() {
  const manifest = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
  const files = {
    "[Content_Types].xml": CONTENT_TYPES,
    "extension.vsixmanifest": vsixManifest(manifest),
    "extension/package.json": `${JSON.stringify(published(manifest), null, 2)}\n`,
    "extension/README.md": withoutRelativeLinks(await readFile(join(folder, "README.md"), "utf8")),
    "extension/LICENSE.txt": await readFile(join(folder, "../../LICENSE"), "utf8"),
    "extension/dist/extension.cjs": await bundled(),
  };
  await mkdir(join(folder, "dist"), { recursive: true });
  await writeFile(join(folder, "dist/extension.cjs"), files["extension/dist/extension.cjs"]);
  const entries = Object.fromEntries(Object.entries(files).map(([path, text]) => [path, strToU8(text)]));
  await writeFile(join(folder, "dist/hasp-vscode.vsix"), zipSync(entries, { mtime: new Date(1980, 0, 1), level: 9 }));
}

async function bundled() {
  const bundle = await rolldown({
    input: join(folder, "src/extension.ts"),
    platform: "node",
    external: ["vscode"],
    resolve: { extensionAlias: { ".js": [".ts", ".js"] } },
  });
  const { output } = await bundle.generate({ format: "cjs", minify: true });
  await bundle.close();
  return output[0].code;
}

/** VS Code shows the page without the files of this repository. */
function withoutRelativeLinks(page) {
  const [link] = /\]\((?!https:)[^)]*\)/u.exec(page) ?? [];
  if (link !== undefined) throw new Error(`The README's link leads nowhere once it is installed: ${link}`);
  return page;
}

/** Removes what only the repository needs from the manifest. */
function published({ private: _private, type: _type, scripts: _scripts, devDependencies: _dev, ...manifest }) {
  return manifest;
}

function vsixManifest({ name, publisher, version, displayName, description, categories, engines, contributes }) {
  return `<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">
  <Metadata>
    <Identity Language="en-US" Id="${xml(name)}" Version="${xml(version)}" Publisher="${xml(publisher)}" />
    <DisplayName>${xml(displayName)}</DisplayName>
    <Description xml:space="preserve">${xml(description)}</Description>
    <Tags>${xml(contributes.languages.map(({ id }) => id).join(","))}</Tags>
    <Categories>${xml(categories.join(","))}</Categories>
    <GalleryFlags>Public</GalleryFlags>
    <Properties>
      <Property Id="Microsoft.VisualStudio.Code.Engine" Value="${xml(engines.vscode)}" />
      <Property Id="Microsoft.VisualStudio.Code.ExtensionDependencies" Value="" />
      <Property Id="Microsoft.VisualStudio.Code.ExtensionPack" Value="" />
      <Property Id="Microsoft.VisualStudio.Code.ExtensionKind" Value="workspace" />
      <Property Id="Microsoft.VisualStudio.Code.LocalizedLanguages" Value="" />
      <Property Id="Microsoft.VisualStudio.Code.EnabledApiProposals" Value="" />
      <Property Id="Microsoft.VisualStudio.Code.ExecutesCode" Value="true" />
      <Property Id="Microsoft.VisualStudio.Services.Content.Pricing" Value="Free" />
    </Properties>
    <License>extension/LICENSE.txt</License>
  </Metadata>
  <Installation>
    <InstallationTarget Id="Microsoft.VisualStudio.Code" />
  </Installation>
  <Dependencies />
  <Assets>
    <Asset Type="Microsoft.VisualStudio.Code.Manifest" Path="extension/package.json" Addressable="true" />
    <Asset Type="Microsoft.VisualStudio.Services.Content.Details" Path="extension/README.md" Addressable="true" />
    <Asset Type="Microsoft.VisualStudio.Services.Content.License" Path="extension/LICENSE.txt" Addressable="true" />
  </Assets>
</PackageManifest>
`;
}

const CONTENT_TYPES = `<?xml version="1.0" encoding="utf-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
  <Default Extension=".json" ContentType="application/json" />
  <Default Extension=".vsixmanifest" ContentType="text/xml" />
  <Default Extension=".cjs" ContentType="application/node" />
  <Default Extension=".md" ContentType="text/markdown" />
  <Default Extension=".txt" ContentType="text/plain" />
</Types>
`;

function xml(text) {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}

if (process.argv[1] === import.meta.filename) await pack();
