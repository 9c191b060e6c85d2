import { cp, mkdtemp, readFile, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PACKAGES, keepPublished } from "../packages.js";
import { shipTypes } from "../ship-types.js";
import { root } from "./workspace.js";

/** Prints the public API of each package, without descriptions, by API Extractor. Reviewers read its changes. */
export async function apiReports() {
  const temporary = await mkdtemp(join(tmpdir(), "hasp-api-"));
  try {
    return await Promise.all(PACKAGES.map((name) => reportOf(name, temporary)));
  } finally {
    await rm(temporary, { recursive: true });
  }
}

async function reportOf(name, temporary) {
  const { CompilerState, Extractor } = await import("@microsoft/api-extractor");
  const folder = join(root, "packages", name);
  const manifest = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
  const entries = Object.entries(keepPublished(manifest.exports)).filter(([, entry]) => entry.types !== undefined);
  // The report describes the package as it is packed, with the declarations of private packages.
  const staged = join(temporary, name);
  shipTypes(name, staged);
  await cp(join(folder, "package.json"), join(staged, "package.json"));
  await symlink(join(folder, "node_modules"), join(staged, "node_modules"));
  const configs = await Promise.all(
    entries.map(([, { types }], index) => configOf(staged, types, temporary, `${name}-${index}.api.md`)),
  );
  const compilerState = CompilerState.create(configs[0], {
    additionalEntryPoints: configs.map(({ mainEntryPointFilePath }) => mainEntryPointFilePath),
  });
  const sections = configs.map((config, index) => {
    const [path] = entries[index];
    const { succeeded } = Extractor.invoke(config, { compilerState, localBuild: true, messageCallback: passOver });
    if (!succeeded) throw new Error(`API Extractor cannot read ${manifest.name} ${path}.`);
    return sectionOf(path === "." ? manifest.name : `${manifest.name}${path.slice(1)}`, config.reportFilePath);
  });
  return [
    `packages/${name}/api-report.md`,
    `# The public API of ${manifest.name}\n\nWritten by \`pnpm gen\` with API Extractor, from the declarations that are published. Review every change of it.\n\n${(await Promise.all(sections)).join("\n")}`,
  ];
}

/** Drops the message that a report is new: `--check` compares it with the committed one. */
function passOver(message) {
  if (message.category === "console" && message.logLevel !== "error") message.logLevel = "none";
}

async function configOf(folder, types, temporary, reportFileName) {
  const { ExtractorConfig } = await import("@microsoft/api-extractor");
  const { compilerOptions } = JSON.parse(await readFile(join(root, "tsconfig.base.json"), "utf8"));
  return ExtractorConfig.prepare({
    packageJsonFullPath: join(folder, "package.json"),
    configObject: {
      projectFolder: folder,
      mainEntryPointFilePath: join(folder, types),
      compiler: { overrideTsconfig: { compilerOptions: { ...compilerOptions, types: ["node"] }, files: [types] } },
      apiReport: { enabled: true, reportFolder: temporary, reportTempFolder: join(temporary, "made"), reportFileName },
      docModel: { enabled: false },
      dtsRollup: { enabled: false },
      tsdocMetadata: { enabled: false },
      messages: {
        compilerMessageReporting: { default: { logLevel: "error" } },
        extractorMessageReporting: {
          default: { logLevel: "none" },
          // Types that signatures use but no entry exports.
          "ae-forgotten-export": { logLevel: "none", addToApiReportFile: true },
        },
        tsdocMessageReporting: { default: { logLevel: "none" } },
      },
    },
  });
}

async function sectionOf(specifier, path) {
  const [, body = ""] = /^```ts\n([\s\S]*?)^```/mu.exec((await readFile(path, "utf8")).replaceAll("\r\n", "\n")) ?? [];
  const declarations = body
    .replaceAll(
      /^ *\/\/ (?:@(?:public|internal)?|\(No @packageDocumentation comment for this package\)|\(undocumented\)).*\n/gmu,
      "",
    )
    .replaceAll(/^export /gmu, "")
    // Lines of declarations move with every comment.
    .replaceAll(/^(\/\/ \S+):\d+:\d+ - /gmu, "$1 - ");
  return `## ${specifier}\n\n\`\`\`ts\n${declarations.trim()}\n\`\`\`\n`;
}
