import type { DialectId } from "@hasp/schema";
import type { GeneratedNames } from "../typescript/names.js";
import { importStatement } from "../typescript/import-statement.js";
import { docComment } from "../typescript/doc-comment.js";
import { dialectConstants, entryType } from "./dialect-constants.js";
import type { BuildToEmit, Emitter } from "./emitter.js";
import { header } from "./header.js";
import { importPath } from "./layout.js";

/**
 * One typed module a toolset and dialect: the list that the provider's own SDK takes. The entries stand in the tools'
 * modules, each once; a bundler that takes one list leaves out what the other dialects say.
 */
export const providerListTypeScript: Emitter<null> = {
  name: "provider-list-typescript",
  part: () => null,
  files: (build) =>
    build.toolsets.flatMap(({ name, lists }) =>
      lists.map(({ dialect, tools }) => {
        const path = build.layout.providerList(name, dialect, "ts");
        return { path, owner: "hasp", text: listText(path, dialect, tools, build) };
      }),
    ),
};

function listText(path: string, dialect: DialectId, listed: readonly string[], { tools, layout, plan }: BuildToEmit): string {
  const { name, type, use } = dialectConstants[dialect];
  const names = new Map(tools.map((tool) => [tool.name, tool.names]));
  const members = listed.flatMap((tool) => names.get(tool) ?? []);
  const entry = entryType(plan.dialects.find(({ id }) => id === dialect) ?? { id: dialect });
  return [
    header("the specs"),
    "",
    importStatement([`type ${type}`], "@hasp/runtime/codegen"),
    ...members.map((tool) => importStatement([`${name} as ${entryName(tool)}`], importPath(path, layout.toolModule(tool)))),
    "",
    ...docComment([`For ${use}.`]),
    listConstant(`export const tools: ${entry === type ? entry : `(${entry})`}[] =`, members.map(entryName)),
    "",
  ].join("\n");
}

/** What a tool's entry is called in a list: `executeSqlTool`, for a tool may be called `delete`. */
function entryName({ camel }: GeneratedNames): string {
  return `${camel}Tool`;
}

function listConstant(declaration: string, names: readonly string[]): string {
  const flat = `${declaration} [${names.join(", ")}];`;
  const lastLine = flat.slice(flat.lastIndexOf("\n") + 1);
  return lastLine.length <= 80 ? flat : `${declaration} [\n${names.map((name) => `  ${name},\n`).join("")}];`;
}
