import { dialects, type DialectId } from "@hasp/schema";
import type { GeneratedNames } from "../typescript/names.js";
import { importStatement } from "../typescript/import-statement.js";
import { docComment } from "../typescript/doc-comment.js";
import { dialectName, entryType } from "./dialect-constants.js";
import type { BuildToEmit, Emitter } from "./emitter.js";
import { header } from "./header.js";
import { importPath } from "./layout.js";

/**
 * One typed module a toolset and dialect: the list that the provider's own SDK takes. What makes the entries
 * stands in the tools' modules; a bundler that takes one list leaves out what the other dialects say.
 */
export const providerListTypeScript: Emitter<null> = {
  name: "provider-list-typescript",
  part: () => null,
  files: (build) => {
    const names = new Map(build.tools.map((tool) => [tool.name, tool.names]));
    return build.toolsets.flatMap(({ name, lists }) =>
      lists.map(({ dialect, tools }) => {
        const path = build.layout.providerList(name, dialect, "ts");
        return {
          path,
          owner: "hasp",
          pieces: listPieces(
            path,
            dialect,
            tools.flatMap((tool) => names.get(tool) ?? []),
            build,
          ),
        };
      }),
    );
  },
};

function listPieces(
  path: string,
  dialect: DialectId,
  listed: readonly GeneratedNames[],
  { layout, plan }: BuildToEmit,
): readonly string[] {
  const { type, use } = dialects[dialect].entry;
  const name = dialectName(dialect);
  const modules = importPath(path, layout.toolModules);
  const lines = listed.map((tool) => linesOf(tool, name, modules));
  const entry = entryType(plan.dialects.find(({ id }) => id === dialect) ?? { id: dialect });
  return [
    `${header("the specs")}\n\n${importStatement([`type ${type}`], "@hasp/runtime/codegen/v1")}\n`,
    ...lines.map(({ imported }) => imported),
    `\n${docComment([`For ${use}.`])
      .map((line) => `${line}\n`)
      .join("")}`,
    ...listConstant(`export const tools: ${entry === type ? entry : `(${entry})`}[] =`, lines),
  ];
}

/** What a list says of one tool: it imports from the tool's module what makes the entry, and calls it. */
interface ListLines {
  readonly imported: string;
  readonly entry: string;
  /** The entry where each has a line of its own. */
  readonly listed: string;
}

function linesOf({ camel, kebab }: GeneratedNames, constant: string, modules: string): ListLines {
  // A tool may be called `delete`.
  const imported = `${camel}Tool`;
  const entry = `${imported}()`;
  return {
    entry,
    imported: `${importStatement([`${constant} as ${imported}`], `${modules}/${kebab}.js`)}\n`,
    listed: `  ${entry},\n`,
  };
}

function listConstant(declaration: string, lines: readonly ListLines[]): readonly string[] {
  const flat = `${declaration} [${lines.map(({ entry }) => entry).join(", ")}];`;
  const lastLine = flat.slice(flat.lastIndexOf("\n") + 1);
  return lastLine.length <= 80 ? [flat, "\n"] : [`${declaration} [\n`, ...lines.map(({ listed }) => listed), "];\n"];
}
