import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { root } from "./root.js";

/**
 * The public API of each package as its users' type checker sees it: what every entry of `exports` declares, without
 * descriptions. A change of the API is a change of this file, for a reviewer to see.
 */
export async function apiReports() {
  const { Project } = await import("ts-morph");
  const reports = [];
  for (const name of ["schema", "runtime", "hasp"]) {
    const folder = join(root, "packages", name);
    const manifest = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
    const project = new Project({ compilerOptions: { module: 199, moduleResolution: 99, skipLibCheck: true } });
    const entries = Object.entries(manifest.exports).filter(([, entry]) => entry.types !== undefined);
    const sections = entries.map(([path, { types }]) => {
      const file = project.addSourceFileAtPath(join(folder, types));
      const specifier = path === "." ? manifest.name : `${manifest.name}${path.slice(1)}`;
      return `## ${specifier}\n\n\`\`\`ts\n${declarationsOf(file).join("\n\n")}\n\`\`\`\n`;
    });
    reports.push([
      `packages/${name}/api-report.md`,
      `# The public API of ${manifest.name}\n\nWritten by \`pnpm gen\` from the declarations that are published. Review every change of it.\n\n${sections.join("\n")}`,
    ]);
  }
  return reports;
}

/** What an entry exports, by name; a declaration that several names share stands under the first. */
function declarationsOf(file) {
  const seen = new Set();
  return [...file.getExportedDeclarations()]
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
    .flatMap(([name, declarations]) =>
      declarations
        .filter((declaration) => !seen.has(declaration) && seen.add(declaration))
        .map((declaration) => textOf(declaration, name)),
    );
}

function textOf(declaration, name) {
  const statement =
    declaration.getKindName() === "VariableDeclaration" ? declaration.getVariableStatement() : declaration;
  const text = statement
    .getText()
    .replaceAll(/[ \t]*\/\*\*[\s\S]*?\*\/[ \t]*\n?/gu, "")
    .replaceAll(/^[ \t]*\n/gmu, "")
    .replace(/^export (?:declare )?/u, "")
    .replace(/^declare /u, "");
  const own = declaration.getName?.();
  return own === undefined || own === name ? text : `// as ${name}\n${text}`;
}
